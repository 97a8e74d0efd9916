package binary

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/bytebuf"
	"github.com/octet-go/octet/internal/mem"
)

// library is the interface of encoding/binary, implemented by either package.
type library struct {
	read   func(io.Reader, ByteOrder, any) error
	write  func(io.Writer, ByteOrder, any) error
	append func([]byte, ByteOrder, any) ([]byte, error)
	encode func([]byte, ByteOrder, any) (int, error)
	decode func([]byte, ByteOrder, any) (int, error)
	size   func(any) int
}

var (
	standard = library{binary.Read, binary.Write, binary.Append, binary.Encode, binary.Decode, binary.Size}
	ours     = library{Read, Write, Append, Encode, Decode, Size}
)

// outcome runs f and returns its result as text, or its panic.
func outcome(f func() string) (s string) {
	defer func() {
		if p := recover(); p != nil {
			s = fmt.Sprintf("panic: %v", p)
		}
	}()
	return f()
}

// A subject is a type with a value, and the variables that are decoded into.
type subject struct {
	typ   reflect.Type
	value reflect.Value // a pointer to the value
	wire  []byte        // bytes to decode
}

// TestDifferential runs the same random calls through encoding/binary and through
// this package.
func TestDifferential(t *testing.T) {
	for seed := range uint64(1000) {
		differential(t, seed)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzDifferential(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(differential)
}

func differential(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	typ := randomType(r, 3)
	if r.IntN(3) == 0 {
		typ = reflect.SliceOf(typ)
	}
	s := subject{typ: typ, value: reflect.New(typ)}
	if typ.Kind() == reflect.Slice {
		n := r.IntN(20)
		if binary.Size(reflect.Zero(typ.Elem()).Interface()) < 0 {
			// The result of encoding/binary for a slice of unsupported structs
			// depends on earlier calls, because it multiplies its cached size
			// of -1.
			n++
		}
		s.value.Elem().Set(reflect.MakeSlice(typ, n, 20))
	}
	if binary.Size(s.value.Interface()) > oneCall {
		return // in pieces, which the package comment says
	}
	fillRandom(r, s.value.Elem())
	order := orders[r.IntN(len(orders))]
	s.wire = randomWire(r, typ, s.value, order)
	for _, check := range []func(*testing.T, *rand.Rand, subject, ByteOrder){encodes, decodes, reads} {
		check(t, r, s, order)
	}
}

// randomWire returns bytes to decode into typ: the encoding of another value,
// with any byte for true, and a few more bytes.
func randomWire(r *rand.Rand, typ reflect.Type, like reflect.Value, order ByteOrder) []byte {
	v := reflect.New(typ)
	if typ.Kind() == reflect.Slice {
		v.Elem().Set(reflect.MakeSlice(typ, like.Elem().Len(), like.Elem().Len()))
	}
	fillRandom(r, v.Elem())
	wire, err := binary.Append(nil, order, v.Interface())
	if err != nil {
		wire = make([]byte, 32)
	}
	if s := strings.ToLower(fmt.Sprint(typ)); !strings.Contains(s, "float") && !strings.Contains(s, "complex") {
		for i := range wire {
			wire[i] = byte(r.Uint32())
		}
	}
	return append(wire, 1, 2, 3, 4, 5)
}

// forms returns the value in every form that data may have.
func (s subject) forms() []any {
	null := reflect.Zero(reflect.PointerTo(s.typ)).Interface()
	return []any{s.value.Interface(), s.value.Elem().Interface(), null, reflect.New(s.value.Type()).Interface()}
}

func encodes(t *testing.T, r *rand.Rand, s subject, order ByteOrder) {
	n := max(binary.Size(s.value.Interface()), 0)
	short := r.IntN(n + 1)
	extra := r.IntN(20)
	for i, data := range s.forms() {
		if i == 2 && isBasic(s.typ) && extra > 10 {
			continue // panics are slow
		}
		see := func(l library) string {
			return outcome(func() string {
				dst := bytes.Repeat([]byte{0xee}, 10+n+extra)
				appended, err := l.append(dst[:10], order, data)
				s := fmt.Sprintf("append %x, %v; ", appended, err)
				dst = bytes.Repeat([]byte{0xee}, n+extra)
				k, err := l.encode(dst, order, data)
				s += fmt.Sprintf("encode %d %x, %v; ", k, dst, err)
				k, err = l.encode(dst[:short], order, data)
				s += fmt.Sprintf("encode short %d %x, %v; ", k, dst, err)
				return s + fmt.Sprintf("size %d", max(l.size(data), -1))
			})
		}
		same(t, fmt.Sprintf("%T in %v", data, order), see(ours), see(standard))
		for _, w := range writers {
			see := func(l library) string {
				return outcome(func() string {
					sink, bytes := w.make()
					err := l.write(sink, order, data)
					return fmt.Sprintf("write %x, %v", bytes(), err)
				})
			}
			same(t, fmt.Sprintf("%T in %v to %s", data, order, w.name), see(ours), see(standard))
		}
	}
}

// writers create a writer and a function that returns what was written.
var writers = []struct {
	name string
	make func() (io.Writer, func() []byte)
}{
	{"bytes.Buffer", func() (io.Writer, func() []byte) {
		b := bytes.NewBufferString("before")
		return b, b.Bytes
	}},
	{"bytebuf.Buffer", func() (io.Writer, func() []byte) {
		b := bytebuf.NewBufferString("before")
		return b, b.Bytes
	}},
	{"bufio.Writer", func() (io.Writer, func() []byte) {
		var b bytes.Buffer
		w := bufio.NewWriterSize(&b, 60)
		_, _ = w.WriteString("before")
		return w, func() []byte { w.Flush(); return b.Bytes() }
	}},
	{"calls", func() (io.Writer, func() []byte) {
		c := &calls{}
		return c, func() []byte { return c.log }
	}},
	{"failing", func() (io.Writer, func() []byte) {
		return failing{}, func() []byte { return nil }
	}},
}

// calls records the argument of each Write.
type calls struct{ log []byte }

func (c *calls) Write(b []byte) (int, error) {
	c.log = fmt.Appendf(c.log, "[%x]", b)
	return len(b), nil
}

type failing struct{}

func (failing) Write(b []byte) (int, error) { return len(b) / 2, io.ErrClosedPipe }

// targets returns two equal variables of the subject's type.
func (s subject) targets() (a, b reflect.Value) {
	a, b = reflect.New(s.typ), reflect.New(s.typ)
	for _, v := range []reflect.Value{a, b} {
		if s.typ.Kind() == reflect.Slice {
			v.Elem().Set(reflect.MakeSlice(s.typ, s.value.Elem().Len(), s.value.Elem().Len()))
			reflect.Copy(v.Elem(), s.value.Elem())
		} else {
			copy(memoryOf(v), memoryOf(s.value))
		}
	}
	return a, b
}

// content returns every byte of the decoded variable, including padding.
func (s subject) content(v reflect.Value) []byte {
	if s.typ.Kind() != reflect.Slice {
		return memoryOf(v)
	}
	if n := v.Elem().Len() * int(s.typ.Elem().Size()); n > 0 {
		return mem.Slice(mem.PtrOf(v.Elem()), n)
	}
	return nil
}

func decodes(t *testing.T, r *rand.Rand, s subject, order ByteOrder) {
	n := max(binary.Size(s.value.Interface()), 0)
	lengths := []int{r.IntN(n + 1), n, len(s.wire)}
	for form := range 4 {
		for _, length := range lengths {
			length = min(length, len(s.wire))
			if length > n && (s.typ == reflect.TypeFor[[]bool]() || s.typ == reflect.TypeFor[[]int8]()) {
				continue // encoding/binary panics here by mistake
			}
			a, b := s.targets()
			see := func(l library, v reflect.Value) string {
				return outcome(func() string {
					k, err := l.decode(s.wire[:length], order, form4(v, form))
					return fmt.Sprintf("%d, %v", k, err)
				}) + fmt.Sprintf(" %x", s.content(v))
			}
			same(t, fmt.Sprintf("decode %d of %d bytes to %v form %d in %v", length, n, s.typ, form, order), see(ours, a), see(standard, b))
		}
	}
}

// form4 returns v, a pointer, in one of the four forms of data.
func form4(v reflect.Value, form int) any {
	switch form {
	case 0:
		return v.Interface()
	case 1:
		return v.Elem().Interface()
	case 2:
		return reflect.Zero(v.Type()).Interface()
	}
	return reflect.New(v.Type()).Interface()
}

func reads(t *testing.T, r *rand.Rand, s subject, order ByteOrder) {
	n := max(binary.Size(s.value.Interface()), 0)
	for form := range 4 {
		for _, reader := range readers {
			length := min([]int{0, r.IntN(n + 1), n, n + 5}[r.IntN(4)], len(s.wire))
			a, b := s.targets()
			see := func(l library, v reflect.Value) string {
				source, after := reader.make(s.wire[:length])
				return outcome(func() string {
					return fmt.Sprint(l.read(source, order, form4(v, form)))
				}) + fmt.Sprintf(" %x; %s", s.content(v), after())
			}
			same(t, fmt.Sprintf("read %d of %d bytes to %v form %d in %v from %s", length, n, s.typ, form, order, reader.name),
				see(ours, a), see(standard, b))
		}
	}
}

// readers create a reader and a function that returns the unread bytes.
var readers = []struct {
	name string
	make func(b []byte) (io.Reader, func() string)
}{
	{"bytes.Buffer", func(b []byte) (io.Reader, func() string) {
		buf := bytes.NewBuffer(bytes.Clone(b))
		return buf, func() string { return fmt.Sprint(buf.UnreadByte(), buf.Len()) }
	}},
	{"bytebuf.Buffer", func(b []byte) (io.Reader, func() string) {
		buf := bytebuf.NewBuffer(bytes.Clone(b))
		return buf, func() string { return fmt.Sprint(buf.UnreadByte() == nil, buf.Len()) }
	}},
	{"bytes.Reader", func(b []byte) (io.Reader, func() string) {
		r := bytes.NewReader(b)
		return r, func() string { return fmt.Sprint(r.UnreadByte(), r.Len()) }
	}},
	{"strings.Reader", func(b []byte) (io.Reader, func() string) {
		r := strings.NewReader(string(b))
		return r, func() string { return fmt.Sprint(r.UnreadByte(), r.Len()) }
	}},
	{"bufio.Reader", func(b []byte) (io.Reader, func() string) {
		r := bufio.NewReaderSize(bytes.NewReader(b), 32)
		_, _ = r.Peek(16)
		return r, func() string {
			err := r.UnreadByte()
			rest, _ := io.ReadAll(r)
			return fmt.Sprint(err, len(rest))
		}
	}},
	{"halves", func(b []byte) (io.Reader, func() string) {
		r := bytes.NewReader(b)
		return iotest.HalfReader(r), func() string { return fmt.Sprint(r.Len()) }
	}},
	{"failing", func(b []byte) (io.Reader, func() string) {
		return io.MultiReader(bytes.NewReader(b), iotest.ErrReader(io.ErrClosedPipe)), func() string { return "" }
	}},
}

func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\ngot  %s\nwant %s", what, got, want)
	}
}
