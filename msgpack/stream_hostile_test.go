package msgpack_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/msgpack"
)

// streamBase is the memory of a Decoder and its first buffer.
const streamBase = 6 << 10

// hideLen hides the Len method of a reader from a Decoder.
func hideLen(data []byte) io.Reader { return struct{ io.Reader }{bytes.NewReader(data)} }

// TestHostileStreams decodes headers from streams that claim few values, many
// values, or slightly too many, into every kind of target.
func TestHostileStreams(t *testing.T) {
	oneProcessor(t)
	lefts, fills := []int{0, 1, 16, 100}, []byte{0xc0, 0xa0, 0xc1}
	if reduced() {
		lefts, fills = []int{0, 7}, []byte{0xc0}
	}
	for _, typ := range hostileTargets {
		_ = msgpack.Unmarshal([]byte{0xc0}, reflect.New(typ).Interface()) // compiles the type
	}
	for _, left := range lefts {
		for i, header := range hostileHeaders(left) {
			for k, fill := range fills {
				data := append(bytes.Clone(header), bytes.Repeat([]byte{fill}, left)...)
				for j, typ := range hostileTargets {
					if (i+j+k)%4 == 0 {
						checkStream(t, typ, data, uint64(i))
					}
					if (i+j)%4 != k {
						continue
					}
					got := reflect.New(typ).Interface()
					used := allocated(func() { _ = msgpack.NewDecoder(hideLen(data)).Decode(got) })
					if bound := memoryBound(typ, len(data)) + streamBase; used > bound {
						t.Errorf("% x into %v: %d bytes allocated, more than %d", data, typ, used, bound)
					}
				}
				if t.Failed() {
					return
				}
			}
		}
	}
}

// TestStreamMemory decodes and skips values whose headers claim 4 GiB, of which at
// most 3 MB arrive. The memory must be in proportion to what arrives.
func TestStreamMemory(t *testing.T) {
	for _, header := range []string{"\xdb\xff\xff\xff\xff", "\xc6\xff\xff\xff\xff", "\xc9\xff\xff\xff\xff\x01", "\xdd\xff\xff\xff\xff", "\xdf\xff\xff\xff\xff", "\xc6\x00\xb0\x00\x00"} {
		for _, arrived := range []int{0, 1000, 100_000, 3_000_000} {
			data := append([]byte(header), make([]byte, arrived)...)
			for name, read := range map[string]func(d *msgpack.Decoder) error{
				"any":    func(d *msgpack.Decoder) error { return d.Decode(new(any)) },
				"string": func(d *msgpack.Decoder) error { return d.Decode(new(string)) },
				"ints":   func(d *msgpack.Decoder) error { return d.Decode(new([]int)) },
				"map":    func(d *msgpack.Decoder) error { return d.Decode(new(map[string]int)) },
				"Raw":    func(d *msgpack.Decoder) error { _, err := d.ReadRaw(); return err },
			} {
				var err error
				used := allocated(func() { err = read(msgpack.NewDecoder(hideLen(data))) })
				if !errors.Is(err, msgpack.ErrTruncated) {
					t.Errorf("%s of % x and %d bytes: %v", name, header, arrived, err)
				}
				if bound := uint64(6*arrived) + longBuffer; used > bound {
					t.Errorf("%s of % x and %d bytes: %d bytes allocated, more than %d", name, header, arrived, used, bound)
				}
			}
			used := allocated(func() {
				_ = msgpack.NewDecoder(hideLen(data)).Skip()
				if _, r, err := msgpack.NewDecoder(hideLen(data)).ReadPayload(); err == nil {
					_, _ = r.Read(make([]byte, 10))
				}
			})
			if bound := uint64(4 * longBuffer); used > bound {
				t.Errorf("skipping % x and %d bytes: %d bytes allocated, more than %d", header, arrived, used, bound)
			}
		}
	}
}

// longBuffer bounds what a Decoder allocates for buffers only to be faster: the
// longest such buffer and the shorter ones before it.
const longBuffer = 160 << 10

