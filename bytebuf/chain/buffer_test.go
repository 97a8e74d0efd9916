package chain_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/bytebuf/chain"
	"github.com/octet-go/octet/bytebuf/internal/buffertest"
	"github.com/octet-go/octet/internal/heaptest"
)

// A model is a Buffer and the bytes that it should contain.
type model struct {
	buffer chain.Buffer
	want   []byte
}

// calls change the Buffer and the expected bytes. n is any non-negative number.
var calls = []struct {
	name string
	do   func(t *testing.T, m *model, n int)
}{
	{"Write", func(t *testing.T, m *model, n int) {
		k, err := m.buffer.Write(buffertest.Data(n))
		m.put(t, k, n, err)
	}},
	{"WriteString", func(t *testing.T, m *model, n int) {
		k, err := m.buffer.WriteString(string(buffertest.Data(n)))
		m.put(t, k, n, err)
	}},
	{"WriteByte", func(t *testing.T, m *model, n int) {
		err := m.buffer.WriteByte(buffertest.Data(1)[0])
		m.put(t, 1, 1, err)
	}},
	{"Append", func(t *testing.T, m *model, n int) {
		m.buffer.Append(buffertest.Data(n))
		m.put(t, n, n, nil)
	}},
	{"ReadFrom", func(t *testing.T, m *model, n int) {
		k, err := m.buffer.ReadFrom(&buffertest.Reader{Data: buffertest.Data(n), Step: n % 700, Fault: n % 3})
		m.put(t, int(k), n, err)
	}},
	{"ReadFrom, failing", func(t *testing.T, m *model, n int) {
		k, err := m.buffer.ReadFrom(&buffertest.Reader{Data: buffertest.Data(n), Step: 300, Fault: 3})
		if !errors.Is(err, buffertest.Err) {
			t.Errorf("error %v", err)
		}
		m.put(t, int(k), n, nil)
	}},
	{"Read", func(t *testing.T, m *model, n int) {
		p := make([]byte, n)
		k, err := m.buffer.Read(p)
		if len(m.want) == 0 && n > 0 && err == io.EOF {
			err = nil
		}
		m.take(t, p[:k], min(n, len(m.want)), err)
	}},
	{"WriteTo", func(t *testing.T, m *model, n int) {
		w := new(bytes.Buffer)
		k, err := m.buffer.WriteTo(w)
		if int(k) != w.Len() {
			t.Errorf("%d, but wrote %d", k, w.Len())
		}
		m.take(t, w.Bytes(), len(m.want), err)
	}},
	{"WriteTo, failing", func(t *testing.T, m *model, n int) {
		w := &shortWriter{left: n, err: buffertest.Err}
		k, err := m.buffer.WriteTo(w)
		if int(k) != len(w.got) || (err != nil) != (n < len(m.want)) {
			t.Errorf("%d, %v, but wrote %d of %d", k, err, len(w.got), len(m.want))
		}
		m.take(t, w.got, min(n, len(m.want)), nil)
	}},
	{"Reset", func(t *testing.T, m *model, n int) {
		m.buffer.Reset()
		m.want = nil
	}},
}

// put records that the first k of n bytes of data were written.
func (m *model) put(t *testing.T, k, n int, err error) {
	if k != n || err != nil {
		t.Errorf("%d of %d bytes, %v", k, n, err)
	}
	m.want = append(m.want, buffertest.Data(n)...)
}

// take checks n bytes that were read.
func (m *model) take(t *testing.T, got []byte, n int, err error) {
	if err != nil || !bytes.Equal(got, m.want[:n]) {
		t.Errorf("%d bytes and %v, want %d, %s", len(got), err, n, buffertest.Difference(string(got), string(m.want[:n])))
	}
	m.want = m.want[n:]
}

func (m *model) check(t *testing.T) {
	if m.buffer.Len() != len(m.want) {
		t.Errorf("Len %d, want %d", m.buffer.Len(), len(m.want))
	}
	if got := m.buffer.Bytes(); !bytes.Equal(got, m.want) {
		t.Errorf("Bytes: %s", buffertest.Difference(string(got), string(m.want)))
	}
	var joined []byte
	for p := range m.buffer.Segments() {
		if len(p) == 0 || cap(p) != len(p) {
			t.Errorf("a segment of length %d, capacity %d", len(p), cap(p))
		}
		joined = append(joined, p...)
	}
	if !bytes.Equal(joined, m.want) {
		t.Errorf("Segments: %s", buffertest.Difference(string(joined), string(m.want)))
	}
}

// shortWriter accepts left bytes and then fails with err, or returns a short count if err is nil.
type shortWriter struct {
	left int
	err  error
	got  []byte
}

func (w *shortWriter) Write(p []byte) (int, error) {
	n := min(w.left, len(p))
	w.got = append(w.got, p[:n]...)
	if w.left -= n; n < len(p) {
		return n, w.err
	}
	return n, nil
}

