package record

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// TestRecoverInserted recovers a file that has lost its beginning, up to a record file that is in its first record, and that
// has bytes too many or too few later. The offsets in its index are then wrong, but those of its first blocks, compared with
// where these are, still show that the file began before the one in the record.
func TestRecoverInserted(t *testing.T) {
	inner := writeTo(t, Options{}, 3, numbered(20, 5000))
	records := []msgpack.Raw{wire.AppendBin(nil, inner)}
	for i := range 60 {
		records = append(records, wire.AppendString(nil, fmt.Sprint("of the file ", i)))
	}
	whole := writeTo(t, Options{}, 2, records)
	f := open(t, whole)
	blocks, err := collect(f.Blocks(f.Range()))
	if err != nil {
		t.Fatal(err)
	}
	lost := int(blocks[0].Offset) + blockHeaderSize + headroom // and a part of the header of the inner file
	for _, more := range []int{-200, -1, 0, 1, 300, 3000, 30_000, 300_000} {
		for _, k := range []int{3, 15, len(blocks) - 1} {
			at := int(blocks[k].Offset) + blockHeaderSize + 5
			end := at
			if more < 0 {
				end -= more
			}
			file := slices.Concat(whole[lost:at], bytes.Repeat([]byte{0xc1}, max(more, 0)), whole[end:])
			var to bytes.Buffer
			o, err := checked(nil)
			if err != nil {
				t.Fatal(err)
			}
			report, err := recoverTo(bytes.NewReader(file), int64(len(file)), &to, &o)
			if err != nil {
				t.Fatal(err)
			}
			got, err := collect(All[msgpack.Raw](open(t, to.Bytes())))
			if err != nil {
				t.Fatal(err)
			}
			want := 0
			for i, b := range blocks[1:] {
				if b.Offset >= int64(end) || b.end() <= int64(at) && i+1 != k {
					want += b.Records
				}
			}
			ours := 0
			for _, raw := range got {
				if slices.ContainsFunc(records[1:], func(r msgpack.Raw) bool { return bytes.Equal(r, raw) }) {
					ours++
				}
			}
			if ours != len(got) || len(got) < want {
				t.Errorf("%d bytes in block %d: %d of %d records are of the file, want %d, %v", more, k, ours, len(got), want, report)
			}
		}
	}
}

// TestRecoverPassesFrames lets skippable frames follow the last block that have the header of a block of another file, which
// readers ignore. Recover says that the same bytes are torn as a File does.
func TestRecoverPassesFrames(t *testing.T) {
	other := writeTo(t, Options{}, 1, numbered(3, 50))
	blocks, err := collect(open(t, other).Blocks(Range{End: int64(len(other))}))
	if err != nil {
		t.Fatal(err)
	}
	frame := binary.LittleEndian.AppendUint32(nil, magicSkippable)
	frame = binary.LittleEndian.AppendUint32(frame, 2*blockHeaderSize)
	frame = append(append(frame, other[blocks[1].Offset:][:blockHeaderSize]...), make([]byte, blockHeaderSize)...)
	file := withoutTables(t, writeTo(t, Options{}, 2, numbered(10, 0)))
	for name, c := range map[string]struct {
		tail []byte
		torn int64
	}{
		"the end": {nil, 0}, "zeros": {make([]byte, 100), 100}, "text": {[]byte("a text"), 6}, "another frame": {emptyFrame, 0},
	} {
		data := slices.Concat(file, frame, c.tail)
		want, err := open(t, data).Report()
		if err != nil || want.Torn != c.torn {
			t.Fatalf("%s: %+v, %v", name, want, err)
		}
		if got, err := recoverFrom(bytes.NewReader(data), int64(len(data))); err != nil || got.Torn != c.torn || got.Records != 10 || got.Damaged > 0 {
			t.Errorf("%s: Recover has %+v, %v", name, got, err)
		}
	}
}
