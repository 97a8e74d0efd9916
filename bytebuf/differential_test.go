package bytebuf_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/octet-go/octet/bytebuf"
	"github.com/octet-go/octet/bytebuf/internal/buffertest"
)

// buffer is the interface that bytes.Buffer and Buffer share.
type buffer interface {
	io.ReadWriter
	io.ByteScanner
	io.RuneScanner
	io.ByteWriter
	io.StringWriter
	io.ReaderFrom
	io.WriterTo
	fmt.Stringer
	Available() int
	AvailableBuffer() []byte
	Bytes() []byte
	Cap() int
	Grow(n int)
	Len() int
	Next(n int) []byte
	Peek(n int) ([]byte, error)
	ReadBytes(delim byte) ([]byte, error)
	ReadString(delim byte) (string, error)
	Reset()
	Truncate(n int)
	WriteRune(r rune) (int, error)
}

// pair holds a Buffer and a bytes.Buffer with the same contents. sameCap becomes false with the first ReadFrom,
// because capacities may differ afterwards.
type pair struct {
	std     *bytes.Buffer
	ours    *bytebuf.Buffer
	sameCap bool
}

func newPair() *pair { return &pair{std: new(bytes.Buffer), ours: new(bytebuf.Buffer), sameCap: true} }

// call is an operation on b that depends only on n. It returns all visible results.
type call struct {
	name string
	do   func(b buffer, n int) string
}

var runes = []rune{'a', 0, 0x7f, 0x80, 'é', '€', '😀', utf8.RuneError, utf8.MaxRune + 1, 0xd800, -1}

var calls = []call{
	{"Write", func(b buffer, n int) string { return fmt.Sprint(b.Write(buffertest.Data(n))) }},
	{"WriteString", func(b buffer, n int) string { return fmt.Sprint(b.WriteString(string(buffertest.Data(n)))) }},
	{"WriteByte", func(b buffer, n int) string { return fmt.Sprint(b.WriteByte(byte(n))) }},
	{"WriteRune", func(b buffer, n int) string { return fmt.Sprint(b.WriteRune(runes[(n+1)%len(runes)])) }},
	{"Fprintf", func(b buffer, n int) string { return fmt.Sprint(fmt.Fprintf(b, "%d-%x", n, n)) }},
	{"Read", func(b buffer, n int) string {
		p := make([]byte, max(n, 0))
		m, err := b.Read(p)
		return fmt.Sprint(m, err, " ", string(p))
	}},
	{"Next", func(b buffer, n int) string { return show(b.Next(n), nil) }},
	{"Peek", func(b buffer, n int) string { return show(b.Peek(n)) }},
	{"ReadByte", func(b buffer, n int) string { return fmt.Sprint(b.ReadByte()) }},
	{"ReadRune", func(b buffer, n int) string { return fmt.Sprint(b.ReadRune()) }},
	{"UnreadByte", func(b buffer, n int) string { return fmt.Sprint(b.UnreadByte()) }},
	{"UnreadRune", func(b buffer, n int) string { return fmt.Sprint(b.UnreadRune()) }},
	{"ReadBytes", func(b buffer, n int) string { return show(b.ReadBytes(buffertest.Data(max(n, 1))[0])) }},
	{"ReadString", func(b buffer, n int) string { return fmt.Sprint(b.ReadString(buffertest.Data(max(n, 1))[0])) }},
	{"Truncate", func(b buffer, n int) string { b.Truncate(n); return "" }},
	{"TruncateByFew", func(b buffer, n int) string { b.Truncate(b.Len() - n%3); return "" }},
	{"Reset", func(b buffer, n int) string { b.Reset(); return "" }},
	{"Grow", func(b buffer, n int) string { b.Grow(n); return "" }},
	{"GrowTooLarge", func(b buffer, n int) string {
		b.WriteByte('x') // without it, bytes.Buffer doubles its capacity, and 32-bit machines run out of memory
		b.Grow(int(^uint(0) >> 1))
		return ""
	}},
	{"AvailableBuffer", func(b buffer, n int) string {
		p := b.AvailableBuffer()
		return fmt.Sprint(p == nil, len(p), cap(p) == b.Available()) + fmt.Sprint(b.Write(append(p, buffertest.Data(n)...)))
	}},
	{"Bytes", func(b buffer, n int) string {
		if p := b.Bytes(); len(p) > 0 {
			p[max(n, 0)%len(p)]++
		}
		return show(b.Bytes(), nil)
	}},
	{"WriteToFaulty", func(b buffer, n int) string {
		w := &buffertest.Writer{Fault: n % buffertest.WriterFaults, N: max(n, 0)}
		m, err := b.WriteTo(w)
		return fmt.Sprint(m, err, " ", string(w.Got))
	}},
	{"WriteTo", func(b buffer, n int) string { return fmt.Sprint(b.WriteTo(&buffertest.Writer{})) }},
	{"ReadFrom", func(b buffer, n int) string {
		// The bytes that a reader returned before it failed must not depend on the length of the slice it got.
		return fmt.Sprint(b.ReadFrom(&buffertest.Reader{Data: buffertest.Data(n), Fault: n % buffertest.ReaderFaults, Step: bytebuf.MinRead}))
	}},
	{"ReadFromLong", func(b buffer, n int) string {
		return fmt.Sprint(b.ReadFrom(&buffertest.Reader{Data: buffertest.Data(n * 3), Fault: n % 3, Step: max(n, 1)}))
	}},
}

func show(p []byte, err error) string { return fmt.Sprint(string(p), p == nil, err) }

