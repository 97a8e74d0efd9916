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

// A Size and a NamedSize are registered with different forms.
type (
	Size      struct{ Width, Height int }
	NamedSize Size
)

// TestMain makes the registrations of the examples and the tests.
func TestMain(m *testing.M) {
	beamio.BecomeWorker()
	beamio.Register[Page]()
	beamio.Register[Size]()
	beamio.RegisterMap[NamedSize]()
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

func ExampleRegisterMap() {
	// Main begins with
	//
	//	beamio.Register[Size]()
	//	beamio.RegisterMap[NamedSize]()
	var array, names bytes.Buffer
	if err := beam.NewElementEncoder(reflect.TypeFor[Size]()).Encode(Size{3, 4}, &array); err != nil {
		log.Fatal(err)
	}
	if err := beam.NewElementEncoder(reflect.TypeFor[NamedSize]()).Encode(NamedSize{3, 4}, &names); err != nil {
		log.Fatal(err)
	}
	// Beam puts the length before each value.
	fmt.Printf("%q\n%q\n", array.Bytes(), names.Bytes())
	// Output:
	// "\x03\x92\x03\x04"
	// "\x10\x82\xa5Width\x03\xa6Height\x04"
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
