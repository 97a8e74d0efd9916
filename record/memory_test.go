package record

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// allocated returns how many bytes f allocates.
func allocated(f func()) int64 { return int64(heaptest.Allocated(f)) }

// fixed is what reading allocates for any file: buffers and the Decoder.
const fixed = 512 << 10

// TestMemory reads files with large blocks, and small files that claim to have them. In
// total, less than twice the size of the largest block is allocated.
func TestMemory(t *testing.T) {
	const limit = 4 << 20
	o := Options{MaxBlock: limit}
	large := wire.AppendBinHeader(nil, limit-5)
	large = append(large, make([]byte, limit-5)...)
	var records []msgpack.Raw
	for range 10 {
		records = append(records, large)
	}
	file := writeTo(t, o, 0, records)
	divided := writeTo(t, o, 0, []msgpack.Raw{wire.AppendString(nil, string(bytes.Repeat([]byte(name), limit/len(name)-1)))})

	claims := func(stored, raw, count uint32, content []byte) []byte {
		f := open(t, withoutTables(t, file)[:200])
		b := bytes.Clone(file[:f.header.size])
		h := blockHeader{stored: stored, raw: raw, records: count, crc: checksum(content)}
		header := make([]byte, blockHeaderSize)
		h.put(header, &f.header.marker)
		return slices.Concat(b, header, content)
	}
	tiny := func(descriptor byte, zstdBlock ...byte) []byte {
		b := binary.LittleEndian.AppendUint32(nil, magicFrame)
		b = append(b, descriptor)
		b = binary.LittleEndian.AppendUint32(b, limit)
		return append(append(b, zstdBlock...), 0, 0, 0, 0)
	}
	rle := tiny(descriptor, 3, 0, 0x10, 0)
	raw := tiny(descriptor, 1, 0, 0x10)
	for name, c := range map[string]struct {
		file []byte
		want int64
	}{
		"large blocks":              {file, 2*limit + fixed},
		"divided markers":           {divided, 2*limit + fixed},
		"claim of a stored length":  {claims(limit, limit, 1, make([]byte, 100)), fixed},
		"claim of a raw length":     {claims(uint32(len(raw)), limit, 1, raw), fixed},
		"claim of an RLE block":     {claims(uint32(len(rle)), limit, 1, rle), fixed},
		"claim of many records":     {claims(uint32(len(raw)), limit, limit, raw), fixed},
		"claim beyond the limit":    {claims(limit+minBlock, 1<<27, 1, make([]byte, limit+minBlock)), fixed},
		"claim of a large header":   {append(bytes.Clone(file[:4]), 0xf7, 0xff, 0xff, 0xff, 1, 'o', 'c', 't', 'e', 't', '-', 'r', 'e', 'c'), fixed},
		"large header that is torn": {append(file[:4:4], 0, 0, 1, 0, 1, 'o', 'c', 't', 'e', 't', '-', 'r', 'e', 'c', 1, 0), fixed},
	} {
		t.Run(name, func(t *testing.T) {
			got := allocated(func() {
				f, err := NewFile(bytes.NewReader(c.file), int64(len(c.file)), &Options{MaxBlock: limit, Decompressor: noDecompressor{}})
				if err != nil {
					return
				}
				f.Report()
				for range f.Blocks(f.Range()) {
				}
				n := 0
				for _, err := range In[skipped](f, f.Range()) {
					if err != nil {
						break
					}
					n++
				}
			})
			if got > c.want {
				t.Errorf("a File allocates %d bytes, want at most %d", got, c.want)
			}
			got = allocated(func() {
				s := NewScanner(io.MultiReader(bytes.NewReader(c.file)), &Options{MaxBlock: limit, Decompressor: noDecompressor{}})
				for s.Scan() {
				}
			})
			// The buffer of a stream doubles, so all its sizes together are twice as much.
			if want := 2*c.want + 2*fixed; got > want {
				t.Errorf("a Scanner allocates %d bytes, want at most %d", got, want)
			}
		})
	}
}

// skipped is decoded without memory.
type skipped struct{}

func (*skipped) UnmarshalMsgpack([]byte) error { return nil }

type noDecompressor struct{}

func (noDecompressor) Decompress(dst, frame []byte) ([]byte, error) { return dst, nil }

// TestMemoryOfManyBlocks opens a file that has more blocks than a File remembers.
func TestMemoryOfManyBlocks(t *testing.T) {
	if few() {
		t.Skip("writes 200,000 blocks")
	}
	const n = 200_000
	path := filepath.Join(t.TempDir(), "a.rec")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var buf bytes.Buffer
	o, _ := checked(nil)
	h, err := newFileHeader(&o)
	if err != nil {
		t.Fatal(err)
	}
	w := newBlockWriter(&buf, &o, h)
	w.write(h.bytes())
	b := make([]byte, headroom, 1024)
	for i := range int64(n) {
		record := wire.AppendInt(b[:headroom], i)
		if _, err := w.block(&job{buf: record, records: 1, ordinal: i}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.tables(n); err != nil {
		t.Fatal(err)
	}
	for _, file := range [][]byte{buf.Bytes(), withoutTables(t, buf.Bytes())} {
		f := open(t, file)
		if got := allocated(func() { f.Len() }); got > 12<<20 {
			t.Errorf("opening allocates %d bytes", got)
		}
		if f.Len() != n || len(f.known.places.list) > maxPlaces || f.known.places.every < 2 {
			t.Errorf("%d records, %d places", f.Len(), len(f.known.places.list))
		}
		for i := int64(0); i < n; i += 777 {
			if v, err := At[int64](f, i); err != nil || v != i {
				t.Fatalf("At(%d): %d, %v", i, v, err)
			}
		}
		next := int64(0)
		for _, r := range f.Split(1000) {
			for v, err := range In[int64](f, r) {
				if err != nil || v != next {
					t.Fatal(v, next, err)
				}
				next++
			}
		}
		if next != n {
			t.Errorf("%d records", next)
		}
	}
}

// TestMemoryOfWriter writes many records. The allocated memory depends on the size of a
// block, not on the number of records.
func TestMemoryOfWriter(t *testing.T) {
	const records, size = 3125, 16_000 // 50 MB in 191 blocks
	w, err := NewWriter(io.Discard, nil)
	if err != nil {
		t.Fatal(err)
	}
	record := make([]byte, size)
	got := allocated(func() {
		for range records {
			if err := w.Write(record); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	})
	// Six blocks are in memory. The first grows to its size, in steps of a quarter or more,
	// which allocates less than 5 blocks in all; the others have their size at once. The
	// builds with checkptr=2 and the race detector move what is on the stack otherwise to the
	// heap, 64 bytes a call.
	limit := int64(11*w.o.BlockSize + 64*records)
	if got > limit {
		t.Errorf("writing %d records of %d bytes allocates %d bytes, more than %d", records, size, got, limit)
	}
}
