package msgpack_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// A stubborn writer accepts a number of bytes, fails once, accepts as many again,
// and so on. It loses none.
type stubborn struct {
	bytes.Buffer
	takes, left int
}

func (s *stubborn) Write(b []byte) (int, error) {
	if len(b) <= s.left {
		s.left -= len(b)
		return s.Buffer.Write(b)
	}
	n, _ := s.Buffer.Write(b[:s.left])
	s.left = s.takes
	return n, errFault
}

// insist calls f again as long as the writer fails.
func insist(t *testing.T, f func() error) {
	t.Helper()
	for {
		err := f()
		if err == nil {
			return
		}
		if err != errFault {
			t.Fatal(err)
		}
	}
}

// TestEncoderLosesNothing writes short and long values, at once and in parts, to
// writers that fail at every position, and repeats each call that failed.
func TestEncoderLosesNothing(t *testing.T) {
	long := strings.Repeat("x", 50_000)
	var want []byte
	for i := range 2000 {
		want, _ = msgpack.MarshalAppend(want, []any{i, "some text", map[string]int{"k": i}})
		if i%500 == 0 {
			want, _ = msgpack.MarshalAppend(want, long)
			want, _ = msgpack.MarshalAppend(want, map[string][]byte{"k": []byte(long)})
		}
	}
	for _, takes := range []int{1 << 30, 1000, 32 << 10, 33_333, 70_001} {
		w := &stubborn{takes: takes, left: takes}
		e := msgpack.NewEncoder(w)
		for i := range 2000 {
			insist(t, func() error { return e.Encode([]any{i, "some text", map[string]int{"k": i}}) })
			if err := e.Encode([]any{i, make(chan int)}); !errors.Is(err, msgpack.ErrUnsupported) && err != errFault {
				t.Fatal(err)
			}
			if i%500 != 0 {
				continue
			}
			insist(t, func() error { return e.Encode(long) })
			insist(t, func() error { return e.WriteMapHeader(1) })
			insist(t, func() error { return e.WriteString("k") })
			insist(t, func() error { return e.WriteBytesHeader(uint32(len(long))) })
			for rest := []byte(long); len(rest) > 0; {
				n, err := e.Write(rest[:min(len(rest), 1+len(rest)*2/3)])
				if rest = rest[n:]; err != nil && err != errFault {
					t.Fatal(err)
				}
			}
		}
		insist(t, e.Flush)
		if !bytes.Equal(w.Bytes(), want) {
			t.Errorf("a writer that takes %d bytes got %d bytes, want %d, equal to %d", takes, w.Len(), len(want), equalBytes(w.Bytes(), want))
		}
	}
}

// equalBytes returns the length of the common prefix of a and b.
func equalBytes(a, b []byte) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// TestEncoderTokens writes each kind of value in parts.
func TestEncoderTokens(t *testing.T) {
	at := time.Unix(1, 0)
	for _, c := range []struct {
		name, want string
		write      func(e *msgpack.Encoder) error
	}{
		{"nil", "c0", (*msgpack.Encoder).WriteNil},
		{"bool", "c3", func(e *msgpack.Encoder) error { return e.WriteBool(true) }},
		{"int", "d1 ff00", func(e *msgpack.Encoder) error { return e.WriteInt(-256) }},
		{"uint", "cf ffffffffffffffff", func(e *msgpack.Encoder) error { return e.WriteUint(math.MaxUint64) }},
		{"float", "cb 3ff8000000000000", func(e *msgpack.Encoder) error { return e.WriteFloat(1.5) }},
		{"string", "a1 61", func(e *msgpack.Encoder) error { return e.WriteString("a") }},
		{"bytes", "c4 01 61", func(e *msgpack.Encoder) error { return e.WriteBytes([]byte("a")) }},
		{"no bytes", "c4 00", func(e *msgpack.Encoder) error { return e.WriteBytes(nil) }},
		{"time", "d6 ff 00000001", func(e *msgpack.Encoder) error { return e.WriteTime(at) }},
		{"ext", "d4 05 07", func(e *msgpack.Encoder) error { return e.WriteExt(msgpack.Ext{Type: 5, Data: []byte{7}}) }},
		{"Raw", "91 c0", func(e *msgpack.Encoder) error { return e.WriteRaw(msgpack.Raw{0x91, 0xc0}) }},
		{"no Raw", "c0", func(e *msgpack.Encoder) error { return e.WriteRaw(nil) }},
		{"empty array", "90", func(e *msgpack.Encoder) error { return e.WriteArrayHeader(0) }},
		{"empty map", "80", func(e *msgpack.Encoder) error { return e.WriteMapHeader(0) }},
		{"empty str in pieces", "a0", func(e *msgpack.Encoder) error { return e.WriteStringHeader(0) }},
		{"Encode of nil", "c0", func(e *msgpack.Encoder) error { return e.Encode(nil) }},
		{"str in pieces", "a2 6161", func(e *msgpack.Encoder) error {
			return errors.Join(e.WriteStringHeader(2), writeTwice(e, "a"))
		}},
		{"ext in pieces", "d5 05 6161", func(e *msgpack.Encoder) error {
			return errors.Join(e.WriteExtHeader(5, 2), writeTwice(e, "a"))
		}},
		{"containers", "92 81 01 90 80", func(e *msgpack.Encoder) error {
			return errors.Join(e.WriteArrayHeader(2), e.WriteMapHeader(1), e.WriteInt(1), e.WriteArrayHeader(0), e.WriteMapHeader(0))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			e := msgpack.NewEncoder(&b)
			if err := c.write(e); err != nil {
				t.Fatal(err)
			}
			if err := e.Flush(); err != nil || !bytes.Equal(b.Bytes(), unhex(t, c.want)) {
				t.Errorf("got % x, %v, want %s", b.Bytes(), err, c.want)
			}
			// As the only element it completes the array. As one of two it does
			// not.
			b.Reset()
			if err := errors.Join(e.WriteArrayHeader(1), c.write(e), e.Flush()); err != nil || !bytes.Equal(b.Bytes(), unhex(t, "91"+c.want)) {
				t.Errorf("in an array: got % x, %v", b.Bytes(), err)
			}
			err := errors.Join(e.WriteMapHeader(1), c.write(e), e.Flush())
			if !errors.Is(err, msgpack.ErrIncomplete) || !strings.Contains(err.Error(), "1 more value:") {
				t.Errorf("as a key: %v", err)
			}
		})
	}
}

func writeTwice(w io.Writer, s string) error {
	_, err1 := io.WriteString(w, s)
	_, err2 := io.WriteString(w, s)
	return errors.Join(err1, err2)
}

