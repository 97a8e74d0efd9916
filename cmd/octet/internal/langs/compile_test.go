package langs

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A sampleType is a Go type with values.
type sampleType struct {
	typ    reflect.Type
	codec  *msgpack.Codec
	schema *schema.Schema
	values [][]byte
}

// sampleTypes returns the gallery and random types.
func sampleTypes(t *testing.T, count int) []sampleType {
	codec := galleryCodec(t)
	first, err := codec.Marshal(galleryValue())
	if err != nil {
		t.Fatal(err)
	}
	list := []sampleType{{reflect.TypeFor[Gallery](), codec, gallerySchema(t), [][]byte{first}}}
	plain, err := msgpack.New(msgpack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for seed := uint64(1); len(list) <= count; seed++ {
		r := randtype.FromSeed(seed)
		s := sampleType{typ: r.Type(), codec: plain}
		if s.schema, err = schema.OfType(s.typ, plain); err != nil {
			continue
		}
		for range 3 {
			if data, err := plain.Marshal(r.Value(s.typ).Addr().Interface()); err == nil {
				s.values = append(s.values, data)
			}
		}
		list = append(list, s)
	}
	return list
}

var unionVariable = regexp.MustCompile(`(?m)^var (\w+) = msgpack.Union`)

// TestCompile prints Go types of random types, compiles them, and decodes values into
// them. What they encode again is the same value of the first type.
func TestCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	types := sampleTypes(t, 60)
	dir, replace := t.TempDir(), map[string]string{}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	const folder = "compiled-by-a-test" // exists for the go command only
	put := func(name, text string) {
		file := filepath.Join(dir, fmt.Sprint(len(replace)))
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(here, folder, filepath.FromSlash(name))] = file
	}
	var imports, calls strings.Builder
	for i, s := range types {
		// Through the text form, as the command reads it.
		parsed, err := schema.Parse(s.schema.Compact())
		if err != nil {
			t.Fatal(err)
		}
		source, err := Go(parsed, Options{Type: "Root", Package: fmt.Sprint("t", i)})
		if err != nil {
			t.Fatalf("%v: %v", s.typ, err)
		}
		put(fmt.Sprintf("t%d/types.go", i), string(source))
		fmt.Fprintf(&imports, "t%d \"github.com/octet-go/octet/cmd/octet/internal/langs/%s/t%d\"\n", i, folder, i)
		root, unions := "Root", []string{}
		if m := regexp.MustCompile(`(?m)^(?:// .*\n)?type (\w+)`).FindSubmatch(source); m != nil {
			root = string(m[1])
		}
		for _, m := range unionVariable.FindAllSubmatch(source, -1) {
			unions = append(unions, fmt.Sprintf("t%d.%s", i, m[1]))
		}
		for _, data := range s.values {
			fmt.Fprintf(&calls, "again[t%d.%s](%q, []msgpack.TypeCoder{%s})\n", i, root, hex.EncodeToString(data), strings.Join(unions, ", "))
		}
	}
	put("main.go", `package main

import (
	"encoding/hex"
	"fmt"

	"github.com/octet-go/octet/msgpack"
	`+imports.String()+`
)

func again[T any](text string, types []msgpack.TypeCoder) {
	data, _ := hex.DecodeString(text)
	codec, err := msgpack.New(msgpack.Options{Types: types})
	var v T
	if err == nil {
		err = codec.Unmarshal(data, &v)
	}
	if err == nil {
		data, err = codec.Marshal(&v)
	}
	fmt.Printf("%x %v\n", data, err)
}

func main() {
`+calls.String()+`}
`)
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("go", "run", "-overlay", filepath.Join(dir, "overlay.json"), "./"+folder)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%.4000s", err, stderr.String())
	}
	lines := strings.Split(string(out), "\n")
	for i, s := range types {
		for _, data := range s.values {
			text, failed, _ := strings.Cut(lines[0], " ")
			lines = lines[1:]
			want, again := reflect.New(s.typ), reflect.New(s.typ)
			if err := s.codec.Unmarshal(data, want.Interface()); err != nil {
				continue // such as a map in an any with keys that Go maps cannot have
			}
			got, err := hex.DecodeString(text)
			if failed != "<nil>" || err != nil {
				t.Errorf("type %d, %v: %s, %v\n%s", i, s.typ, failed, err, s.schema)
				continue
			}
			if err := s.codec.Unmarshal(got, again.Interface()); err != nil {
				t.Errorf("type %d, %v: % x: %v", i, s.typ, got, err)
			} else if d := randtype.Diff(want.Interface(), again.Interface()); d != "" {
				t.Errorf("type %d, %v: %s\n% x\n% x", i, s.typ, d, data, got)
			}
		}
	}
}