// TestStreamOfSingleBytes delivers a long stream byte by byte. If each byte made the
// Decoder start again, the test would take hours.
func TestStreamOfSingleBytes(t *testing.T) {
	n := 1 << 20
	if reduced() {
		n = 1 << 17
	}
	array := append([]byte{0xdd, byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}, make([]byte, n)...)
	var ints []int8
	d := msgpack.NewDecoder(iotest.OneByteReader(bytes.NewReader(array)))
	if err := d.Decode(&ints); err != nil || len(ints) != n {
		t.Errorf("%d, %v", len(ints), err)
	}
	array[0] = 0xdb
	for _, read := range []func(d *msgpack.Decoder) error{
		func(d *msgpack.Decoder) error { return d.Decode(new(string)) }, (*msgpack.Decoder).Skip,
		func(d *msgpack.Decoder) error {
			_, r, err := d.ReadPayload()
			if err == nil {
				_, err = io.Copy(io.Discard, r)
			}
			return err
		},
	} {
		d.Reset(iotest.OneByteReader(bytes.NewReader(array)))
		if err := read(d); err != nil || d.InputOffset() != int64(len(array)) {
			t.Errorf("%v, now at %d", err, d.InputOffset())
		}
	}
	d.Reset(iotest.OneByteReader(bytes.NewReader(array[5:])))
	for range n {
		checkInt(t, d, 0)
	}
}

// TestStreamDecodesTwiceAtMost delivers a long value in many pieces. The Decoder
// must not decode the value from its beginning again for each piece.
func TestStreamDecodesTwiceAtMost(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	data, err := msgpack.Marshal([]string{long, long, long})
	if err != nil {
		t.Fatal(err)
	}
	var v []string
	var input bytes.Buffer
	input.Grow(len(data))
	used := allocated(func() {
		d := msgpack.NewDecoder(&input)
		d.Tail(true)
		for at := 0; at < len(data); at += 1000 {
			input.Write(data[at:min(at+1000, len(data))])
			err = d.Decode(&v)
		}
	})
	if err != nil || len(v) != 3 || v[2] != long {
		t.Fatalf("got %d strings, %v", len(v), err)
	}
	// Twice the strings, at most four times the value for the buffer, and errors.
	if bound := uint64(7*len(data) + longBuffer); used > bound {
		t.Errorf("%d bytes allocated for %d, more than %d", used, len(data), bound)
	}
}

// TestStreamAttempts delivers large values in pieces, after small values that were
// complete. These make the Decoder expect that the next value is complete too, so
// it starts to decode the large one too early. The memory for such attempts must
// stay within the eighth that SECURITY.md allows.
func TestStreamAttempts(t *testing.T) {
	skipIfInstrumented(t)
	_ = msgpack.Unmarshal([]byte{0xc0}, new(any))
	maps := "\xdc\x00\x14" + strings.Repeat("\x9f"+strings.Repeat("\x81\xa0\xc0", 15), 20)
	for _, few := range []int{10, 100} {
		data := bytes.Repeat([]byte(strings.Repeat("\x01", few)+maps), 60)
		whole := allocated(func() {
			for rest := data; len(rest) > 0; {
				n, err := msgpack.UnmarshalPrefix(rest, new(any))
				if err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
		})
		for _, piece := range []int{100, 1000} {
			r := bytes.NewReader(data)
			d := msgpack.NewDecoder(readFunc(func(b []byte) (int, error) { return r.Read(b[:min(len(b), piece)]) }))
			used := allocated(func() {
				for v, err := range msgpack.Values[any](d) {
					if err != nil {
						t.Fatal(v, err)
					}
				}
			})
			if bound := whole + uint64(anyFactor*len(data)/8+longBuffer); used > bound {
				t.Errorf("%d values before, pieces of %d: %d bytes took %d bytes, more than %d", few, piece, len(data), used, bound)
			}
		}
	}
}

// The method of a reentrant uses the Decoder that is decoding the value.
type reentrant struct{ d *msgpack.Decoder }

func (s reentrant) UnmarshalMsgpack([]byte) error {
	var v struct{ After string }
	return s.d.Decode(&v)
}

// TestStreamStringsStay decodes strings that share memory, and compares them again
// after many others were decoded.
func TestStreamStringsStay(t *testing.T) {
	type value struct {
		Name  string
		Bytes []byte
		Ints  []uint16
		Any   any
	}
	var data []byte
	var want []value
	for i := range 5000 {
		text := strings.Repeat(string(rune('a'+i%26)), i%40)
		v := value{text, []byte(text), []uint16{uint16(i), uint16(i + 1)}, text}
		want = append(want, v)
		data, _ = msgpack.MarshalAppend(data, v)
	}
	for how, reader := range readers {
		var got []value
		for v, err := range msgpack.Values[value](msgpack.NewDecoder(reader(data, 1))) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, v)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: values have changed", how)
		}
	}
	// A call from inside a method does not share the memory.
	one := "\x83\xa6Before\xa4same\xa4Self\x01\xa5After\xa5other"
	d := msgpack.NewDecoder(strings.NewReader("\x81\xa6Before\xa5first" + one + one))
	v := struct {
		Before string
		Self   reentrant
		After  string
	}{Self: reentrant{d}}
	if err := d.Decode(&v); err != nil || v.Before != "first" {
		t.Fatal(v, err)
	}
	if err := d.Decode(&v); err != nil || v.Before != "same" || v.After != "other" {
		t.Errorf("%q, %q, %v", v.Before, v.After, err)
	}
}

// TestDecoderForgetsLongValues checks that a Decoder releases memory that a long
// value has needed.
func TestDecoderForgetsLongValues(t *testing.T) {
	long, err := msgpack.Marshal(make([]byte, 8<<20))
	if err != nil {
		t.Fatal(err)
	}
	short := bytes.Repeat([]byte{1}, 1<<20)
	all := bytes.NewReader(bytes.Join([][]byte{long, long, short, long}, nil))
	d := msgpack.NewDecoder(readFunc(func(b []byte) (int, error) { return all.Read(b[:min(len(b), 32<<10)]) }))
	var b []byte
	decode := func() {
		if err := d.Decode(&b); err != nil {
			t.Fatal(err)
		}
	}
	decode()
	if n := allocated(decode); n > 1<<20 {
		t.Errorf("%d bytes allocated for consecutive long values: the long buffer was not reused", n)
	}
	for range short {
		checkInt(t, d, 1)
	}
	if n := allocated(decode); n < 8<<20 {
		t.Errorf("%d bytes allocated for a long value after short ones: the long buffer was not released", n)
	}
}

// TestReaderOnAnotherGoroutine passes the memory of a stream to another goroutine
// while the stack of the caller moves.
func TestReaderOnAnotherGoroutine(t *testing.T) {
	type request struct {
		b    []byte
		done chan int
	}
	requests := make(chan request)
	value := append([]byte{0x83, 0xa1, 'A', 7, 0xa1, 'B', 0xd9, 200}, strings.Repeat("x", 200)...)
	value = append(value, 0xa1, 'C', 0x93, 1, 2, 3)
	go func() {
		at := 0
		for r := range requests {
			n := 0
			for n < len(r.b) && n < 50 {
				r.b[n] = value[at%len(value)]
				at++
				n++
			}
			r.done <- n
		}
	}()
	defer close(requests)
	served := readFunc(func(b []byte) (int, error) {
		r := request{b, make(chan int)}
		requests <- r
		growStack(200)
		return <-r.done, nil
	})
	type target struct {
		A int
		B string
		C []int
	}
	want := target{7, strings.Repeat("x", 200), []int{1, 2, 3}}
	d := msgpack.NewDecoder(served)
	for range 50 {
		var got target
		done := make(chan error)
		go func() { done <- d.Decode(&got) }() // from a small stack each time
		if err := <-done; err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("got %+v, %v", got, err)
		}
	}
}

func growStack(n int) int {
	var frame [512]byte
	if n > 0 {
		frame[n%512] = byte(growStack(n - 1))
	}
	return int(frame[n%512]) + n
}

// TestPipe uses an Encoder and a Decoder at the two ends of a pipe.
func TestPipe(t *testing.T) {
	r, w := io.Pipe()
	go func() {
		e := msgpack.NewEncoder(w)
		for i := range 1000 {
			if err := e.Encode(makeBush(1 + i%3)); err != nil {
				t.Error(err)
			}
			if i%10 == 0 {
				if err := e.Flush(); err != nil {
					t.Error(err)
				}
			}
		}
		if err := errors.Join(e.Flush(), w.Close()); err != nil {
			t.Error(err)
		}
	}()
	n := 0
	for v, err := range msgpack.Values[bush](msgpack.NewDecoder(r)) {
		if err != nil {
			t.Fatal(err)
		}
		if g, w := show(reflect.ValueOf(&v)), show(reflect.ValueOf(makeBush(1+n%3))); g != w {
			t.Fatalf("value %d:\ngot  %s\nwant %s", n, g, w)
		}
		n++
	}
	if n != 1000 {
		t.Errorf("%d values", n)
	}
}
