package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/record"
)

// eventV1 to eventV3 are versions of a struct.
type (
	eventV1 struct {
		ID   uint32 `msgpack:"id"`
		Name string `msgpack:"name"`
	}
	eventV2 struct { // has one more field
		ID   uint32   `msgpack:"id"`
		Name string   `msgpack:"name"`
		Tags []string `msgpack:"tags,omitempty"`
	}
	eventV3 struct { // renames one
		ID    uint32 `msgpack:"id"`
		Title string `msgpack:"title"`
	}
)

func schemaFor[T any](t testing.TB) *schema.Schema {
	t.Helper()
	s, err := schema.Of[T](nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ExampleFile_Schema() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "events.rec")
	s, err := schema.Of[eventV1](nil)
	if err != nil {
		log.Fatal(err)
	}
	w, err := record.Create(path, &record.Options{Schema: s})
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		log.Fatal(err)
	}
	f, err := record.Open(path, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	s, err = f.Schema()
	fmt.Println(s.Root.Type, err)
	for _, f := range s.Root.Type.Fields {
		fmt.Println(f.Name, f.Type)
	}
	// Output:
	// struct eventV1 <nil>
	// id uint of 32 bits
	// name str
}

func ExampleScanner_Schema() {
	var b bytes.Buffer
	s, err := schema.Of[int8](nil)
	if err != nil {
		log.Fatal(err)
	}
	w, err := record.NewWriter(&b, &record.Options{Schema: s})
	if err == nil {
		err = errors.Join(w.Write(int8(1)), w.Close())
	}
	if err != nil {
		log.Fatal(err)
	}
	scan := record.NewScanner(&b, nil)
	for scan.Scan() {
		s, err := scan.Schema()
		fmt.Println(s.Root.Type, err)
	}
	// Output: int of 8 bits <nil>
}

func ExampleSchemaError_Error() {
	err := &record.SchemaError{Changes: []schema.Change{{Path: "name", Text: "field was removed", NewReader: schema.Loses}}}
	fmt.Println(err)
	// Output: schema does not fit the file: name: field was removed (new reader loses, old reader: nothing)
}

func ExampleSchemaError_Is() {
	fmt.Println(errors.Is(&record.SchemaError{}, record.ErrSchema))
	// Output: true
}

// TestAppendSchema checks that Append takes a compatible schema and keeps that of the
// file, and that it refuses another without changing the file.
func TestAppendSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.rec")
	write := func(open func(string, *record.Options) (*record.Writer, error), s *schema.Schema, v any) error {
		w, err := open(path, &record.Options{Schema: s, Metadata: map[string]any{"k": "v"}})
		if err != nil {
			return err
		}
		return errors.Join(w.Write(v), w.Close())
	}
	v1 := schemaFor[eventV1](t)
	if err := errors.Join(
		write(record.Append, v1, eventV1{1, "a"}),
		write(record.Append, nil, eventV1{2, "b"}),
		write(record.Append, schemaFor[eventV2](t), eventV2{3, "c", nil}),
	); err != nil {
		t.Fatal(err)
	}
	// A torn end must not be cut off by an Append that fails.
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString("torn")
		err = errors.Join(err, f.Close())
	}
	before, readErr := os.ReadFile(path)
	if err = errors.Join(err, readErr); err != nil {
		t.Fatal(err)
	}
	err = write(record.Append, schemaFor[eventV3](t), eventV3{4, "d"})
	var e *record.SchemaError
	var where *record.Error
	if !errors.Is(err, record.ErrSchema) || !errors.As(err, &e) || len(e.Changes) != 1 || e.Changes[0].Path != "name" || !errors.As(err, &where) || where.File != path {
		t.Fatalf("got %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file was changed (%v)", err)
	}
	r, err := record.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if s, err := r.Schema(); err != nil || !reflect.DeepEqual(s, v1) {
		t.Errorf("the file has the schema %v, %v", s, err)
	}
	if r.Len() != 3 || r.Metadata()["k"] != "v" {
		t.Errorf("%d records, metadata %v", r.Len(), r.Metadata())
	}
}

// TestNoSchema checks files without a schema: they accept any.
func TestNoSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.rec")
	for _, s := range []*schema.Schema{nil, schemaFor[eventV1](t), schemaFor[eventV3](t)} {
		w, err := record.Append(path, &record.Options{Schema: s})
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	f, err := record.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if s, err := f.Schema(); s != nil || err != nil {
		t.Errorf("got %v, %v", s, err)
	}
}

// TestRecoverKeepsSchema checks that the copy has the schema of the file.
func TestRecoverKeepsSchema(t *testing.T) {
	dir := t.TempDir()
	path, copied := filepath.Join(dir, "a.rec"), filepath.Join(dir, "b.rec")
	want := schemaFor[eventV1](t)
	w, err := record.Create(path, &record.Options{Schema: want})
	if err == nil {
		err = errors.Join(w.Write(eventV1{1, "a"}), w.Close())
	}
	if err == nil {
		_, err = record.Recover(path, copied, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	f, err := record.Open(copied, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if s, err := f.Schema(); err != nil || !reflect.DeepEqual(s, want) {
		t.Errorf("got %v, %v", s, err)
	}
}

// TestSchemaLimits checks schemas that a header cannot hold, and one that cannot be read.
func TestSchemaLimits(t *testing.T) {
	var fields []reflect.StructField
	for i := range 3000 {
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[int]()})
	}
	large, err := schema.OfType(reflect.StructOf(fields), nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.rec")
	if _, err := record.Create(path, &record.Options{Schema: large}); !errors.Is(err, record.ErrLimit) || !strings.Contains(err.Error(), "Schema of") {
		t.Errorf("3000 fields: %v", err)
	}
	named := &schema.Schema{Root: schema.Value{Type: &schema.Type{Kind: msgpack.FormOwn, Name: "octet-rec"}}}
	if _, err := record.Create(path, &record.Options{Schema: named}); !errors.Is(err, record.ErrOptions) {
		t.Errorf("the name of the format: %v", err)
	}
	// A kind that does not exist makes a text that Parse refuses.
	w, err := record.Create(path, &record.Options{Schema: &schema.Schema{Root: schema.Value{Type: &schema.Type{Kind: 99}}}})
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := record.Append(path, &record.Options{Schema: schemaFor[int](t)}); !errors.Is(err, record.ErrSchema) || errors.As(err, new(*record.SchemaError)) {
		t.Errorf("a schema that cannot be read: %v", err)
	}
}
