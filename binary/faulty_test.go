package binary

import (
	"errors"
	"io"
	"testing"
)

// readCount is a reader that returns a given count and no error. It stores
// nothing in the slice.
type readCount struct {
	count func(room int) int
	calls int
}

func (r *readCount) Read(b []byte) (int, error) {
	if r.calls++; r.calls > 10*maxEmptyReads {
		return 0, errors.New("called too often")
	}
	return r.count(len(b)), nil
}

// TestFaultyReaders calls every reading function with readers that violate the
// rules of io.Reader.
func TestFaultyReaders(t *testing.T) {
	type record struct {
		A uint32
		B [5]uint16
	}
	reader := func(read func(r *Reader)) func(r io.Reader) error {
		return func(r io.Reader) error {
			rd := NewReader(r, BigEndian)
			read(rd)
			_, err := rd.End()
			return err
		}
	}
	reads := map[string]func(r io.Reader) error{
		"Read":                 func(r io.Reader) error { return Read(r, BigEndian, new(record)) },
		"Read many":            func(r io.Reader) error { return Read(r, BigEndian, make([]record, 10_000)) },
		"Read invalid":         func(r io.Reader) error { return Read(r, BigEndian, uint64(0)) },
		"ReadSlice":            func(r io.Reader) error { return ReadSlice(r, BigEndian, make([]uint64, 3)) },
		"ReadSlice native":     func(r io.Reader) error { return ReadSlice(r, NativeEndian, make([]uint64, 3)) },
		"Reader.Uint64":        reader(func(r *Reader) { r.Uint64() }),
		"Reader.Uvarint":       reader(func(r *Reader) { r.Uvarint() }),
		"Reader.String":        reader(func(r *Reader) { r.String(1000) }),
		"Reader.Uint64Slice":   reader(func(r *Reader) { r.Uint64Slice(1000) }),
		"Reader.Skip":          reader(func(r *Reader) { r.Skip(1000) }),
		"Reader.Peek":          reader(func(r *Reader) { r.Peek(10) }),
		"Reader.Read":          reader(func(r *Reader) { _, _ = io.ReadAtLeast(io.LimitReader(onlyReader{r}, 1<<20), make([]byte, 2), 1) }),
		"Reader within Reader": reader(func(r *Reader) { NewReader(r, BigEndian).Uint64() }),
	}
	readers := map[string]struct {
		count func(room int) int
		want  error
	}{
		"nothing":   {func(int) int { return 0 }, io.ErrNoProgress},
		"negative":  {func(int) int { return -1 }, errReadCount},
		"too large": {func(room int) int { return room + 1 }, errReadCount},
	}
	for name, read := range reads {
		for fault, r := range readers {
			if r.want == io.ErrNoProgress && (name == "Reader.Read" || name == "Reader within Reader") {
				continue // it returns what the reader returns, as io.Reader allows
			}
			if err := read(&readCount{count: r.count}); err != r.want {
				t.Errorf("%s, %s: %v, want %v", name, fault, err, r.want)
			}
		}
	}
}

// onlyReader hides all other methods.
type onlyReader struct{ io.Reader }

// TestSlowReader uses a reader that returns nothing many times in a row before
// each read that succeeds, but one time less than the limit.
func TestSlowReader(t *testing.T) {
	calls := 0
	slow := &readCount{count: func(int) int {
		if calls++; calls%maxEmptyReads == 0 {
			return 1
		}
		return 0
	}}
	if err := Read(slow, BigEndian, new(uint64)); err != nil {
		t.Error(err)
	}
}

// TestFaultyWriters calls WriteSlice with writers that return wrong counts.
func TestFaultyWriters(t *testing.T) {
	var swappedOrder ByteOrder = BigEndian
	if endianOf(swappedOrder) == native {
		swappedOrder = LittleEndian
	}
	for _, c := range []struct {
		name  string
		order ByteOrder
		n     int
		to    claiming
		want  error
	}{
		{"too many", swappedOrder, 2, claiming{17, nil}, errCount},
		{"negative", swappedOrder, 2, claiming{-1, nil}, errCount},
		{"too few", swappedOrder, 2, claiming{15, nil}, io.ErrShortWrite},
		{"all", swappedOrder, 2, claiming{16, nil}, nil},
		{"native, too many", NativeEndian, 2, claiming{17, nil}, errCount},
		{"native, negative", NativeEndian, 2, claiming{-1, nil}, errCount},
		{"pieces, too many", swappedOrder, 10_000, claiming{chunkSize + 1, nil}, errCount},
		{"pieces, negative", swappedOrder, 10_000, claiming{-1, nil}, errCount},
		{"pieces, too few", swappedOrder, 10_000, claiming{1, nil}, io.ErrShortWrite},
	} {
		if err := WriteSlice(c.to, c.order, make([]uint64, c.n)); err != c.want {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}
