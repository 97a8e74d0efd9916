package record

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestLargeFile reads and extends a file whose offsets and ordinals are beyond 4 GiB.
// Each record is the byte 0, which is the number 0, so that almost all of the file is a hole.
func TestLargeFile(t *testing.T) {
	t.Parallel()
	if few() || os.Getenv("OCTET_LONG") == "" || runtime.GOOS != "linux" {
		t.Skip("needs sparse files and reads 4 GiB; set OCTET_LONG=1 to run it")
	}
	const blocks, records = 65, defaultMax
	path := filepath.Join(t.TempDir(), "a.rec")
	w, err := Create(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()

	// The blocks differ only in their ordinals.
	f, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	head := make([]byte, headroom, 1<<10)
	frame, _ := storeFrame(append(head, make([]byte, records)...), newFinder(f.header.marker), nil)
	frame = frame[blockHeaderSize:]
	f.Close()
	pos := int64(f.header.size)
	if err := file.Truncate(pos); err != nil { // cuts off the tables
		t.Fatal(err)
	}
	for i := range int64(blocks) {
		h := blockHeader{stored: uint32(len(frame)), raw: records, records: records, ordinal: i * records, crc: checksum(frame)}
		b := make([]byte, blockHeaderSize)
		h.put(b, &f.header.marker)
		write(t, file, b, pos)
		pos += blockHeaderSize
		write(t, file, frame[:frameHeaderSize], pos)
		for at := frameHeaderSize; at < len(frame)-frameSumSize; at += rawHeaderSize + maxRaw {
			write(t, file, frame[at:at+rawHeaderSize], pos+int64(at))
		}
		write(t, file, frame[len(frame)-frameSumSize:], pos+int64(len(frame)-frameSumSize))
		pos += int64(len(frame))
	}

	w, err = Append(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write("end"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	pos += markSize // Append begins with one
	const total = int64(blocks)*records + 1
	for _, indexed := range []bool{true, false} {
		if !indexed {
			if err := file.Truncate(pos + blockHeaderSize + frameHeaderSize + rawHeaderSize + 4 + frameSumSize); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := f.Report(); err != nil || f.Len() != total || r.Indexed != indexed || r.Torn > 0 {
			t.Fatalf("%d records, want %d, %+v, %v", f.Len(), total, r, err)
		}
		if v, err := At[string](f, total-1); err != nil || v != "end" {
			t.Errorf("%q, %v", v, err)
		}
		if v, err := At[int](f, 1<<32+5); err != nil || v != 0 {
			t.Errorf("%d, %v", v, err)
		}
		ranges := f.Split(8)
		last := ranges[len(ranges)-1]
		n := int64(0)
		for b, err := range f.Blocks(Range{pos, last.End, 0}) {
			if err != nil || b.Ordinal != total-1 || b.Offset != pos {
				t.Errorf("%+v, %v", b, err)
			}
			n++
		}
		if n != 1 || last.Start < 3<<30 || last.End <= 4<<30 {
			t.Errorf("%d blocks at the end, last range %+v", n, last)
		}
		f.Close()
	}

	// No entry of the seek table of such a file is too large.
	table := appendSeekTable(nil, []entry{{offset: 5 << 30, raw: 1, stored: 17}}, 11<<30)
	sum := int64(0)
	for b := table[skippableHeader : len(table)-seekFooter]; len(b) > 0; b = b[seekEntry:] {
		sum += int64(binary.LittleEndian.Uint32(b))
	}
	if sum != 11<<30 {
		t.Errorf("the seek table has %d bytes", sum)
	}
}

func write(t *testing.T, file *os.File, b []byte, at int64) {
	t.Helper()
	if _, err := file.WriteAt(b, at); err != nil {
		t.Fatal(err)
	}
}