func play(t *testing.T, script []byte) {
	m := new(model)
	for script = script[:min(len(script), 200)]; len(script) >= 2; script = script[2:] {
		call, n := calls[int(script[0])%len(calls)], max(buffertest.Number(script[1]), 0)*7
		call.do(t, m, n)
		if m.check(t); t.Failed() {
			t.Fatalf("after %s(%d)", call.name, n)
		}
	}
}

// FuzzBuffer makes the calls that the input selects, and compares the Buffer with a slice of bytes after each.
func FuzzBuffer(f *testing.F) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 32 {
		f.Add(buffertest.Script(random, 60, len(calls)))
	}
	f.Fuzz(play)
}

// TestBufferAgainstBytes is FuzzBuffer with random input.
func TestBufferAgainstBytes(t *testing.T) {
	for seed := range uint64(300) {
		script := buffertest.Script(rand.New(rand.NewPCG(seed, 1)), 60, len(calls))
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { play(t, script) }) {
			t.Fatalf("script %q", script)
		}
	}
}

// TestBufferAsQueue checks that alternate writes and reads do not accumulate segments, even with constant contents
// in the queue.
func TestBufferAsQueue(t *testing.T) {
	for _, backlog := range []int{0, 1, 5000, 100_000} {
		var c chain.Buffer
		var in, out int
		p := make([]byte, 999)
		for range 2000 {
			for i := range p {
				p[i] = byte(in)
				in++
			}
			c.Write(p)
			for c.Len() > backlog {
				n, err := c.Read(p[:min(len(p), c.Len()-backlog)])
				if err != nil {
					t.Fatal(err)
				}
				for _, b := range p[:n] {
					if b != byte(out) {
						t.Fatalf("byte %d is %d", out, b)
					}
					out++
				}
			}
		}
		segments := 0
		for range c.Segments() {
			segments++
		}
		if segments > backlog/(4<<10)+2 {
			t.Errorf("backlog %d: %d segments", backlog, segments)
		}
	}
}

// TestBufferAppendShares checks that Append does not copy, and that nothing is written after an appended slice.
func TestBufferAppendShares(t *testing.T) {
	var c chain.Buffer
	memory := []byte("hello, world")
	c.WriteString("<")
	c.Append(memory[:5])
	c.WriteString(">")
	if string(memory) != "hello, world" {
		t.Errorf("the caller's memory became %q", memory)
	}
	memory[0] = 'j'
	if got := string(c.Bytes()); got != "<jello>" {
		t.Errorf("got %q", got)
	}
}

func TestBufferBytesAreACopy(t *testing.T) {
	var c chain.Buffer
	c.WriteString("hello")
	p := c.Bytes()
	p[0] = 'j'
	if got := string(c.Bytes()); got != "hello" {
		t.Errorf("the Buffer holds %q", got)
	}
	c.Reset()
	var other chain.Buffer
	other.WriteString("world")
	if string(p) != "jello" {
		t.Errorf("the copy became %q", p)
	}
}

func TestBufferSegmentsStopEarly(t *testing.T) {
	var c chain.Buffer
	c.Append([]byte("a"))
	c.Append([]byte("b"))
	c.WriteString("c")
	for stop := range 4 {
		var got []byte
		for p := range c.Segments() {
			if len(got) == stop {
				break
			}
			got = append(got, p...)
		}
		if want := "abc"[:min(stop, 3)]; string(got) != want {
			t.Errorf("after %d: %q", stop, got)
		}
	}
}

// TestBufferReadFromRoom checks that every Read receives at least MinRead bytes, which readers of datagrams need.
func TestBufferReadFromRoom(t *testing.T) {
	for step := range 513 {
		var c chain.Buffer
		r := &roomReader{Reader: buffertest.Reader{Data: buffertest.Data(9000), Step: step}, least: 1 << 20}
		if _, err := c.ReadFrom(r); err != nil || r.least < bytes.MinRead {
			t.Errorf("%d at a time: %d bytes of room, %v", step, r.least, err)
		}
	}
}

