package binary

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/bytebuf"
	"github.com/octet-go/octet/internal/heaptest"
)

func TestMessages(t *testing.T) {
	for seed := range uint64(500) {
		messages(t, seed)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzMessages(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed)
	}
	f.Fuzz(messages)
}

// messages writes a random message and reads it back, complete and truncated,
// with every kind of writer and reader.
func messages(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 2))
	m, order := randomMessage(r), orders[r.IntN(len(orders))]
	want, ends := m.reference(order)
	for _, sink := range writers {
		to, written := sink.make()
		if sink.name == "calls" {
			continue // the sizes of the writes are not specified
		}
		w := NewWriter(to, order)
		m.write(w)
		n, err := w.End()
		if sink.name == "failing" {
			if len(want) > 0 && (err != io.ErrClosedPipe || n >= len(want)) {
				t.Errorf("to a failing writer: End returned %d, %v", n, err)
			}
			continue
		}
		if got := bytes.TrimPrefix(written(), []byte("before")); n != len(want) || err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v in %v to %s: got %x, %d, %v\nwant %x", m, order, sink.name, got, n, err, want)
		}
	}
	cuts := append([]int{0, r.IntN(len(want) + 1), r.IntN(len(want) + 1)}, ends...)
	for _, source := range sources {
		r := NewReader(source.make(want), order)
		got := m.read(r)
		if n, err := r.End(); n != len(want) || err != nil || !reflect.DeepEqual(got, m) {
			t.Errorf("%v in %v from %s: got %v, %d, %v", m, order, source.name, got, n, err)
		}
		for _, cut := range cuts {
			wantN, wantErr := truncated(m, ends, cut)
			r := NewReader(source.make(want[:cut]), order)
			m.read(r)
			if n, err := r.End(); n > cut || n < wantN || err != wantErr {
				t.Errorf("%v (ends %v) cut at %d from %s: End returned %d, %v, want %d, %v", m, ends, cut, source.name, n, err, wantN, wantErr)
			}
		}
	}
}

// truncated returns the expected result of reading m if the input ends at cut.
func truncated(m message, ends []int, cut int) (n int, err error) {
	for i, end := range ends {
		if end > cut {
			if n == cut {
				return n, io.EOF
			}
			return n, io.ErrUnexpectedEOF
		}
		_ = m[i]
		n = end
	}
	return n, nil
}

// sources creates every kind of reader that Reader knows, and some that it does
// not know.
var sources = []struct {
	name string
	make func(b []byte) io.Reader
}{
	{"bytes.Buffer", func(b []byte) io.Reader { return bytes.NewBuffer(b) }},
	{"bytebuf.Buffer", func(b []byte) io.Reader { return bytebuf.NewBuffer(b) }},
	{"bytes.Reader", func(b []byte) io.Reader { return bytes.NewReader(b) }},
	{"strings.Reader", func(b []byte) io.Reader { return strings.NewReader(string(b)) }},
	{"bufio.Reader", func(b []byte) io.Reader { return bufio.NewReaderSize(bytes.NewReader(b), 32) }},
	{"Reader", func(b []byte) io.Reader { return NewReader(iotest.HalfReader(bytes.NewReader(b)), BigEndian) }},
	{"one byte", func(b []byte) io.Reader { return iotest.OneByteReader(bytes.NewReader(b)) }},
	{"halves", func(b []byte) io.Reader { return iotest.HalfReader(bytes.NewReader(b)) }},
	{"data with error", func(b []byte) io.Reader { return iotest.DataErrReader(bytes.NewReader(b)) }},
}

// TestReaderDoesNotReadAhead checks that the Reader does not read ahead from the
// sources for which it promises this.
func TestReaderDoesNotReadAhead(t *testing.T) {
	for _, source := range sources[:6] {
		from := source.make([]byte("\x00\x01\x02abcrest"))
		r := NewReader(from, BigEndian)
		if v, b, s := r.Uint16(), r.Byte(), r.String(3); v != 1 || b != 2 || s != "abc" {
			t.Errorf("%s: got %d, %d, %q", source.name, v, b, s)
		}
		if rest, err := io.ReadAll(from); string(rest) != "rest" || err != nil {
			t.Errorf("%s: left %q, %v", source.name, rest, err)
		}
	}
}

