package record

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// TestSplit divides files of every kind into any number of ranges. Every record
// must be returned once.
func TestSplit(t *testing.T) {
	t.Parallel()
	o := Options{BlockSize: minBlock}
	a, b := numbered(700, 0), numbered(300, 1000)
	fileA, fileB := writeTo(t, o, 0, a), writeTo(t, o, 0, b)
	empty := writeTo(t, o, 0, nil)
	var m marker
	for i := range m {
		m[i] = byte(i*7) | 0x82
	}
	hostile := copies(t, m)
	fileH := markedFile(t, m, o, raws(hostile)...)
	other := newMarker()
	fileO := markedFile(t, other, o, raws(copies(t, m))...) // has blocks of the marker m

	join := func(files ...[]byte) []byte { return slices.Concat(files...) }
	records := func(lists ...[]msgpack.Raw) []msgpack.Raw { return slices.Concat(lists...) }
	for _, c := range []struct {
		name string
		file []byte
		want []msgpack.Raw
	}{
		{"empty", empty, nil},
		{"no bytes", nil, nil},
		{"one record", writeTo(t, o, 0, a[:1]), a[:1]},
		{"with tables", fileA, a},
		{"without tables", withoutTables(t, fileA), a},
		{"torn", fileA[:len(withoutTables(t, fileA))-100], a[:len(a)-lastBlock(t, fileA)]},
		{"joined", join(fileA, fileB), records(a, b)},
		{"joined without tables", join(withoutTables(t, fileA), withoutTables(t, fileB)), records(a, b)},
		{"joined with empty ones", join(empty, fileA, empty, empty, fileB, empty), records(a, b)},
		{"joined, torn", join(fileA, withoutTables(t, fileB)[:len(withoutTables(t, fileB))-1]), records(a, b[:len(b)-lastBlock(t, fileB)])},
		{"joined with itself", join(fileA, fileA), records(a, a)},
		{"copies of its blocks", fileH, hostile},
		{"copies of its blocks without tables", withoutTables(t, fileH), hostile},
		{"joined with copies of blocks", join(fileH, fileO, fileH), records(hostile, copies(t, m), hostile)},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkFile(t, c.file, c.want)
			f := open(t, c.file)
			step := 3
			if few() {
				step = 8
			}
			for n := 1; n < 60; n += step {
				checkRanges(t, f, f.Split(n), c.want, fmt.Sprintf("Split(%d)", n))
			}
			// Any division of these ranges, by a File that has not seen the blocks.
			for _, length := range []int64{10_000, 1234, 99} {
				var ranges []Range
				for _, r := range f.Split(3) {
					for at := r.Start; at < r.End; at += length {
						ranges = append(ranges, Range{at, min(at+length, r.End), r.Header})
					}
				}
				if length == 99 && (few() || len(c.file) > 200_000) {
					continue
				}
				checkRanges(t, open(t, c.file), ranges, c.want, fmt.Sprintf("every %d bytes", length))
			}
		})
	}
}