// TestBufferMisbehavingStreams checks that readers and writers that violate the rules cause an error and leave the
// Buffer intact.
func TestBufferMisbehavingStreams(t *testing.T) {
	for name, r := range map[string]*buffertest.Reader{
		"negative count": {Data: buffertest.Data(900), Step: 300, Fault: 4},
		"large count":    {Data: buffertest.Data(900), Step: 300, Fault: 5},
	} {
		t.Run("reader/"+name, func(t *testing.T) {
			var c chain.Buffer
			c.WriteString("before ")
			n, err := c.ReadFrom(r)
			if n != 600 || err == nil || !strings.HasPrefix(err.Error(), "chain: ") {
				t.Errorf("%d, %v", n, err)
			}
			if got, want := string(c.Bytes()), "before "+string(buffertest.Data(900)[:600]); got != want {
				t.Error(buffertest.Difference(got, want))
			}
		})
	}
	for _, test := range []struct {
		name string
		w    io.Writer
		n    int64
		text string
	}{
		{"negative count", &buffertest.Writer{Fault: 5, N: 1}, 0, "chain: writer returned invalid count from Write"},
		{"large count", &buffertest.Writer{Fault: 3}, 0, "chain: writer returned invalid count from Write"},
		{"short", &shortWriter{left: 7}, 7, "short write"},
		{"all and an error", &buffertest.Writer{Fault: 4}, 10, "intended error"},
	} {
		t.Run("writer/"+test.name, func(t *testing.T) {
			var c chain.Buffer
			c.Append([]byte("0123456789"))
			c.WriteString("abc")
			n, err := c.WriteTo(test.w)
			if n != test.n || err == nil || err.Error() != test.text {
				t.Errorf("%d, %v", n, err)
			}
			if got, want := string(c.Bytes()), "0123456789abc"[n:]; got != want {
				t.Errorf("%q is left, want %q", got, want)
			}
		})
	}
}

// TestBufferWrittenToWhileWriting checks that WriteTo ends even if the writer writes to the same Buffer.
func TestBufferWrittenToWhileWriting(t *testing.T) {
	var c chain.Buffer
	c.WriteString("hello")
	n, err := c.WriteTo(&c)
	if n != 5 || err != nil || string(c.Bytes()) != "hello" {
		t.Errorf("%d, %v, %q", n, err, c.Bytes())
	}
}

// TestBufferReadFromItself reads from readers that use the Buffer: io.CopyN moves its first bytes to the end, others
// write to it or empty it.
func TestBufferReadFromItself(t *testing.T) {
	for _, size := range []int{1, 5, 600, 4096, 5000, 70_000} {
		data := buffertest.Data(size)
		check := func(name string, b *chain.Buffer, want []byte) {
			t.Helper()
			if got := b.Bytes(); !bytes.Equal(got, want) || b.Len() != len(want) {
				t.Errorf("%s, %d bytes: got %d bytes, Len %d, want %d", name, size, len(got), b.Len(), len(want))
			}
		}
		for _, n := range []int{1, size / 2, size, size + 3} {
			var b chain.Buffer
			b.Write(data[:size/2])
			b.Append(data[size/2:])
			b.WriteByte('x')
			std := bytes.NewBuffer(append(data[:size:size], 'x'))
			for range 3 {
				io.CopyN(&b, &b, int64(n))
				io.CopyN(std, std, int64(n))
				check(fmt.Sprint("CopyN ", n), &b, std.Bytes())
			}
		}
		var b chain.Buffer
		b.ReadFrom(iotest.OneByteReader(io.TeeReader(bytes.NewReader(data[:min(size, 600)]), &b)))
		var twice []byte
		for _, c := range data[:min(size, 600)] {
			twice = append(twice, c, c)
		}
		check("TeeReader", &b, twice)
		b.Write(data)
		reset := readerFunc(func(p []byte) (int, error) { b.Reset(); return copy(p, "abc"), io.EOF })
		b.ReadFrom(reset)
		check("Reset", &b, []byte("abc"))
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestBufferAllocations(t *testing.T) {
	if heaptest.Race {
		t.Skip("sync.Pool drops items at random under the race detector")
	}
	var c chain.Buffer
	payload := buffertest.Data(10_000)
	source := bytes.NewReader(nil)
	do := func() {
		for range 100 {
			c.Write(payload[:500])
			c.WriteString("header")
			c.WriteByte(1)
			c.Append(payload)
		}
		source.Reset(payload)
		c.ReadFrom(source)
		c.Read(payload[:100])
		c.WriteTo(io.Discard)
	}
	do()
	if got := testing.AllocsPerRun(20, do); got > 0 {
		t.Errorf("%v allocations in a reused Buffer", got)
	}
}

// TestBufferReadFromWithoutProgress checks that a reader that returns nothing is called 100 times in a row.
func TestBufferReadFromWithoutProgress(t *testing.T) {
	calls := 0
	var c chain.Buffer
	n, err := c.ReadFrom(readFunc(func(p []byte) (int, error) {
		switch calls++; {
		case calls == 100:
			return copy(p, "text"), nil
		case calls > 1000:
			return 0, buffertest.Err
		}
		return 0, nil
	}))
	if n != 4 || err != io.ErrNoProgress || calls != 200 || string(c.Bytes()) != "text" {
		t.Errorf("%d, %v after %d calls, %q", n, err, calls, c.Bytes())
	}
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

// roomReader records the minimum length of the slices that it receives.
type roomReader struct {
	buffertest.Reader
	least int
}

func (r *roomReader) Read(p []byte) (int, error) {
	r.least = min(r.least, len(p))
	return r.Reader.Read(p)
}