// TestPeekLeavesBytes checks the same for Peek, also behind bytes of an earlier Peek, and
// that the values after it are right.
func TestPeekLeavesBytes(t *testing.T) {
	for _, source := range sources[:6] {
		for _, n := range []int{0, 1, 4, 20, 32, 600} {
			from := source.make([]byte("\x00\x01\x02abcrest"))
			r := NewReader(from, BigEndian)
			if source.name == "bufio.Reader" && n > 32 {
				continue // the bytes do not fit in its buffer
			}
			want := "\x02abcrest"[:min(n, 8)]
			if v, p, p2 := r.Uint16(), string(r.Peek(n)), string(r.Peek(n)); v != 1 || p != want || p2 != want {
				t.Errorf("%s: got %d, Peek(%d) %q, %q", source.name, v, n, p, p2)
			}
			r.Limit(3)
			if p := string(r.Peek(n)); p != want[:min(n, 3)] {
				t.Errorf("%s: Peek(%d) within a limit: %q", source.name, n, p)
			}
			r.Unlimit()
			if b, p, s := r.Byte(), string(r.Peek(1)), r.String(3); b != 2 || p != "a" || s != "abc" {
				t.Errorf("%s: got %d, %q, %q", source.name, b, p, s)
			}
			r.Peek(n)
			if taken, err := r.End(); taken != 6 || err != nil {
				t.Errorf("%s: End after Peek(%d): %d, %v", source.name, n, taken, err)
			}
			if rest, err := io.ReadAll(from); string(rest) != "rest" || err != nil {
				t.Errorf("%s: Peek(%d) left %q, %v", source.name, n, rest, err)
			}
		}
	}
	// An error of the input is that of the Reader. What arrived before it is there, whatever the source.
	for _, source := range []func(r io.Reader) io.Reader{
		func(r io.Reader) io.Reader { return r },
		func(r io.Reader) io.Reader { return bufio.NewReader(r) },
		func(r io.Reader) io.Reader { return NewReader(r, BigEndian) },
		func(r io.Reader) io.Reader { return NewReader(bufio.NewReader(r), BigEndian) },
	} {
		for _, arrived := range []string{"", "a", "ab", "abc"} {
			from := source(io.MultiReader(strings.NewReader(arrived), iotest.ErrReader(io.ErrClosedPipe)))
			r := NewReader(from, BigEndian)
			if p := string(r.Peek(4)); p != arrived {
				t.Errorf("%T: Peek %q, %q arrived", from, p, arrived)
			}
			if n, err := r.End(); n != 0 || err != io.ErrClosedPipe {
				t.Errorf("%T: got %d, %v", from, n, err)
			}
		}
	}
}

