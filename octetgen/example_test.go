package octetgen_test

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"github.com/octet-go/octet/layout"
	"github.com/octet-go/octet/octetgen"
	"github.com/octet-go/octet/octetgen/internal/shapes"
)

func ExampleSource() {
	source, err := octetgen.Source(nil, reflect.TypeFor[shapes.Tree2]())
	if err != nil {
		fmt.Println(err)
		return
	}
	start := bytes.Index(source, []byte("\t// A\n"))
	end := bytes.Index(source, []byte("\t// B\n"))
	fmt.Printf("%s", source[start:end])
	// Output:
	// // A
	// 	dst = append(dst, "\x82\xa1A"...)
	// 	if uint64(v.A) <= 127 {
	// 		dst = append(dst, byte(v.A))
	// 	} else {
	// 		dst = msgpack.AppendInteger(dst, v.A)
	// 	}
}

func ExampleSourceWith() {
	of := reflect.TypeFor[shapes.Command]() // it has unions
	_, err := octetgen.Source(nil, of)
	fmt.Println(err)
	source, err := octetgen.SourceWith(nil, map[reflect.Type]*layout.Codec{of: shapes.Codec}, of)
	fmt.Println(bytes.Contains(source, []byte("switch v.Body.(type) {")), err)
	// Output:
	// layout: Command.Body: Options.Unions has no Union of shapes.body
	// true <nil>
}

// printing is a test that prints why it fails.
type printing struct{ testing.TB }

func (printing) Helper()           {}
func (printing) Fatal(args ...any) { fmt.Println(args...) }

// A test of a package with generated code is
//
//	func TestCurrent(t *testing.T) { octetgen.Current(t) }
func ExampleCurrent() {
	octetgen.Current(printing{})
	// Output: octetgen: there is no octet_gen.go in the directory of the package
}