// outcome returns the result of c, or its panic. It does not compare the texts of run-time errors, because they
// contain the bounds of internal slices.
func outcome(c call, b buffer, n int) (s string) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case runtime.Error:
			s = "run-time error"
		default:
			s = fmt.Sprintf("panic: %v, %t", e, e == any(bytes.ErrTooLarge))
		}
	}()
	return c.do(b, n)
}

// step makes one call on both buffers and reports a difference. It returns false if bytes.Buffer cannot be used any
// more: after a negative count from a writer, its offset may be negative.
func (p *pair) step(t *testing.T, c call, n int) bool {
	t.Helper()
	if strings.HasPrefix(c.name, "ReadFrom") {
		p.sameCap = false
	}
	if !p.sameCap && c.name == "WriteToFaulty" {
		n -= n % buffertest.WriterFaults // a negative count would unread bytes, unless growing has moved them
	}
	want, got := outcome(c, p.std, n), outcome(c, p.ours, n)
	if got != want {
		t.Fatalf("%s(%d): %s", c.name, n, buffertest.Difference(got, want))
	}
	if !p.sameCap && c.name == "Grow" {
		// UnreadByte works after Grow only if Grow did not move the contents, so clear the last operation.
		p.std.Write(nil)
		p.ours.Write(nil)
	}
	look := call{"", func(b buffer, n int) string {
		s := fmt.Sprintf("Len %d String %s Bytes %s", b.Len(), b.String(), show(b.Bytes(), nil))
		if free := b.AvailableBuffer(); cap(free) != b.Available() || cap(b.Bytes()) != b.Len()+b.Available() {
			s += fmt.Sprintf(" Available %d, AvailableBuffer %d, Bytes %d", b.Available(), cap(free), cap(b.Bytes()))
		}
		if p.sameCap {
			s += fmt.Sprintf(" Cap %d Available %d", b.Cap(), b.Available())
		}
		return s
	}}
	want, got = outcome(look, p.std, 0), outcome(look, p.ours, 0)
	if got != want {
		t.Fatalf("after %s(%d): %s", c.name, n, buffertest.Difference(got, want))
	}
	return want != "run-time error"
}

// restart replaces both buffers by new ones with other initial memory.
func (p *pair) restart(n int) {
	switch n % 6 {
	case 0:
		*p = *newPair()
		return
	case 1:
		p.std, p.ours = bytes.NewBuffer(nil), bytebuf.NewBuffer(nil)
	case 2:
		p.std, p.ours = bytes.NewBuffer([]byte{}), bytebuf.NewBuffer([]byte{})
	case 3:
		p.std, p.ours = bytes.NewBuffer(make([]byte, 0, n)), bytebuf.NewBuffer(make([]byte, 0, n))
	case 4:
		p.std, p.ours = bytes.NewBuffer(buffertest.Data(n)), bytebuf.NewBuffer(buffertest.Data(n))
	case 5:
		p.std, p.ours = new(bytes.Buffer), bytebuf.New()
	}
	p.sameCap = true
}

// clone replaces both buffers by copies of their structs.
func (p *pair) clone() {
	std, ours := *p.std, *p.ours
	p.std, p.ours = &std, &ours
}

// play interprets script as pairs of a call and a number, one byte each, and makes the calls.
func play(t *testing.T, script []byte) {
	p := newPair()
	script = script[:min(len(script), 200)] // every call compares all the contents
	for ; len(script) >= 2; script = script[2:] {
		op, n := int(script[0]), buffertest.Number(script[1])
		switch op {
		case 255:
			p.restart(max(n, 0))
			continue
		case 254:
			p.clone()
			continue
		}
		if !p.step(t, calls[op%len(calls)], n) {
			return
		}
	}
}

// FuzzBuffer makes the calls that the input selects on a Buffer and on a bytes.Buffer, and compares all results.
func FuzzBuffer(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 32 {
		f.Add(buffertest.Script(random, 60, len(calls)))
	}
	for op := range calls {
		f.Add([]byte{0, 20, byte(op), 7, 0, 60, byte(op), 66, byte(op), 0, 255, 63, byte(op), 200, byte(op), 3})
	}
	f.Fuzz(play)
}

// TestSameAsBytesBuffer is FuzzBuffer with random input.
func TestSameAsBytesBuffer(t *testing.T) {
	for seed := range uint64(500) {
		script := buffertest.Script(rand.New(rand.NewPCG(seed, 0)), 80, len(calls))
		if !t.Run(fmt.Sprint(seed), func(t *testing.T) { play(t, script) }) {
			t.Fatalf("script %q", script)
		}
	}
}

// TestSameMethods fails if a new version of Go adds a method to bytes.Buffer.
func TestSameMethods(t *testing.T) {
	std, ours := reflect.TypeFor[*bytes.Buffer](), reflect.TypeFor[*bytebuf.Buffer]()
	for want := range std.Methods() {
		got, ok := ours.MethodByName(want.Name)
		if !ok {
			t.Errorf("%s is missing", want.Name)
			continue
		}
		for i := 1; i < want.Type.NumIn(); i++ {
			if got.Type.NumIn() != want.Type.NumIn() || got.Type.In(i) != want.Type.In(i) {
				t.Errorf("%s: %v, want %v", want.Name, got.Type, want.Type)
			}
		}
		for i := range want.Type.NumOut() {
			if got.Type.NumOut() != want.Type.NumOut() || got.Type.Out(i) != want.Type.Out(i) {
				t.Errorf("%s: %v, want %v", want.Name, got.Type, want.Type)
			}
		}
	}
}
