package record

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// TestMarkOffsets reads files whose sync mark has any offset that the format allows, also inside a frame: a Writer in
// another language can sync what it has written of a block. All calls find the same blocks, and the same torn end.
func TestMarkOffsets(t *testing.T) {
	records := append(numbered(10, 0), wire.AppendString(nil, strings.Repeat("x", 900)), wire.AppendNil(nil))
	whole := withoutTables(t, writeTo(t, Options{}, 2, records))
	f := open(t, whole)
	blocks, err := collect(f.Blocks(f.Range()))
	if err != nil || len(blocks) != 6 {
		t.Fatal(len(blocks), err)
	}
	after := func(file []byte, block int, offset int64) []byte {
		at := int(blocks[block].end())
		at += len(file) - len(whole)
		return slices.Insert(slices.Clone(file), at, appendMark(nil, &f.header.marker, offset)...)
	}
	for _, earlier := range []bool{false, true} {
		for offset := range blocks[4].end() + markSize {
			file := whole
			if earlier {
				file = after(file, 1, blocks[1].end())
			}
			file = after(file, 4, offset)
			name := fmt.Sprintf("offset %d, another mark %v", offset, earlier)
			checkMarked(t, name, file, records, 0)
			torn := int(blocks[5].end() - blocks[5].Offset)
			last := len(file) - torn
			clear(file[(last+blockHeaderSize+sectorSize-1)/sectorSize*sectorSize:])
			checkMarked(t, name+", torn", file, records[:10], torn)
		}
	}
}

// checkMarked checks that all calls find these records, and so many bytes torn.
func checkMarked(t *testing.T, name string, file []byte, want []msgpack.Raw, torn int) {
	t.Helper()
	list, err := collect(All[msgpack.Raw](open(t, file)))
	if err != nil || !same(list, want) {
		t.Errorf("%s: All has %d records, %v", name, len(list), err)
	}
	f := open(t, file)
	if n := f.Len(); n != int64(len(want)) {
		t.Errorf("%s: Len %d", name, n)
	}
	if r, err := f.Report(); err != nil || r.Damaged > 0 || r.Torn != int64(torn) {
		t.Errorf("%s: %v %v", name, r, err)
	}
	list, s := scanAll(file)
	if r := s.Report(); s.Err() != nil || !same(list, want) || r.Torn != int64(torn) {
		t.Errorf("%s: a Scanner has %d records, %v, %v", name, len(list), r, s.Err())
	}
}
