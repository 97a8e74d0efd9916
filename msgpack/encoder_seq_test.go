package msgpack_test

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// count yields the integers from 0 to n-1.
func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// TestEncodeSeq checks that a sequence is encoded like the slice or map with the
// same elements.
func TestEncodeSeq(t *testing.T) {
	for _, n := range []int{0, 1, 15, 16, 70_000} {
		for _, inArray := range []bool{false, true} {
			want, _ := msgpack.Marshal(slices.Collect(count(n)))
			if n == 0 {
				want = []byte{0x90}
			}
			pairs, _ := msgpack.Marshal(map[int]bool{7: true})
			want = slices.Concat(want, pairs)
			var b bytes.Buffer
			e := msgpack.NewEncoder(&b)
			if inArray {
				want = append([]byte{0x92}, want...)
				_ = e.WriteArrayHeader(2)
			}
			if err := msgpack.EncodeSeq(e, n, count(n)); err != nil {
				t.Fatal(err)
			}
			if err := msgpack.EncodeSeq2(e, 1, maps.All(map[int]bool{7: true})); err != nil {
				t.Fatal(err)
			}
			if err := e.Flush(); err != nil || !bytes.Equal(b.Bytes(), want) {
				t.Errorf("%d elements, in an array %v: %d bytes, %v", n, inArray, b.Len(), err)
			}
		}
	}
	// Elements of different types.
	text := "x"
	var b bytes.Buffer
	e := msgpack.NewEncoder(&b)
	for _, err := range []error{
		msgpack.EncodeSeq(e, 3, slices.Values([]any{nil, 1, "a"})),
		msgpack.EncodeSeq(e, 2, slices.Values([]*string{&text, nil})),
		msgpack.EncodeSeq(e, 1, slices.Values([]map[string]int{{"k": 1}})),
		msgpack.EncodeSeq2(e, 1, maps.All(map[string][]int{"k": {1}})),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	if err, want := e.Flush(), unhex(t, "93 c0 01 a161  92 a178 c0  91 81 a16b 01  81 a16b 9101"); err != nil || !bytes.Equal(b.Bytes(), want) {
		t.Errorf("got % x, %v, want % x", b.Bytes(), err, want)
	}
}

// TestEncodeSeqFails encodes sequences that are too short, too long or faulty in
// other ways. Bytes that were not written are dropped, and what was written never
// becomes a valid message.
func TestEncodeSeqFails(t *testing.T) {
	pairs := func(n int) iter.Seq2[string, int] {
		return func(yield func(string, int) bool) {
			for i := range n {
				if !yield(strings.Repeat("k", i%100), i) {
					return
				}
			}
		}
	}
	for _, c := range []struct {
		name, text string
		reason     error
		write      func(e *msgpack.Encoder, n int) error
	}{
		{"too short", "msgpack: marshal: found sequence of N-1 elements, want N elements: value is incomplete", msgpack.ErrIncomplete,
			func(e *msgpack.Encoder, n int) error { return msgpack.EncodeSeq(e, n, count(n-1)) }},
		{"too long", "msgpack: marshal: found sequence of more than N elements: more than the header announced", msgpack.ErrSurplus,
			func(e *msgpack.Encoder, n int) error { return msgpack.EncodeSeq(e, n, count(n+1)) }},
		{"too few pairs", "msgpack: marshal: found sequence of N-1 pairs, want N pairs: value is incomplete", msgpack.ErrIncomplete,
			func(e *msgpack.Encoder, n int) error { return msgpack.EncodeSeq2(e, n, pairs(n-1)) }},
		{"too many pairs", "msgpack: marshal: found sequence of more than N pairs: more than the header announced", msgpack.ErrSurplus,
			func(e *msgpack.Encoder, n int) error { return msgpack.EncodeSeq2(e, n, pairs(n+1)) }},
		{"last element", "msgpack: marshal [N-1]: found chan int: unsupported type", msgpack.ErrUnsupported,
			func(e *msgpack.Encoder, n int) error {
				return msgpack.EncodeSeq(e, n, func(yield func(any) bool) {
					for i := range n - 1 {
						if !yield(i) {
							return
						}
					}
					yield(make(chan int))
				})
			}},
		{"value of a pair", `msgpack: marshal ["last"].A: found chan int: unsupported type`, msgpack.ErrUnsupported,
			func(e *msgpack.Encoder, n int) error {
				type target struct{ A any }
				return msgpack.EncodeSeq2(e, n, func(yield func(string, target) bool) {
					for i := range n - 1 {
						if !yield("k", target{i}) {
							return
						}
					}
					yield("last", target{make(chan int)})
				})
			}},
		{"Flush by the iterator", "msgpack: marshal: found sequence of 1 element, want N elements: value is incomplete", msgpack.ErrIncomplete,
			func(e *msgpack.Encoder, n int) error {
				return msgpack.EncodeSeq(e, n, func(yield func(int) bool) {
					yield(1)
					if err := e.Flush(); !errors.Is(err, msgpack.ErrIncomplete) {
						t.Errorf("Flush by the iterator: %v", err)
					}
				})
			}},
		{"Encode by the iterator", "msgpack: marshal: found sequence whose iterator used the Encoder: not a single valid MessagePack value", msgpack.ErrInvalid,
			func(e *msgpack.Encoder, n int) error {
				return msgpack.EncodeSeq(e, n, func(yield func(int) bool) {
					for i := range n {
						yield(i)
					}
					_ = e.Encode(1)
				})
			}},
		{"header by the iterator", "msgpack: marshal: found sequence whose iterator used the Encoder: not a single valid MessagePack value", msgpack.ErrInvalid,
			func(e *msgpack.Encoder, n int) error {
				return msgpack.EncodeSeq(e, n, func(yield func(int) bool) {
					_ = e.WriteStringHeader(1)
					yield(1)
				})
			}},
	} {
		for _, n := range []int{5, 100_000} {
			for _, inArray := range []bool{false, true} {
				var b bytes.Buffer
				e := msgpack.NewEncoder(&b)
				_ = e.Encode("before")
				if inArray {
					_ = e.WriteArrayHeader(2)
				}
				err := c.write(e, n)
				text := strings.NewReplacer("N-1", strconv.Itoa(n-1), "N", strconv.Itoa(n)).Replace(c.text)
				if !errors.Is(err, c.reason) || err.Error() != text {
					t.Errorf("%s: got  %v\nwant %s", c.name, err, text)
				}
				stays := b.Len() > 0 || c.reason == msgpack.ErrInvalid
				if stays {
					checkStays(t, e, err)
				} else if n > 5 && !strings.Contains(c.name, "iterator") {
					t.Errorf("%s: %d elements were kept in memory", c.name, n)
				}
				if stays && msgpack.Valid(bytes.TrimPrefix(b.Bytes(), []byte("\xa6before"))) == nil {
					t.Errorf("%s: the output looks like a complete value", c.name)
				}
				if !stays {
					want := "\xa6before\x01\x02"
					if inArray {
						want = "\xa6before\x92\x01\x02"
					}
					err := e.Encode(1)
					if missing := e.Flush(); errors.Is(missing, msgpack.ErrIncomplete) != inArray {
						t.Errorf("%s, in an array %v: Flush after one value: %v", c.name, inArray, missing)
					}
					if err := errors.Join(err, e.Encode(2), e.Flush()); err != nil || b.String() != want {
						t.Errorf("%s, in an array %v: continued with %q, %v", c.name, inArray, b.String(), err)
					}
				}
				b.Reset()
				e.Reset(&b)
				if err := errors.Join(e.Encode(1), e.Flush()); err != nil || b.String() != "\x01" {
					t.Errorf("%s: after Reset: %q, %v", c.name, b.String(), err)
				}
			}
		}
	}
}

// checkStays checks that all other methods return the same error.
func checkStays(t *testing.T, e *msgpack.Encoder, want error) {
	t.Helper()
	for name, f := range map[string]func() error{
		"Encode": func() error { return e.Encode(1) }, "Flush": e.Flush, "WriteNil": e.WriteNil,
		"WriteMapHeader": func() error { return e.WriteMapHeader(1) }, "WriteString": func() error { return e.WriteString("") },
		"Write": func() error { _, err := e.Write(nil); return err }, "EncodeSeq": func() error { return msgpack.EncodeSeq(e, 0, count(0)) },
	} {
		if err := f(); err != want {
			t.Errorf("%s: %v after %v", name, err, want)
		}
	}
}

// TestEncodeSeqLimits checks that limits of depth and length apply to sequences.
func TestEncodeSeqLimits(t *testing.T) {
	e := newCodec(t, msgpack.Options{MaxDepth: 2, MaxElements: 3}).NewEncoder(io.Discard)
	_ = e.WriteArrayHeader(2)
	_ = e.WriteArrayHeader(1)
	for name, c := range map[string]struct{ err, want error }{
		"depth":    {msgpack.EncodeSeq(e, 1, count(1)), msgpack.ErrDepth},
		"negative": {msgpack.EncodeSeq(e, -1, count(1)), msgpack.ErrLimit},
		"elements": {msgpack.EncodeSeq2(msgpack.NewEncoder(io.Discard), -1, maps.All(map[int]int{})), msgpack.ErrLimit},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
	if math.MaxInt > math.MaxUint32 {
		if err := msgpack.EncodeSeq(e, math.MaxInt, count(1)); !errors.Is(err, msgpack.ErrLimit) {
			t.Errorf("more than a header can announce: %v", err)
		}
	}
	_ = e.WriteNil()
	if err := msgpack.EncodeSeq(e, 4, count(4)); !errors.Is(err, msgpack.ErrLimit) {
		t.Errorf("4 elements: %v", err)
	}
	if err := errors.Join(msgpack.EncodeSeq(e, 3, count(3)), e.Flush()); err != nil {
		t.Errorf("after errors: %v", err)
	}
}

// TestEncodeSeqPanics uses an Encoder after an iterator has panicked.
func TestEncodeSeqPanics(t *testing.T) {
	var b bytes.Buffer
	e := msgpack.NewEncoder(&b)
	func() {
		defer func() { _ = recover() }()
		_ = msgpack.EncodeSeq(e, 3, func(yield func(int) bool) {
			yield(1)
			panic("fault")
		})
	}()
	if err := errors.Join(e.Encode(1), e.Flush()); err != nil || b.String() != "\x01" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// TestEncodeSeqWriterFails checks that a part of a sequence never looks like a
// complete value.
func TestEncodeSeqWriterFails(t *testing.T) {
	for _, takes := range []int{0, 10, 40_000, 100_000} {
		w := &stubborn{takes: takes, left: takes}
		e := msgpack.NewEncoder(w)
		err := msgpack.EncodeSeq(e, 200_000, count(200_000))
		if err != errFault {
			t.Fatalf("%d: %v", takes, err)
		}
		if w.Len() > 0 {
			checkStays(t, e, errFault)
		} else if err := errors.Join(e.Encode(1), e.Encode(2)); err != nil {
			t.Errorf("%d: %v", takes, err)
		}
		insist(t, func() error { e.Reset(w); return e.Flush() })
		if msgpack.Valid(w.Bytes()) == nil {
			t.Errorf("%d: the output looks like a complete value", takes)
		}
	}
}

// TestEncodeSeqMemory writes a long sequence without keeping it in memory.
func TestEncodeSeqMemory(t *testing.T) {
	skipIfInstrumented(t)
	type row struct {
		A int
		B string
	}
	e := msgpack.NewEncoder(io.Discard)
	rows := func(yield func(row) bool) {
		for i := range 300_000 {
			if !yield(row{i, "text"}) {
				return
			}
		}
	}
	if used := allocated(func() {
		if err := msgpack.EncodeSeq(e, 300_000, rows); err != nil {
			t.Error(err)
		}
	}); used > 256<<10 {
		t.Errorf("%d bytes allocated", used)
	}
}

// TestAutoFlush checks the written bytes after each call.
func TestAutoFlush(t *testing.T) {
	var b bytes.Buffer
	e := msgpack.NewEncoder(&b)
	e.AutoFlush(true)
	check := func(name, want string, err error) {
		t.Helper()
		if err != nil || b.String() != want {
			t.Errorf("%s: %q, %v, want %q", name, b.String(), err, want)
		}
		b.Reset()
	}
	check("Encode", "\x01", e.Encode(1))
	check("WriteInt", "\x02", e.WriteInt(2))
	check("WriteRaw", "\x91\x01", e.WriteRaw(msgpack.Raw{0x91, 1}))
	check("empty map", "\x80", e.WriteMapHeader(0))
	check("empty str", "\xa0", e.WriteStringHeader(0))
	check("header", "", e.WriteArrayHeader(2))
	check("first element", "", e.Encode(1))
	check("last element", "\x92\x01\xa1a", e.WriteString("a"))
	check("payload header", "", e.WriteBytesHeader(3))
	_, err := e.Write([]byte("ab"))
	check("piece", "", err)
	_, err = e.Write([]byte("c"))
	check("last piece", "\xc4\x03abc", err)
	check("EncodeSeq", "\x92\x00\x01", msgpack.EncodeSeq(e, 2, count(2)))
	check("EncodeSeq2", "\x81\x00\x01", msgpack.EncodeSeq2(e, 1, slices.All([]int{1})))
	check("empty EncodeSeq", "\x90", msgpack.EncodeSeq(e, 0, count(0)))
	if err := e.Encode(make(chan int)); !errors.Is(err, msgpack.ErrUnsupported) || b.Len() > 0 {
		t.Errorf("%v, %q", err, b.Bytes())
	}
	e.Reset(&b)
	check("after Reset", "\x01", e.Encode(1))
	e.AutoFlush(false)
	check("off", "", e.Encode(1))
	check("Flush", "\x01", e.Flush())

	// The next call writes a value that the writer has refused.
	w := &stubborn{takes: 10, left: 2}
	e.Reset(w)
	e.AutoFlush(true)
	if err := e.Encode("abc"); err != errFault {
		t.Errorf("a writer that fails: %v", err)
	}
	if err := e.Encode(5); err != nil || w.String() != "\xa3abc\x05" {
		t.Errorf("then %q, %v", w.String(), err)
	}
}

// TestAutoFlushFails writes long values, whole and in parts, to a writer that fails again
// and again. After each error, it calls Flush as AutoFlush says, and no value is lost or
// written twice.
func TestAutoFlushFails(t *testing.T) {
	for takes := 7_000; takes < 100_000; takes += 9_000 {
		w := &stubborn{takes: takes, left: takes}
		e := msgpack.NewEncoder(w)
		e.AutoFlush(true)
		var want []byte
		write := func(part any) {
			t.Helper()
			for {
				err := e.Encode(part)
				if err == nil {
					return
				}
				for err == errFault {
					err = e.Flush()
				}
				if err == nil {
					return
				}
				if !errors.Is(err, msgpack.ErrIncomplete) {
					t.Fatalf("%d bytes at a time: %v", takes, err)
				}
			}
		}
		for i := range 5 {
			value := bytes.Repeat([]byte{byte(i)}, 45_000)
			write(value)
			want = append(want, marshal(t, value)...)
			insist(t, func() error { return e.WriteArrayHeader(3) })
			for range 3 {
				write(value)
			}
			want = append(want, marshal(t, [][]byte{value, value, value})...)
		}
		if !bytes.Equal(w.Bytes(), want) {
			t.Errorf("%d bytes at a time: got %d bytes, want %d", takes, w.Len(), len(want))
		}
	}
}
