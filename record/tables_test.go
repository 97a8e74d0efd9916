package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/disk/sim"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// TestTablesOfManyAppends appends one record at a time. The tables, of which each Writer leaves the old ones in the file,
// must not take more bytes than the blocks, apart from those of a short file. A Writer that adds nothing adds them if
// the file does not end with them, and the next one leaves the file as it is.
func TestTablesOfManyAppends(t *testing.T) {
	t.Parallel()
	whole := writeTo(t, Options{}, 1, numbered(3, 0))
	for name, image := range map[string][]byte{
		"new":    nil,
		"closed": whole,
		"torn":   append(withoutTables(t, whole), "torn"...),
		"joined": append(bytes.Clone(whole), whole...),
	} {
		d := &sim.Disk{}
		d.WriteFile(simulatedPath, image)
		again := func(records int) []byte {
			w, err := appendTo(d, simulatedPath, nil)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, r := range numbered(records, 0) {
				err = errors.Join(err, w.WriteRaw(r))
			}
			if err = errors.Join(err, w.Close()); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return d.ReadFile(simulatedPath)
		}
		added, blocks, indexed := 300, 0, 0
		if few() {
			added = 150
		}
		for range added {
			before := len(d.ReadFile(simulatedPath))
			file := again(1)
			f := open(t, file)
			for b, err := range f.Blocks(Range{int64(before), int64(len(file)), 0}) {
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				blocks += int(b.end() - b.Offset)
			}
			if r, err := f.Report(); err != nil || r.Torn > 0 || r.Damaged > 0 {
				t.Fatalf("%s: %+v, %v", name, r, err)
			} else if r.Indexed {
				indexed++
			}
			f.Close()
		}
		file := d.ReadFile(simulatedPath)
		const marks = 2 * markSize
		if most := len(image) + 2*(blocks+marks*added) + 64*smallTables; len(file) > most {
			t.Errorf("%s: %d bytes for blocks of %d", name, len(file), blocks)
		}
		if f := open(t, file); indexed < 10 && name != "joined" {
			t.Errorf("%s: %d of %d Writers wrote an index of %d records", name, indexed, added, f.Len())
		}
		again(1)
		file = again(0)
		if r, err := open(t, file).Report(); err != nil || r.Indexed != (name != "joined") {
			t.Errorf("%s: %+v, %v after Close without a record", name, r, err)
		}
		if !bytes.Equal(again(0), file) {
			t.Errorf("%s: a Writer without records has changed a file with all tables", name)
		}
	}
}

// TestTablesOfLongFile appends little to a file whose tables take little of it. It keeps its index.
func TestTablesOfLongFile(t *testing.T) {
	t.Parallel()
	long := make([]msgpack.Raw, 400)
	for i := range long {
		long[i] = wire.AppendString(nil, strings.Repeat("x", 4000))
	}
	d := &sim.Disk{}
	d.WriteFile(simulatedPath, writeTo(t, Options{}, 1, long))
	for i := range 5 {
		w, err := appendTo(d, simulatedPath, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.WriteRaw(msgpack.Raw{1}), w.Close()); err != nil {
			t.Fatal(err)
		}
		if r, err := open(t, d.ReadFile(simulatedPath)).Report(); err != nil || !r.Indexed || r.Records != int64(401+i) {
			t.Errorf("after %d records: %+v, %v", i+1, r, err)
		}
	}
}

// TestSeekTableOfJoinedFile opens files that were joined and adds nothing. They get a seek table of all their blocks if they
// end with that of the last part, whose sizes would lead a reader of the zstd seekable format to the first part.
func TestSeekTableOfJoinedFile(t *testing.T) {
	t.Parallel()
	whole, empty := writeTo(t, Options{}, 1, numbered(3, 0)), writeTo(t, Options{}, 1, nil)
	index, _, ok, err := findIndex(&fileSource{r: bytes.NewReader(whole), size: int64(len(whole))}, int64(len(whole)))
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	length := int64(binary.LittleEndian.Uint32(whole[index+4:])) + skippableHeader
	twice := append(bytes.Clone(whole), whole...)
	for name, image := range map[string][]byte{
		"two":                twice,
		"three":              append(bytes.Clone(twice), whole...),
		"none in the first":  append(bytes.Clone(empty), whole...),
		"none in the second": append(bytes.Clone(whole), empty...),
		"torn":               append(bytes.Clone(twice), "torn"...),
		"index alone":        whole[:index+length],
	} {
		d := &sim.Disk{}
		d.WriteFile(simulatedPath, image)
		var files [2][]byte
		for i := range files {
			w, err := appendTo(d, simulatedPath, nil)
			if err = errors.Join(err, w.Close()); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			files[i] = d.ReadFile(simulatedPath)
		}
		file := files[0]
		if !bytes.Equal(files[1], file) {
			t.Errorf("%s: a Writer without records has changed a file with all tables", name)
		}
		size := int64(len(file))
		start, err := seekTableAt(&fileSource{r: bytes.NewReader(file), size: size}, size)
		if start == size || err != nil {
			t.Errorf("%s: no seek table: %v", name, err)
			continue
		}
		covered := int64(0)
		for b := file[start+skippableHeader : size-seekFooter]; len(b) > 0; b = b[seekEntry:] {
			covered += int64(binary.LittleEndian.Uint32(b))
		}
		if covered != start {
			t.Errorf("%s: the seek table at offset %d covers %d bytes", name, start, covered)
		}
	}
}
