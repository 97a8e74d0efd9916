package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// emptyFrame is a skippable frame without content.
var emptyFrame = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, magicSkippable), 0)

// A countingReaderAt counts the bytes that are read.
type countingReaderAt struct {
	*bytes.Reader
	count int64
}

func (r *countingReaderAt) ReadAt(b []byte, offset int64) (int, error) {
	r.count += int64(len(b))
	return r.Reader.ReadAt(b, offset)
}

// TestRecoverReadsOnce recovers a file whose marker contains the header of a skippable frame. From each marker, a
// chain of frames leads to the end of the file. Recover must not follow all chains.
func TestRecoverReadsOnce(t *testing.T) {
	h := fileHeader{info: []byte{0x80}}
	copy(h.marker[:], bytes.Repeat([]byte{0xff}, 8))
	copy(h.marker[8:], emptyFrame)
	frame := binary.LittleEndian.AppendUint32(nil, magicSkippable)
	frame = binary.LittleEndian.AppendUint32(frame, 9) // it ends in the middle of the marker
	frame = append(append(frame, 0), h.marker[:]...)
	file := append(h.bytes(), "damaged!"...)
	file = append(file, bytes.Repeat(frame, 4000)...)
	r := &countingReaderAt{Reader: bytes.NewReader(file)}
	report, err := recoverFrom(r, int64(len(file)))
	if err != nil || report.Torn != int64(len(file)-len(h.bytes())) || report.Records != 0 {
		t.Errorf("%+v, %v", report, err)
	}
	if r.count > int64(20*len(file)) {
		t.Errorf("%d bytes are read of %d", r.count, len(file))
	}
}

// TestStreamSourceMovesLittle passes small frames that are in a large buffer. The bytes after them must stay where
// they are: moving them for each frame takes time for the whole buffer.
func TestStreamSourceMovesLittle(t *testing.T) {
	large := append(make([]byte, 1<<20), bytes.Repeat(emptyFrame, 1000)...)
	s := &streamSource{r: bytes.NewReader(append(large, 1))}
	if b, err := s.at(0, len(large)); err != nil || len(b) != len(large) {
		t.Fatal(len(b), err)
	}
	begin := &s.buf[0]
	for offset := int64(1 << 20); offset < int64(len(large)); offset += skippableHeader {
		b, err := s.at(offset, skippableHeader)
		if err != nil || !bytes.Equal(b, emptyFrame) || &b[0] != &s.buf[:cap(s.buf)][offset] || &s.buf[0] != begin {
			t.Fatalf("offset %d: % x at another address, %v", offset, b, err)
		}
	}
	if b, err := s.at(int64(len(large)), 9); err != nil || len(b) != 1 || b[0] != 1 {
		t.Errorf("the end: % x, %v", b, err)
	}
	if end := s.end(); end != int64(len(large)+1) {
		t.Errorf("the end is at %d, want %d", end, len(large)+1)
	}

	// The same as a whole: the Scanner passes the frames.
	file := writeTo(t, Options{}, 0, numbered(3, 1<<20))
	bare := withoutTables(t, file)
	file = append(bare, bytes.Repeat(emptyFrame, 1000)...)
	got, scanner := scanAll(file, Options{})
	if len(got) != 3 || scanner.Err() != nil {
		t.Errorf("%d records, %v", len(got), scanner.Err())
	}
	if r := scanner.Report(); r.Size != int64(len(file)) || r.Torn != 0 {
		t.Errorf("%+v of %d bytes", r, len(file))
	}
}

// A countingSource counts the bytes that are asked for.
type countingSource struct {
	fileSource
	count int64
}

func (s *countingSource) at(offset int64, n int) ([]byte, error) {
	b, err := s.fileSource.at(offset, n)
	s.count += int64(len(b))
	return b, err
}

// TestTearIsLinear loses a sector before many small blocks that were not synced, and looks for what follows.
func TestTearIsLinear(t *testing.T) {
	file := withoutTables(t, writeTo(t, Options{}, 1, numbered(20_000, 0)))
	clear(file[4*sectorSize:][:sectorSize])
	src := &countingSource{fileSource: fileSource{r: bytes.NewReader(file), size: int64(len(file))}}
	w := walk{src: src, max: defaultMax}
	for {
		s, _, err := w.step()
		if err != nil {
			t.Fatal(err)
		}
		if s == atTear {
			break
		}
	}
	if src.count > int64(2*len(file)) {
		t.Errorf("%d bytes of %d", src.count, len(file))
	}
}

// TestAtPassesOnce calls At for records of one block. At must not go over all records before the one that it wants if it
// has passed them once: those at the beginning of the block are overwritten.
func TestAtPassesOnce(t *testing.T) {
	const n = 4*apart + 5
	records := numbered(n, 0)
	f := open(t, writeTo(t, Options{BlockSize: 4 << 20}, 0, records))
	r := rand.New(rand.NewPCG(1, 2))
	at := func(i int64) {
		t.Helper()
		if v, err := At[msgpack.Raw](f, i); err != nil || !bytes.Equal(v, records[i]) {
			t.Fatalf("record %d is % x, %v", i, v, err)
		}
	}
	for range 100 {
		at(r.Int64N(n))
	}
	at(n - 1)
	f.idle.content[0] = 0xc1 // no value begins so
	for range 1000 {
		at(apart + r.Int64N(n-apart))
	}
	for i := int64(n - 1); i >= apart; i-- {
		at(i)
	}
	if _, err := At[msgpack.Raw](f, apart-1); !errors.Is(err, ErrCorrupt) {
		t.Errorf("the error of a record behind the one that is overwritten is %v", err)
	}
	f = open(t, writeTo(t, Options{BlockSize: minBlock}, 0, records))
	for range 2000 {
		at(r.Int64N(n))
	}
}
