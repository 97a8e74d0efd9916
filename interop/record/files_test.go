package record

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/record/zstd"
)

// A sample is a record file with what other programs must find in it.
type sample struct {
	name       string
	path       string
	records    []msgpack.Raw
	compressed bool
	torn       bool
}

// content returns the records one after the other.
func (s *sample) content() []byte { return bytes.Join(bytesOf(s.records), nil) }

func bytesOf(list []msgpack.Raw) [][]byte {
	var all [][]byte
	for _, r := range list {
		all = append(all, r)
	}
	return all
}

// values returns records of many forms and lengths.
func values(t *testing.T, n int) []msgpack.Raw {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(n), 1))
	var list []msgpack.Raw
	for i := range n {
		var v any
		switch i % 6 {
		case 0:
			v = i
		case 1:
			v = map[string]any{"id": i, "name": strings.Repeat("name ", r.IntN(30)), "x": 1.5}
		case 2:
			v = []any{nil, true, -i, []int{1, 2, 3}, map[int]string{}}
		case 3:
			v = strings.Repeat("octet-rec ", r.IntN(300))
		case 4:
			v = make([]byte, r.IntN(3000))
		case 5:
			v = msgpack.Ext{Type: 5, Data: make([]byte, r.IntN(40))}
		}
		raw, err := msgpack.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, raw)
	}
	return list
}

func write(t *testing.T, path string, o record.Options, records []msgpack.Raw) {
	t.Helper()
	w, err := record.Append(path, &o)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := w.WriteRaw(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// samples makes record files of every kind: with and without compression and
// tables, joined, appended, and after a crash.
func samples(t *testing.T) []sample {
	t.Helper()
	dir := t.TempDir()
	c, err := zstd.New(zstd.Default)
	if err != nil {
		t.Fatal(err)
	}
	stored := record.Options{BlockSize: 16 << 10, Metadata: map[string]any{"from": "test"}}
	compressed := stored
	compressed.Compressor, compressed.Decompressor = c, c
	var list []sample
	for i, o := range []record.Options{stored, compressed} {
		add := func(name string, records []msgpack.Raw, torn bool, content []byte) {
			path := filepath.Join(dir, fmt.Sprint(i, "-", name))
			if err := os.WriteFile(path, content, 0o666); err != nil {
				t.Fatal(err)
			}
			list = append(list, sample{name + []string{", stored", ", compressed"}[i], path, records, i == 1, torn})
		}
		file := func(records []msgpack.Raw) []byte {
			path := filepath.Join(dir, "new")
			defer os.Remove(path)
			write(t, path, o, records)
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		a, b := values(t, 600), values(t, 90)
		whole := file(a)
		f, err := record.NewFile(bytes.NewReader(whole), int64(len(whole)), &o)
		if err != nil {
			t.Fatal(err)
		}
		var last record.Block
		for b, err := range f.Blocks(f.Range()) {
			if err != nil {
				t.Fatal(err)
			}
			last = b
		}
		end := int(last.Offset) + 53 + last.Stored
		add("closed", a, false, whole)
		add("without tables", a, false, whole[:end])
		add("joined", slices.Concat(a, b, a), false, slices.Concat(whole, file(b), whole[:end]))
		add("empty", nil, false, file(nil))
		crashed := filepath.Join(dir, "crashed")
		if err := os.WriteFile(crashed, whole[:end-10], 0o666); err != nil {
			t.Fatal(err)
		}
		add("torn", a[:last.Ordinal], true, whole[:end-10])
		write(t, crashed, o, b)
		appended, err := os.ReadFile(crashed)
		if err != nil {
			t.Fatal(err)
		}
		os.Remove(crashed)
		add("appended after a crash", slices.Concat(a[:last.Ordinal], b), false, appended)
	}
	return list
}