func TestReaderLimit(t *testing.T) {
	input := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9}
	cases := []struct {
		name string
		do   func(r *Reader)
		n    int
		err  error
	}{
		{"exactly", func(r *Reader) { r.Limit(4); r.Uint32() }, 4, nil},
		{"at the end", func(r *Reader) { r.Limit(4); r.Uint32(); r.Uint8() }, 4, io.EOF},
		{"inside a value", func(r *Reader) { r.Limit(3); r.Uint32() }, 0, io.ErrUnexpectedEOF},
		{"after a value", func(r *Reader) { r.Uint16(); r.Limit(3); r.Uint32() }, 2, io.ErrUnexpectedEOF},
		{"lifted", func(r *Reader) { r.Limit(4); r.Uint32(); r.Unlimit(); r.Uint32() }, 8, nil},
		{"nearer", func(r *Reader) { r.Limit(4); r.Limit(2); r.Uint16(); r.Uint8() }, 2, io.EOF},
		{"farther", func(r *Reader) { r.Limit(2); r.Limit(4) }, 0, io.ErrUnexpectedEOF},
		{"negative", func(r *Reader) { r.Limit(-1) }, 0, ErrLength},
		{"never reached", func(r *Reader) { r.Uint8(); r.Limit(math.MaxInt); expect(len(r.Peek(2)), 2); r.Skip(2); r.Uint16() }, 5, nil},
		{"never reached, and no more", func(r *Reader) { r.Limit(math.MaxInt); r.Skip(8); r.Uint16() }, 8, io.ErrUnexpectedEOF},
		{"string", func(r *Reader) { r.Limit(4); _ = r.String(5) }, 0, io.ErrUnexpectedEOF},
		{"slice", func(r *Reader) { r.Limit(4); r.Uint16Slice(3) }, 0, io.ErrUnexpectedEOF},
		{"skip", func(r *Reader) { r.Limit(4); r.Skip(5) }, 0, io.ErrUnexpectedEOF},
		{"skip within", func(r *Reader) { r.Limit(4); r.Skip(3); r.Uint8() }, 4, nil},
		{"skip backwards", func(r *Reader) { r.Skip(-1) }, 0, ErrLength},
		{"removed after an error", func(r *Reader) { r.Limit(1); r.Uint16(); r.Unlimit(); r.Uint16() }, 0, io.ErrUnexpectedEOF},
		{"peek", func(r *Reader) { r.Limit(2); expect(len(r.Peek(5)), 2) }, 0, nil},
		{"peek far", func(r *Reader) { expect(len(r.Peek(600)), 9); r.Uint64() }, 8, nil},
		{"left", func(r *Reader) { expect(r.Left(), -1); r.Limit(3); r.Uint8(); expect(r.Left(), 2) }, 1, nil},
		{"read", func(r *Reader) {
			r.Limit(3)
			b, err := io.ReadAll(r)
			expect(len(b), 3)
			expect(err, nil)
		}, 3, nil},
	}
	for _, c := range cases {
		for _, source := range sources {
			t.Run(c.name+"/"+source.name, func(t *testing.T) {
				r := NewReader(source.make(input), BigEndian)
				defer func() {
					if p := recover(); p != nil {
						t.Error(p)
					}
				}()
				c.do(r)
				if n, err := r.End(); n < c.n || n > c.n && c.err == nil || !errors.Is(err, c.err) {
					t.Errorf("End returned %d, %v, want %d, %v", n, err, c.n, c.err)
				}
			})
		}
	}
}

func expect(got, want any) {
	if got != want {
		panic(fmt.Sprintf("got %v, want %v", got, want))
	}
}

// TestReadAfterEOF reads again after more bytes have arrived.
func TestReadAfterEOF(t *testing.T) {
	var source bytes.Buffer
	r := NewReader(&source, BigEndian)
	b := make([]byte, 4)
	if n, err := r.Read(b); n != 0 || err != io.EOF {
		t.Fatalf("nothing there: %d, %v", n, err)
	}
	source.WriteString("\x01\x02\x03")
	if n, err := r.Read(b[:1]); n != 1 || err != nil || b[0] != 1 {
		t.Errorf("first byte: %d, %v", n, err)
	}
	if v := r.Uint16(); v != 0x0203 || r.err != nil {
		t.Errorf("the bytes after it: %#x, %v", v, r.err)
	}
}

// TestReaderLengthBeyondInt reads lengths that exceed the largest int.
func TestReaderLengthBeyondInt(t *testing.T) {
	for _, source := range sources {
		for name, read := range map[string]func(r *Reader) int{
			"bytes": func(r *Reader) int { return len(r.UvarintByteSlice()) }, "string": func(r *Reader) int { return len(r.UvarintString()) },
		} {
			r := NewReader(source.make([]byte("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01abc")), BigEndian)
			if n := read(r); n != 0 || !errors.Is(r.err, ErrLength) {
				t.Errorf("%s, %s: %d bytes, %v", source.name, name, n, r.err)
			}
		}
	}
}

// TestReaderHostileLength reads lengths without data after them. They must not
// cause a large allocation.
func TestReaderHostileLength(t *testing.T) {
	reads := map[string]func(r *Reader){
		"string":       func(r *Reader) { _ = r.String(int(r.Uint32())) },
		"byte slice":   func(r *Reader) { r.ByteSlice(int(r.Uint32())) },
		"uvarint":      func(r *Reader) { r.Uint32(); r.UvarintString() },
		"Uint64Slice":  func(r *Reader) { r.Uint64Slice(1 << 28) },
		"int overflow": func(r *Reader) { r.Uint64Slice(math.MaxInt / 4) },
		"negative":     func(r *Reader) { r.ByteSlice(-1) },
	}
	input := []byte{0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 1, 2, 3}
	for name, read := range reads {
		for _, source := range sources {
			t.Run(name+"/"+source.name, func(t *testing.T) { allocatesLittle(t, NewReader(source.make(input), BigEndian), read) })
		}
	}
}

