package record

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// TestReadWhileContinued stops a loop over a file with a torn end after each record, lets a Writer cut off the torn end and
// write, and goes on. Reading has the whole records, and no error.
func TestReadWhileContinued(t *testing.T) {
	t.Parallel() // waits for the disk
	const whole = 12
	stops := []int{0, 1, 4, 7, 11, whole}
	if few() {
		stops = []int{1, 7}
	}
	records := numbered(whole, 0)
	for name, file := range tornFiles(t, records) {
		for how, more := range writes {
			for i, stop := range stops {
				for _, known := range []bool{false, true} {
					if few() && known != (i == 0) {
						continue // one way to read for each place
					}
					name := fmt.Sprintf("%s, %s after %d records, known %v", name, how, stop, known)
					readWhileContinued(t, name, file, records, stop, known, more)
				}
				if !few() || i > 0 {
					scanWhileContinued(t, fmt.Sprintf("%s, %s after %d records, Scanner", name, how, stop), file, records, stop, more)
				}
			}
		}
	}
}

// tornFiles returns files with these records and a torn end.
func tornFiles(t *testing.T, records []msgpack.Raw) map[string][]byte {
	files := map[string][]byte{}
	for _, tables := range []bool{false, true} {
		file := writeTo(t, Options{}, 4, records)
		if !tables {
			file = withoutTables(t, file)
		}
		// What a Writer adds is a sync mark and a block.
		add := func(r msgpack.Raw) []byte {
			return appended(t, file, func(w *Writer) error { return errors.Join(w.WriteRaw(r), w.Flush()) })
		}
		small, large := add(wire.AppendInt(nil, 1)), add(wire.AppendBin(nil, bytes.Repeat([]byte("x"), 90_000)))
		for name, torn := range map[string][]byte{
			"3 zeros": make([]byte, 3), "5,000 zeros": make([]byte, 5000), "100,000 zeros": make([]byte, 100_000),
			"part of a mark": small[:20], "a mark": small[:markSize], "part of a header": small[:markSize+20],
			"a header": small[:markSize+blockHeaderSize], "part of a small block": small[:len(small)-1],
			"a header without a mark": small[markSize:][:blockHeaderSize], "a block without a mark": small[markSize : len(small)-1],
			"part of a large block": large[:70_000], "most of a large block": large[:len(large)-1], "beginning of a large block": large[:700],
		} {
			files[fmt.Sprintf("tables %v, %s", tables, name)] = slices.Concat(file, torn)
		}
	}
	return files
}

// writes are what a Writer that continues a file does.
var writes = map[string]func(w *Writer) error{
	"nothing":      func(w *Writer) error { return nil },
	"Close":        (*Writer).Close,
	"one record":   func(w *Writer) error { return errors.Join(w.Write(1), w.Flush()) },
	"many records": func(w *Writer) error { return errors.Join(WriteSlice(w, make([]int, 4000)), w.Flush()) },
	"large blocks": func(w *Writer) error {
		return errors.Join(w.Write(make([]byte, 80_000)), w.Flush(), w.Write(make([]byte, 60_000)), w.Flush())
	},
	"small blocks": func(w *Writer) error {
		for range 40 {
			if err := errors.Join(w.Write(bytes.Repeat([]byte("y"), 2000)), w.Flush()); err != nil {
				return err
			}
		}
		return errors.Join(w.Write(bytes.Repeat([]byte("y"), 30_000)), w.Flush())
	},
	"tables behind": func(w *Writer) error { return errors.Join(WriteSlice(w, make([]int, 100)), w.Close()) },
}

// appended returns what a Writer adds to a file without closing it.
func appended(t *testing.T, file []byte, write func(*Writer) error) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.rec")
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := Append(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := write(w); err != nil {
		t.Fatal(err)
	}
	all, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return all[len(file):]
}

func readWhileContinued(t *testing.T, name string, file []byte, want []msgpack.Raw, stop int, known bool, more func(*Writer) error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.rec")
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n := int64(len(want)); known && f.Len() != n {
		t.Fatalf("%s: Len %d", name, f.Len())
	}
	var ranges []iter.Seq2[msgpack.Raw, error]
	if known {
		for _, r := range f.Split(2) {
			ranges = append(ranges, In[msgpack.Raw](f, r))
		}
	} else {
		ranges = append(ranges, All[msgpack.Raw](f))
	}
	var w *Writer
	var got []msgpack.Raw
	next := func() {
		if len(got) == stop && w == nil {
			if w, err = Append(path, nil); err != nil {
				t.Skipf("an open file cannot be truncated on this system: %v", err)
			}
			if err := more(w); err != nil {
				t.Fatal(err)
			}
		}
	}
	next()
	for _, seq := range ranges {
		for r, err := range seq {
			if err != nil {
				t.Errorf("%s: after %d records: %v", name, len(got), err)
				break
			}
			got = append(got, r)
			next()
		}
	}
	if w == nil {
		t.Fatalf("%s: %d records", name, len(got))
	}
	defer w.Close()
	if len(got) < len(want) || !same(got[:len(want)], want) {
		t.Errorf("%s: %d records", name, len(got))
	}
	if n := f.Len(); n < int64(len(want)) {
		t.Errorf("%s: Len %d", name, n)
	}
	if r, err := f.Report(); err != nil || r.Damaged > 0 || r.Records < int64(len(want)) {
		t.Errorf("%s: %v, %v", name, r, err)
	}
	for _, ordinal := range []int64{0, int64(len(want)) - 1} {
		if _, err := At[msgpack.Raw](f, ordinal); err != nil {
			t.Errorf("%s: At %d: %v", name, ordinal, err)
		}
	}
	if _, err := collect(f.Blocks(f.Range())); err != nil {
		t.Errorf("%s: Blocks: %v", name, err)
	}
	if err := f.Refresh(); err != nil || f.Len() != w.Len() {
		t.Errorf("%s: %d records after Refresh of %d, %v", name, f.Len(), w.Len(), err)
	}
}

func scanWhileContinued(t *testing.T, name string, file []byte, want []msgpack.Raw, stop int, more func(*Writer) error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.rec")
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := NewScanner(f, nil)
	var got []msgpack.Raw
	for s.Scan() {
		if got = append(got, slices.Clone(s.Raw())); len(got) != max(stop, 1) {
			continue
		}
		w, err := Append(path, nil)
		if err != nil {
			t.Skipf("an open file cannot be truncated on this system: %v", err)
		}
		defer w.Close()
		if err := more(w); err != nil {
			t.Fatal(err)
		}
	}
	if s.Err() != nil || len(got) < len(want) || !same(got[:len(want)], want) {
		t.Errorf("%s: %d records, %v", name, len(got), s.Err())
	}
}
