package beamio_test

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"

	"github.com/octet-go/octet/beamio"
	"github.com/octet-go/octet/record"
)

// A Page is an element of the examples. Their main function begins with
//
//	beamio.Register[Page]()
//	beamio.RegisterFiles[string]()
//	beam.Init()
type Page struct {
	Path   string
	Labels map[string]string
}

// TestMain makes the registrations of the examples and the tests.
func TestMain(m *testing.M) {
	beamio.Register[Page]()
	beamio.RegisterFiles[string]()
	beam.RegisterFunction(describe)
	beamio.RegisterTests()
	flag.Parse()
	beam.Init()
	code := m.Run()
	beamio.StopFlink()
	os.Exit(code)
}

// exampleFile makes a file of two pages.
func exampleFile() (path string) {
	dir, err := os.MkdirTemp("", "beamio")
	if err != nil {
		log.Fatal(err)
	}
	path = filepath.Join(dir, "pages.rec")
	w, err := record.Create(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := record.WriteSlice(w, []Page{{Path: "/"}, {Path: "/help"}}); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	return path
}

func ExampleRegister() {
	// The order of the keys of a map does not matter.
	e := beam.NewElementEncoder(reflect.TypeFor[Page]())
	var a, b bytes.Buffer
	if err := e.Encode(Page{"/", map[string]string{"x": "1", "y": "2"}}, &a); err != nil {
		log.Fatal(err)
	}
	if err := e.Encode(Page{"/", map[string]string{"y": "2", "x": "1"}}, &b); err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.Equal(a.Bytes(), b.Bytes()))
	// Output: true
}

func ExampleRegisterStore() {
	// In a program, this is a Store of package beamio/objects.
	type store struct{ beamio.Store }
	beamio.RegisterStore("s3", store{})

	_, s := beam.NewPipelineWithRoot()
	fmt.Println(beamio.Read[Page](s, "s3://bucket/pages-*.rec", nil).Type())
	// Output: beamio_test.Page
}

func describe(n int) string { return fmt.Sprint(n, " pages") }