// TestReaderLengthBeyondLimit reads lengths whose data extends past the limit.
func TestReaderLengthBeyondLimit(t *testing.T) {
	for _, source := range sources {
		t.Run(source.name, func(t *testing.T) {
			r := NewReader(source.make(make([]byte, 1<<20)), BigEndian)
			r.Limit(100)
			allocatesLittle(t, r, func(r *Reader) { r.Uint32Slice(1 << 18) })
		})
	}
}

// allocatesLittle checks that reading missing data does not allocate much.
func allocatesLittle(t *testing.T, r *Reader, read func(r *Reader)) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read(r)
	runtime.ReadMemStats(&after)
	if _, err := r.End(); !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, ErrLength) {
		t.Errorf("End returned %v", err)
	}
	// The call may allocate a scratch chunk, which is reused.
	if n := after.TotalAlloc - before.TotalAlloc; n > 64<<10 {
		t.Errorf("%d bytes allocated", n)
	}
}

// FuzzReader uses each byte of what to select a method, and reads the input
// with these methods.
func FuzzReader(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, bytes.Repeat([]byte{1, 0, 3}, 300))
	f.Add([]byte{8, 9, 10, 3, 4, 5}, bytes.Repeat([]byte{0xff}, 40))
	f.Fuzz(func(t *testing.T, what, input []byte) {
		var results []string
		var reused Reader
		for _, source := range sources {
			var result string
			reader, text := source.make(input), 0
			used := heaptest.Allocated(func() {
				reused.Reset(reader, BigEndian)
				result, text = readBy(t, &reused, what, len(input))
			})
			// Each call can return as much as Read is asked for, and the text has all values. Other goroutines of the
			// fuzzer allocate at the same time.
			if used > uint64(16*(len(input)+text)+1<<11*len(what)+2<<20) {
				t.Errorf("reading %d bytes by %d calls allocates %d", len(input), len(what), used)
			}
			results = append(results, result)
		}
		for i, got := range results {
			if got != results[0] {
				t.Errorf("values from %s differ from those from %s:\n%s\n%s", sources[i].name, sources[0].name, got, results[0])
			}
		}
	})
}

// readBy calls the methods of r that what selects. It returns the results as text, and the length of the text.
func readBy(t *testing.T, r *Reader, what []byte, size int) (string, int) {
	var seen []any
	for _, w := range what {
		var v any
		switch w % 17 {
		case 0:
			v = r.Bool()
		case 1:
			v = r.Uint16()
		case 2:
			v = r.Float64()
		case 3:
			v = r.String(int(r.Uint8()))
		case 4:
			v = r.ByteSlice(int(r.Uint32()))
		case 5:
			v = r.UvarintString()
		case 6:
			v = r.Varint()
		case 7:
			v = r.Uint32Slice(int(r.Uint8()))
		case 8:
			r.Limit(int(r.Uint8()))
		case 9:
			r.Unlimit()
		case 10:
			v = len(r.Peek(int(w)))
		case 11:
			r.Skip(int(w))
		case 12:
			v = r.ByteSlice(int(r.Uint8()))
		case 13:
			v = r.Uint16ByteSlice()
		case 14:
			v = r.Uint16String()
		case 15:
			b := make([]byte, r.Uint8())
			n, err := io.ReadFull(r, b)
			v = fmt.Sprint(b[:n], err)
		case 16:
			v = r.Int32()
		}
		seen = append(seen, v, r.Left())
	}
	n, err := r.End()
	if n < 0 || n > size {
		t.Errorf("%d of %d bytes consumed", n, size)
	}
	text := fmt.Sprint(seen, err)
	return text, len(text)
}

func TestWithoutStream(t *testing.T) {
	if n, err := NewWriter(nil, BigEndian).Uint16(1).String("x").End(); n != 0 || err == nil {
		t.Errorf("nil writer: End returned %d, %v", n, err)
	}
	if n, err := NewWriter(io.Discard, nil).Uint16(1).Uint16Slice([]uint16{1}).String(strings.Repeat("x", 1000)).End(); n != 0 || err == nil {
		t.Errorf("nil order: End returned %d, %v", n, err)
	}
	r := NewReader(nil, BigEndian)
	if v, s := r.Uint16(), r.Uint16String(); v != 0 || s != "" {
		t.Errorf("nil reader: got %d, %q", v, s)
	}
	if n, err := r.End(); n != 0 || err == nil {
		t.Errorf("nil reader: End returned %d, %v", n, err)
	}
	r = NewReader(strings.NewReader("abc"), nil)
	r.Uint16()
	if n, err := r.End(); n != 0 || err == nil {
		t.Errorf("nil order: End returned %d, %v", n, err)
	}
}

func TestWriterErrorStays(t *testing.T) {
	w := NewWriter(failing{}, BigEndian)
	for range 1000 {
		w.Uint32(1).Uvarint(300).ByteSlice(make([]byte, 600)).Float64Slice(make([]float64, 100))
	}
	if n, err := w.Write(make([]byte, 700)); n != 0 || err != io.ErrClosedPipe {
		t.Errorf("Write after an error returned %d, %v", n, err)
	}
	// The first value that does not fit comes after 510 bytes, and the failing
	// writer accepts half of the bytes.
	if n, err := w.End(); n == 0 || n > 510 || err != io.ErrClosedPipe {
		t.Errorf("End returned %d, %v", n, err)
	}
	w.Reset(io.Discard, BigEndian)
	if n, err := w.Uint8(1).End(); n != 1 || err != nil {
		t.Errorf("after Reset: End returned %d, %v", n, err)
	}
}

func TestWriterPrefixTooShort(t *testing.T) {
	for name, write := range map[string]func(w *Writer){
		"string":     func(w *Writer) { w.Uint16String(strings.Repeat("x", 65536)) },
		"byte slice": func(w *Writer) { w.Uint16ByteSlice(make([]byte, 65536)) },
		"before":     func(w *Writer) { w.Uint16ByteSlice(make([]byte, 65536)).Uint8(1) },
	} {
		var b bytes.Buffer
		w := NewWriter(&b, BigEndian)
		write(w)
		if n, err := w.End(); n != 0 || !errors.Is(err, ErrLength) || b.Len() != 0 {
			t.Errorf("%s: End returned %d, %v; wrote %d bytes", name, n, err, b.Len())
		}
	}
}

// TestWriterStores checks that values are collected until 512 bytes are full,
// and then written with one call.
func TestWriterStores(t *testing.T) {
	c := &calls{}
	w := NewWriter(c, BigEndian)
	for i := range 128 {
		w.Uint32(uint32(i))
	}
	if len(c.log) > 0 {
		t.Errorf("written before 512 bytes were collected: %s", c.log)
	}
	w.Uint8(1).End()
	if n := bytes.Count(c.log, []byte("[")); n != 2 {
		t.Errorf("%d calls for 513 bytes, want 2", n)
	}
}

// TestReaderMemory reads long slices of which only a part arrives. The memory grows with what arrives, as SECURITY.md says.
func TestReaderMemory(t *testing.T) {
	for _, arrived := range []int{0, 100_000, 3_000_000} {
		for name, read := range map[string]func(r *Reader){
			"ByteSlice": func(r *Reader) { r.ByteSlice(1 << 30) }, "String": func(r *Reader) { _ = r.String(1 << 30) }, "Uint64Slice": func(r *Reader) { r.Uint64Slice(1 << 27) },
		} {
			r := NewReader(iotest.DataErrReader(bytes.NewReader(make([]byte, arrived))), BigEndian)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			read(r)
			runtime.ReadMemStats(&after)
			if _, err := r.End(); !errors.Is(err, io.ErrUnexpectedEOF) && (arrived > 0 || err != io.EOF) {
				t.Errorf("%s of which %d bytes arrive: %v", name, arrived, err)
			}
			if got := int(after.TotalAlloc - before.TotalAlloc); got > 5*arrived+256<<10 {
				t.Errorf("%s of which %d bytes arrive: %d bytes of memory", name, arrived, got)
			}
		}
	}
}