// TestEncoderIncomplete checks what the errors report as missing, and continues
// after them.
func TestEncoderIncomplete(t *testing.T) {
	var b bytes.Buffer
	e := msgpack.NewEncoder(&b)
	check := func(err, reason error, text string) {
		t.Helper()
		if !errors.Is(err, reason) || err.Error() != text {
			t.Errorf("got  %v\nwant %s", err, text)
		}
	}
	if err := errors.Join(e.WriteMapHeader(3), e.WriteInt(1), e.WriteArrayHeader(2)); err != nil {
		t.Fatal(err)
	}
	check(e.Flush(), msgpack.ErrIncomplete, "msgpack: marshal: want 6 more values: value is incomplete")
	if err := e.WriteBytesHeader(3); err != nil {
		t.Fatal(err)
	}
	check(e.Flush(), msgpack.ErrIncomplete, "msgpack: marshal: want 3 more bytes: value is incomplete")
	for name, f := range map[string]func() error{
		"Encode": func() error { return e.Encode(1) }, "WriteNil": e.WriteNil, "WriteMapHeader": func() error { return e.WriteMapHeader(1) },
		"WriteStringHeader": func() error { return e.WriteStringHeader(1) }, "WriteRaw": func() error { return e.WriteRaw(nil) },
	} {
		if err := f(); !errors.Is(err, msgpack.ErrIncomplete) {
			t.Errorf("%s within a payload: %v", name, err)
		}
	}
	if n, err := e.Write([]byte("1234")); n != 0 {
		t.Errorf("%d bytes written", n)
	} else {
		check(err, msgpack.ErrSurplus, "msgpack: marshal: found 4 bytes, want 3 more bytes: more than the header announced")
	}
	for _, piece := range []string{"12", "", "3"} {
		if n, err := e.Write([]byte(piece)); n != len(piece) || err != nil {
			t.Errorf("%q: %d, %v", piece, n, err)
		}
	}
	if n, err := e.Write([]byte{0}); n != 0 || !errors.Is(err, msgpack.ErrSurplus) {
		t.Errorf("one more: %d, %v", n, err)
	}
	check(e.Flush(), msgpack.ErrIncomplete, "msgpack: marshal: want 5 more values: value is incomplete")
	check(e.WriteExtHeader(-1, 4), msgpack.ErrTimestamp, "msgpack: marshal: found ext type -1 in WriteExtHeader, want WriteTime: malformed timestamp")
	for range 5 {
		if err := e.Encode([]int{7}); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Flush(); err != nil {
		t.Error(err)
	}
	if want := unhex(t, "83 01 92 c4 03 313233 9107 9107 9107 9107 9107"); !bytes.Equal(b.Bytes(), want) {
		t.Errorf("got % x, want % x", b.Bytes(), want)
	}
	_ = e.WriteArrayHeader(3)
	e.Reset(&b)
	if err := e.Flush(); err != nil {
		t.Errorf("after Reset: %v", err)
	}
}

// TestEncoderDepth checks that containers that are open in parts count as levels.
func TestEncoderDepth(t *testing.T) {
	e := newCodec(t, msgpack.Options{MaxDepth: 3}).NewEncoder(io.Discard)
	for range 3 {
		if err := e.WriteArrayHeader(2); err != nil {
			t.Fatal(err)
		}
	}
	for name, err := range map[string]error{
		"array": e.WriteArrayHeader(1), "empty map": e.WriteMapHeader(0), "Encode": e.Encode([]int{}), "Raw": e.WriteRaw(msgpack.Raw{0x90}),
	} {
		if !errors.Is(err, msgpack.ErrDepth) {
			t.Errorf("%s: %v, want ErrDepth", name, err)
		}
	}
	if err := errors.Join(e.WriteNil(), e.WriteNil(), e.Encode([]int{}), e.Encode([][]int{{}})); err != nil {
		t.Error(err)
	}
	if err := e.Flush(); err != nil {
		t.Error(err)
	}
}

// TestEncoderFaultyWriters uses writers that break their contract.
func TestEncoderFaultyWriters(t *testing.T) {
	for n, want := range map[int]string{-1: "invalid count", 1000: "invalid count", 1: "short write"} {
		e := msgpack.NewEncoder(countWriter(n))
		if err := e.Encode("abc"); err != nil {
			t.Fatal(err)
		}
		if err := e.Flush(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v", n, err)
		}
		var b bytes.Buffer
		e.Reset(&b)
		if err := errors.Join(e.Encode(1), e.Flush()); err != nil || b.String() != "\x01" {
			t.Errorf("after Reset: %q, %v", b.String(), err)
		}
		if err := msgpack.MarshalWrite(countWriter(n), "abc"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("MarshalWrite, %d: %v", n, err)
		}
	}
}

type countWriter int

func (c countWriter) Write([]byte) (int, error) { return int(c), nil }

// TestMarshalWrite checks that MarshalWrite writes the result of Marshal, or
// nothing if there is an error.
func TestMarshalWrite(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("before ")
	for _, v := range []any{nil, 1, "text", strings.Repeat("x", 10_000), make(chan int)} {
		before := b.Len()
		want, wantErr := msgpack.Marshal(v)
		for _, w := range []io.Writer{&b, struct{ io.Writer }{&b}} {
			err := msgpack.MarshalWrite(w, v)
			if (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
				t.Errorf("%T: %v, want %v", v, err, wantErr)
			}
		}
		if got := b.Bytes()[before:]; !bytes.Equal(got, append(want, want...)) {
			t.Errorf("%T: got % x", v, got)
		}
	}
	if err := msgpack.MarshalWrite(&stubborn{}, 1); err != errFault {
		t.Errorf("a writer that fails: %v", err)
	}
}

// TestEncoderForgetsLongValues checks that an Encoder releases memory that a long
// value has needed.
func TestEncoderForgetsLongValues(t *testing.T) {
	e := msgpack.NewEncoder(io.Discard)
	v := make([]byte, 8<<20)
	if err := errors.Join(e.Encode(v), e.Flush(), e.Encode(1), e.Flush()); err != nil {
		t.Fatal(err)
	}
	if n := allocated(func() { _ = e.Encode(v[:1<<20]) }); n < 1<<20 {
		t.Errorf("%s bytes allocated for a value of 1 MiB: the long buffer was not released", strconv.FormatUint(n, 10))
	}
	_ = e.Flush()
	_ = e.Encode(v)
	_ = e.Flush()
	if n := allocated(func() { _ = e.Encode(v); _ = e.Flush() }); n > 1<<20 {
		t.Errorf("%d bytes allocated for consecutive long values: the long buffer was not reused", n)
	}
}