// TestInBlock passes blocks that Blocks has not returned, and mixes InBlock with
// At in a joined file, where ordinals of blocks can be those of a part.
func TestInBlock(t *testing.T) {
	o := Options{BlockSize: minBlock}
	a, b := numbered(100, 0), numbered(100, 1000)
	file := slices.Concat(writeTo(t, o, 0, a), writeTo(t, o, 0, b))
	f := open(t, file)
	ranges := open(t, file).Split(1)
	if len(ranges) != 2 {
		t.Fatalf("%d ranges of two joined files", len(ranges))
	}
	for first, err := range f.Blocks(ranges[1]) {
		if err != nil || first.Ordinal != 0 {
			t.Fatalf("block %+v, %v, want the ordinal in its part", first, err)
		}
		if got, err := collect(InBlock[msgpack.Raw](f, first)); err != nil || !same(got[:1], b[:1]) {
			t.Errorf("%d records, %v", len(got), err)
		}
		if got, err := At[msgpack.Raw](f, 0); err != nil || !bytes.Equal(got, a[0]) {
			t.Errorf("record 0 after InBlock is %x, %v, want %x", got, err, a[0])
		}
		for name, change := range map[string]func(*Block){
			"zero":             func(b *Block) { *b = Block{} },
			"before the file":  func(b *Block) { b.Offset = -1 },
			"after the file":   func(b *Block) { b.Offset = int64(len(file)) },
			"another offset":   func(b *Block) { b.Offset-- },
			"no records":       func(b *Block) { b.Records = 0 },
			"too many records": func(b *Block) { b.Records = b.Raw + 1 },
			"one more record":  func(b *Block) { b.Records++ },
			"one record less":  func(b *Block) { b.Records-- },
			"negative length":  func(b *Block) { b.Raw = -1 },
			"other length":     func(b *Block) { b.Raw-- },
			"too large":        func(b *Block) { b.Raw = 1 << 30 },
			"no frame":         func(b *Block) { b.Stored = 0 },
			"short frame":      func(b *Block) { b.Stored-- },
			"frame too large":  func(b *Block) { b.Stored = 1 << 30 },
		} {
			changed := first
			change(&changed)
			if _, err := collect(InBlock[msgpack.Raw](f, changed)); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
		break
	}
}

// lastBlock returns the number of records in the last block.
func lastBlock(t *testing.T, file []byte) (records int) {
	f := open(t, file)
	for b, err := range f.Blocks(f.Range()) {
		if err != nil {
			t.Fatal(err)
		}
		records = b.Records
	}
	return records
}

// TestMarkers requires that a search for a marker or name in a file with hostile
// records finds the headers and nothing else.
func TestMarkers(t *testing.T) {
	m := newMarker()
	o := Options{BlockSize: minBlock}
	file := markedFile(t, m, o, raws(copies(t, m))...)
	var want []int
	f := open(t, file)
	for b, err := range f.Blocks(f.Range()) {
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, int(b.Offset)+blockMarkerAt)
	}
	var got []int
	for at := 0; ; at++ {
		i := bytes.Index(file[at:], m[:])
		if i < 0 {
			break
		}
		at += i
		got = append(got, at)
	}
	if want = append([]int{fileMarkerAt}, want...); !slices.Equal(got, want) {
		t.Errorf("the marker is at %d, want %d", got, want)
	}
	if n := bytes.Count(file, []byte(name)); n != 1 {
		t.Errorf("the name occurs %d times", n)
	}
}

// TestSplitOfDamaged damages each byte of a header. One of the ranges of the file must
// report it, even if each range is read by a File that has not read the others.
func TestSplitOfDamaged(t *testing.T) {
	records := numbered(40, 0)
	file := writeTo(t, Options{}, 10, records)
	f := open(t, file)
	blocks, err := collect(f.Blocks(f.Range()))
	if err != nil || len(blocks) != 4 {
		t.Fatal(len(blocks), err)
	}
	second := blocks[2].Offset
	for i := range int64(blockHeaderSize) {
		damaged := bytes.Clone(file)
		damaged[second+i] ^= 0x10
		for _, ranges := range [][]Range{
			{{0, second, 0}, {second, int64(len(file)), 0}},
			{{0, second + 5, 0}, {second + 5, int64(len(file)), 0}},
			{{0, second - 5, 0}, {second - 5, int64(len(file)), 0}},
			open(t, damaged).Split(4),
		} {
			var failed bool
			for _, r := range ranges {
				if _, err := collect(In[msgpack.Raw](open(t, damaged), r)); err != nil {
					failed = true
				}
			}
			if !failed {
				t.Fatalf("byte %d of a header is changed: no range of %v reports it", i, ranges)
			}
		}
	}
}

// TestRangeToAnyOffset divides a file at offsets in it and beyond its end. Each record is in one of the ranges.
func TestRangeToAnyOffset(t *testing.T) {
	records := numbered(60, 0)
	file := writeTo(t, Options{}, 7, records)
	f := open(t, file)
	size := int64(len(file))
	for _, at := range []int64{0, 1, 100, size / 2, size - 1, size, size + 1, 3 * size, math.MaxInt64 - 30, math.MaxInt64} {
		var all []msgpack.Raw
		for _, r := range []Range{{Start: 0, End: at}, {Start: at, End: math.MaxInt64}} {
			list, err := collect(In[msgpack.Raw](f, r))
			if err != nil {
				t.Errorf("%+v: %v", r, err)
			}
			all = append(all, list...)
		}
		if !same(all, records) {
			t.Errorf("divided at %d of %d: %d records, want %d", at, size, len(all), len(records))
		}
	}
}

// TestSplitOfFewBlocks requires as many ranges as there are blocks, whatever their sizes are, and a block in each.
func TestSplitOfFewBlocks(t *testing.T) {
	for _, sizes := range [][]int{{300, 200}, {200, 300}, {10, 20, 100_000}, {100_000, 10, 20}, {1, 70_000, 1, 1, 1}} {
		var records []msgpack.Raw
		for _, n := range sizes {
			records = append(records, wire.AppendBin(nil, make([]byte, n)))
		}
		file := writeTo(t, Options{}, 1, records)
		joined := slices.Concat(file, file)
		for n := 1; n <= len(sizes)+1; n++ {
			ranges := open(t, file).Split(n)
			if len(ranges) != min(n, len(sizes)) {
				t.Errorf("blocks of %v bytes: %d ranges, want %d", sizes, len(ranges), n)
			}
			for _, ranges := range [][]Range{ranges, open(t, joined).Split(n)} {
				for _, r := range ranges {
					if got, err := collect(In[msgpack.Raw](open(t, joined), r)); err != nil || len(got) == 0 {
						t.Errorf("blocks of %v bytes: range %+v of %+v has %d records, %v", sizes, r, ranges, len(got), err)
					}
				}
			}
		}
	}
}

// TestTornBlocks reads the blocks of a torn end one by one, and as ranges, before the File knows its blocks and after
// that. InBlock gives the same error for the block that was taken, and ranges end at the tear as soon as it is known.
func TestTornBlocks(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	w, err := NewWriter(&b, nil)
	if err != nil {
		t.Fatal(err)
	}
	const blocks, tear = 8, 3
	for i := range blocks {
		r := wire.AppendBin(nil, bytes.Repeat([]byte{byte(i) | 1}, 4*sectorSize))
		if err := errors.Join(w.WriteRaw(r), w.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	file := b.Bytes()
	list, err := collect(open(t, file).Blocks(Range{End: int64(len(file))}))
	if err != nil || len(list) != blocks {
		t.Fatal(len(list), err)
	}
	clear(file[list[tear].Offset/sectorSize*sectorSize+2*sectorSize:][:sectorSize])
	for _, known := range []bool{false, true} {
		f := open(t, file)
		if known && f.Len() != tear {
			t.Fatal(f.Len())
		}
		for i, b := range slices.Backward(list) { // the File learns of the tear by the block that is taken
			before := known || i < tear
			want, wantErr := 1, error(nil)
			if i == tear || i > tear && before {
				want, wantErr = 0, ErrTruncated
			}
			if got, err := collect(InBlock[msgpack.Raw](f, b)); len(got) != want || !errors.Is(err, wantErr) || errors.Is(err, ErrCorrupt) {
				t.Errorf("known %t: InBlock %d: %d records, %v, want %d, %v", known, i, len(got), err, want, wantErr)
			}
			if i == tear {
				continue
			}
			want = 1
			if i > tear && before {
				want = 0
			}
			if got, err := collect(In[msgpack.Raw](f, b.Range())); len(got) != want || err != nil {
				t.Errorf("known %t: range of block %d: %d records, %v, want %d", known, i, len(got), err, want)
			}
			found, err := collect(f.Blocks(b.Range()))
			if len(found) != want || err != nil {
				t.Errorf("known %t: Blocks of the range of block %d: %d, %v, want %d", known, i, len(found), err, want)
			}
		}
		if got, err := collect(All[msgpack.Raw](f)); len(got) != tear || err != nil {
			t.Errorf("known %t: All: %d records, %v", known, len(got), err)
		}
		for i, b := range list {
			want := 0
			if i < tear {
				want = 1
			}
			if got, err := collect(In[msgpack.Raw](f, b.Range())); len(got) != want || err != nil {
				t.Errorf("after all: range of block %d: %d records, %v, want %d", i, len(got), err, want)
			}
		}
	}
}
