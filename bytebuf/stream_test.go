package bytebuf_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/octet-go/octet/bytebuf"
	"github.com/octet-go/octet/bytebuf/internal/buffertest"
)

// TestReadFromExactSize checks that a Buffer with room for all the data keeps its memory, whereas bytes.Buffer
// grows to find the end of the input.
func TestReadFromExactSize(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 511, 512, 513, 1000, 1024, 4096, 100_000} {
		for _, step := range []int{0, 1, 300, 600} {
			if step == 1 && n > 10_000 {
				continue
			}
			b := bytebuf.NewBuffer(make([]byte, 0, n))
			m, err := b.ReadFrom(&buffertest.Reader{Data: buffertest.Data(n), Step: step})
			if m != int64(n) || err != nil || b.String() != string(buffertest.Data(n)) {
				t.Fatalf("%d bytes, %d at a time: %d, %v", n, step, m, err)
			}
			if b.Cap() != n {
				t.Errorf("%d bytes, %d at a time: capacity grew to %d", n, step, b.Cap())
			}
		}
	}
	std := bytes.NewBuffer(make([]byte, 0, 1000))
	std.ReadFrom(bytes.NewReader(buffertest.Data(1000)))
	if std.Cap() == 1000 {
		t.Error("bytes.Buffer keeps its size too: no longer a difference")
	}
}

// TestReadFromShort checks that up to 64 bytes stay inside the struct.
func TestReadFromShort(t *testing.T) {
	for n := range 66 {
		var b bytebuf.Buffer
		b.ReadFrom(bytes.NewReader(buffertest.Data(n)))
		if b.String() != string(buffertest.Data(n)) || n <= 64 != (b.Cap() == 64) {
			t.Errorf("%d bytes: %q, capacity %d", n, b.String(), b.Cap())
		}
	}
}

// roomReader records the length of the slices that it receives and what they contain.
type roomReader struct {
	buffertest.Reader
	least int
	found []byte
}

func (r *roomReader) Read(p []byte) (int, error) {
	if r.least = min(r.least, len(p)); len(p) == bytebuf.MinRead {
		r.found = append(r.found, p...)
	}
	return r.Reader.Read(p)
}

// TestReadFromRoom checks that every Read receives at least MinRead bytes, which readers of datagrams need.
func TestReadFromRoom(t *testing.T) {
	for _, first := range []int{0, 1, 64, 511, 512, 600, 1100} {
		for _, step := range []int{1, 100, 511, 512} {
			b := bytebuf.NewBuffer(make([]byte, 0, first))
			r := &roomReader{Reader: buffertest.Reader{Data: buffertest.Data(2000), Step: step}, least: 1 << 20}
			if _, err := b.ReadFrom(r); err != nil || b.String() != string(buffertest.Data(2000)) {
				t.Fatalf("first %d, step %d: %v", first, step, err)
			}
			if r.least < bytebuf.MinRead {
				t.Errorf("first %d, step %d: %d bytes of room", first, step, r.least)
			}
		}
	}
}

// TestReadFromLeavesNoTrace checks that the pooled memory contains no data of an earlier reader.
func TestReadFromLeavesNoTrace(t *testing.T) {
	for range 20 {
		var secret, other bytebuf.Buffer
		secret.ReadFrom(strings.NewReader("open sesame"))
		r := &roomReader{}
		other.ReadFrom(r)
		if len(bytes.Trim(r.found, "\x00")) > 0 {
			t.Fatalf("found %q", r.found)
		}
	}
}

// TestStreamsAcrossGoroutines uses readers and writers in other goroutines while the stack of this one moves. They
// must never receive stack memory.
func TestStreamsAcrossGoroutines(t *testing.T) {
	for range 100 {
		pr, pw := io.Pipe()
		var done sync.WaitGroup
		done.Go(func() {
			var b bytebuf.Buffer
			b.Write(buffertest.Data(50))
			deep(200)
			b.WriteTo(pw)
			b.Write(buffertest.Data(3000))
			b.WriteTo(pw)
			pw.Close()
		})
		var b bytebuf.Buffer
		b.Write(buffertest.Data(10))
		deep(100)
		if _, err := b.ReadFrom(pr); err != nil {
			t.Fatal(err)
		}
		done.Wait()
		if want := string(buffertest.Data(10)) + string(buffertest.Data(50)) + string(buffertest.Data(3000)); b.String() != want {
			t.Fatalf("got %q", b.String())
		}
	}
}

// deep makes the stack grow, which moves it.
func deep(n int) byte {
	var frame [512]byte
	frame[n%len(frame)] = 1
	if n == 0 {
		return frame[0]
	}
	return deep(n-1) + frame[n%len(frame)]
}

// TestWriteToKeeper checks a writer that retains its argument: as with bytes.Buffer, the bytes stay unchanged until
// the Buffer is used again.
func TestWriteToKeeper(t *testing.T) {
	for _, n := range []int{1, 64, 100} {
		var b, other bytebuf.Buffer
		b.Write(buffertest.Data(n))
		w := new(keeper)
		b.WriteTo(w)
		other.Write(bytes.Repeat([]byte{'!'}, n))
		other.WriteTo(new(keeper))
		if !bytes.Equal(w.p, buffertest.Data(n)) {
			t.Errorf("%d bytes became %q", n, w.p)
		}
	}
}

// TestCopyBetweenBuffers uses io.Copy, which calls both ReadFrom and WriteTo.
func TestCopyBetweenBuffers(t *testing.T) {
	for _, n := range []int{0, 5, 64, 65, 5000} {
		var from, to bytebuf.Buffer
		from.Write(buffertest.Data(n))
		m, err := io.Copy(&to, &from)
		if m != int64(n) || err != nil || to.String() != string(buffertest.Data(n)) || from.Len() != 0 {
			t.Errorf("%d bytes: %d, %v, %q, %d left", n, m, err, to.String(), from.Len())
		}
	}
}

// TestReadFromWithoutProgress checks that a reader that returns nothing is called 100 times in a row, with and
// without room.
func TestReadFromWithoutProgress(t *testing.T) {
	for _, room := range []int{0, 64, 10_000} {
		calls := 0
		b := bytebuf.NewBuffer(make([]byte, 0, room))
		b.WriteString("before")
		n, err := b.ReadFrom(readFunc(func(p []byte) (int, error) {
			switch calls++; {
			case calls == 100:
				return copy(p, " after"), nil
			case calls > 1000:
				return 0, errors.New("called too often")
			}
			return 0, nil
		}))
		if n != 6 || err != io.ErrNoProgress || calls != 200 || b.String() != "before after" {
			t.Errorf("room %d: %d, %v after %d calls, %q", room, n, err, calls, b)
		}
	}
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }
