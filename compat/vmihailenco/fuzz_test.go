package msgpack_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/vmihailenco/msgpack/v5"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

type fuzzed struct {
	ID    int64
	Name  string `msgpack:",omitempty,alias:N"`
	Data  []byte
	At    time.Time
	Any   any
	List  []fuzzed
	By    map[string]any
	Other map[int]*fuzzed
	Text  string `msgpack:",intern"`
	Raw   msgpack.RawMessage
	Array [3]string
}

type fuzzedPlain struct {
	A []int32
	B map[string]string
	C *struct{ D []string }
}

// targets returns variables of all sorts.
func targets() []any {
	return []any{new(fuzzed), new(fuzzedPlain), new(any), new([]string), new([]byte), new(map[any]any), new(map[string]string), new(time.Time), new([2]byte)}
}

// FuzzUnmarshal decodes arbitrary bytes: it must not panic, and needs memory in proportion to
// the input. What it decodes can be encoded.
func FuzzUnmarshal(f *testing.F) {
	for _, v := range []any{fuzzed{Name: "n", Any: []any{1, "a"}, By: map[string]any{"k": nil}}, fuzzedPlain{A: []int32{1}}, time.Unix(1, 2)} {
		b, err := msgpack.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte("\xdd\xff\xff\xff\xff\x90"))
	f.Add([]byte("\x81\xa4Text\xd4\x80\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, v := range targets() {
			inMemory := msgpack.Unmarshal(data, v)
			if inMemory == nil {
				if _, err := msgpack.Marshal(v); err != nil {
					t.Errorf("%T cannot be encoded: %v", v, err)
				}
			}
			again := reflect.New(reflect.TypeOf(v).Elem()).Interface()
			streamed := msgpack.NewDecoder(bytes.NewReader(data)).Decode(again)
			if (inMemory == nil) != (streamed == nil) {
				t.Errorf("%T: from memory %v, from a reader %v", v, inMemory, streamed)
			}
		}
		_, _ = msgpack.NewDecoder(bytes.NewReader(data)).Query("*.a.0")
		_, _ = msgpack.NewDecoder(bytes.NewReader(data)).DecodeTypedMap()
		runtime.ReadMemStats(&after)
		if used, limit := after.TotalAlloc-before.TotalAlloc, uint64(8<<20+20_000*len(data)); used > limit {
			t.Errorf("%d bytes of input needed %d bytes of memory", len(data), used)
		}
	})
}

// TestHostile decodes headers that claim much, and values nested deeply.
func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"long array": "\xdd\xff\xff\xff\xff", "long map": "\xdf\x7f\xff\xff\xff", "long str": "\xdb\xff\xff\xff\xff", "long bin": "\xc6\xff\xff\xff\xff",
		"unknown field": "\x81\xa1?\xc6\xff\xff\xff\xff",
		"deep arrays":   strings.Repeat("\x91", 1e5), "deep maps": strings.Repeat("\x81\xa1k", 1e5), "reserved": "\xc1",
		"deep lists": strings.Repeat("\x81\xa4List\x91", 1e5),
	} {
		for _, v := range targets() {
			if err := msgpack.Unmarshal([]byte(text), v); err == nil {
				t.Errorf("%s into %T: no error", name, v)
			}
			if err := msgpack.NewDecoder(strings.NewReader(text)).Decode(v); err == nil {
				t.Errorf("%s from a reader into %T: no error", name, v)
			}
		}
	}
	type self struct{ P *self }
	cycle := &self{}
	cycle.P = cycle
	if b, err := msgpack.Marshal(cycle); err == nil {
		t.Errorf("a cycle was encoded in %d bytes", len(b))
	}
}

// TestExtBeforeMap reads maps behind the header of an ext, which the library ignores, and the value that follows.
func TestExtBeforeMap(t *testing.T) {
	for text, v := range map[string]any{
		"\xc7\x00\x30\x81\xa1a\xa1b": new(map[string]string), "\x81\xa1k\xc7\x00\x30\x81\xa1a\xa1b": new(map[string]map[string]string),
		"\xd4\x30\x80": new(map[string]string), "\xc7\x01\x30\x81\xa1a\x01": new(map[string]int),
	} {
		d := msgpack.NewDecoder(iotest.OneByteReader(strings.NewReader(text + "\x05")))
		if err := d.Decode(v); err != nil {
			t.Errorf("% x: %v", text, err)
		} else if n, err := d.DecodeInt(); n != 5 || err != nil {
			t.Errorf("% x: then %d, %v", text, n, err)
		}
		if again, err := msgpack.Marshal(v); err != nil || !strings.HasSuffix(text, string(again[len(again)-1:])) {
			t.Errorf("% x: decoded as % x, %v", text, again, err)
		}
	}
}

// TestExtAroundMap reads maps in an ext that is longer. The library takes the rest of its payload for the values that follow.
func TestExtAroundMap(t *testing.T) {
	for text, v := range map[string]any{
		"\xc7\x06\x30\x81\xa1a\x01\x07\x08": new(map[string]int), "\x91\xc7\x06\x30\x81\xa1a\x01\x07\x08": new([]map[string]int),
		"\x92\xc7\x05\x30\x81\xa1a\x01\x80\x07\x08": new([]map[string]int), "\xd5\x30\x80\x07\x08": new(map[string]int),
		"\xc7\x0a\x30\x80\xd5\x30\x80\x07\x08\xd5\x30\x80\x07\x08": new(map[string]int),
	} {
		for _, r := range []io.Reader{strings.NewReader(text + "\x05\x06"), iotest.OneByteReader(strings.NewReader(text + "\x05\x06"))} {
			d, rest := msgpack.NewDecoder(r), []int{}
			if err := d.Decode(v); err != nil {
				t.Errorf("% x: %v", text, err)
			}
			for c, err := d.PeekCode(); err == nil; c, err = d.PeekCode() {
				n := 0
				if c == 0xd5 {
					err = d.Decode(v)
				} else {
					err = d.Decode(&n)
				}
				if err != nil {
					t.Errorf("% x: %v", text, err)
				}
				rest = append(rest, n)
			}
			if got := fmt.Sprint(rest); got != "[7 8 5 6]" && got != "[0 7 8 0 7 8 5 6]" {
				t.Errorf("% x: then %v", text, rest)
			}
		}
	}
}

// An endedReader counts the calls of Read after its end.
type endedReader struct {
	io.Reader
	ended bool
	after int
}

func (r *endedReader) Read(b []byte) (n int, err error) {
	if r.ended {
		r.after++
	}
	n, err = r.Reader.Read(b)
	r.ended = r.ended || err == io.EOF
	return n, err
}

// TestReadsNothingAfterEnd decodes a message that is cut off. A terminal would wait for another line.
func TestReadsNothingAfterEnd(t *testing.T) {
	r := &endedReader{Reader: strings.NewReader("\x81\xa3k")}
	if err := msgpack.NewDecoder(r).Decode(new(map[string]string)); err != io.ErrUnexpectedEOF || r.after > 0 {
		t.Errorf("%v, read %d times after the end", err, r.after)
	}
}

// TestNestedClaims requires little memory for containers in each other that claim many elements.
func TestNestedClaims(t *testing.T) {
	for _, header := range []string{"\xdc\xff\xff", "\xde\xff\xff\xa1k"} {
		text := strings.Repeat(header, 1000)
		for _, v := range []any{new(any), new([]any), new(map[string]any), new(map[any]any)} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			inMemory, streamed := msgpack.Unmarshal([]byte(text), v), msgpack.NewDecoder(strings.NewReader(text)).Decode(v)
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; inMemory == nil || streamed == nil || used > 16<<20 {
				t.Errorf("% x into %T: %v, %v, %d bytes of memory", header, v, inMemory, streamed, used)
			}
		}
	}
}

type failingEncoder struct{}

func (failingEncoder) EncodeMsgpack(e *msgpack.Encoder) error {
	if err := e.EncodeString("begun"); err != nil {
		return err
	}
	return errFails
}

var errFails = errors.New("fails")

// TestNothingOfFailed requires that nothing of a value that cannot be encoded is written, and
// that the Encoder can be used again.
func TestNothingOfFailed(t *testing.T) {
	var b bytes.Buffer
	e := msgpack.NewEncoder(&b)
	if err := e.Encode([]any{1, failingEncoder{}}); err != errFails {
		t.Fatalf("error %v", err)
	}
	if err := e.Encode("next"); err != nil || b.String() != "\xa4next" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

// TestStringsOfFailed interns strings in values that cannot be encoded or written. The reader
// has not seen them, so later values must contain them again.
func TestStringsOfFailed(t *testing.T) {
	var b bytes.Buffer
	w := &writer{to: &b}
	e := msgpack.NewEncoder(w)
	e.UseInternedStrings(true)
	if err := e.EncodeMulti("first", []string{"second", "third"}); err != nil {
		t.Fatal(err)
	}
	if err := e.Encode([]any{"third", "fourth", failingEncoder{}}); err != errFails {
		t.Fatalf("error %v", err)
	}
	w.err = errFails
	for _, v := range []any{"fifth", []string{"sixth", "first"}} {
		if err := e.Encode(v); err != errFails {
			t.Fatalf("error %v", err)
		}
	}
	w.err = nil
	if err := e.EncodeMulti([]string{"fourth", "sixth"}, "fifth", "fourth", "third", "sixth"); err != nil {
		t.Fatal(err)
	}
	d := msgpack.NewDecoder(&b)
	d.UseInternedStrings(true)
	for _, want := range []string{"[first]", "[second third]", "[fourth sixth]", "[fifth]", "[fourth]", "[third]", "[sixth]"} {
		list := make([]string, 1)
		var err error
		if c, _ := d.PeekCode(); msgpcode.IsFixedArray(c) {
			err = d.Decode(&list)
		} else {
			list[0], err = d.DecodeString()
		}
		if fmt.Sprint(list) != want || err != nil {
			t.Errorf("%v, %v, want %v", list, err, want)
		}
	}
}

// A writer fails if it has an error.
type writer struct {
	to  io.Writer
	err error
}

func (w *writer) Write(b []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	return w.to.Write(b)
}

// TestMapsOfFailed requires that a map that cannot be read is nil, as it is in the library.
func TestMapsOfFailed(t *testing.T) {
	const cut = "\x82\xa1a\x01\xa1b"
	if m, err := msgpack.NewDecoder(strings.NewReader(cut)).DecodeMap(); m != nil || err == nil {
		t.Errorf("DecodeMap: %v, %v", m, err)
	}
	if m, err := msgpack.NewDecoder(strings.NewReader(cut)).DecodeTypedMap(); m != nil || err == nil {
		t.Errorf("DecodeTypedMap: %v, %v", m, err)
	}
}

// TestQueryOfAll requires that a query with two asterisks skips what follows an inner array.
func TestQueryOfAll(t *testing.T) {
	message, err := msgpack.Marshal([]map[string]any{{"k": []int{1, 2}}, {"k": []int{3}}})
	if err != nil {
		t.Fatal(err)
	}
	longer := bytes.Replace(message, []byte("\x81\xa1k\x92"), []byte("\x82\xa1k\x92"), 1)
	longer = bytes.Replace(longer, []byte("\x81\xa1k\x91"), []byte("\xa1z\x09\x81\xa1k\x91"), 1)
	for _, m := range [][]byte{message, longer} {
		found, err := msgpack.NewDecoder(bytes.NewReader(m)).Query("*.k.*")
		if err != nil || fmt.Sprint(found) != "[1 2 3]" {
			t.Errorf("% x: %v, %v", m, found, err)
		}
	}
}

type writing struct{ n int }

func (w writing) EncodeMsgpack(e *msgpack.Encoder) error {
	if err := e.EncodeArrayLen(2); err != nil {
		return err
	}
	if _, err := e.Writer().Write([]byte{byte(w.n)}); err != nil {
		return err
	}
	return e.EncodeNil()
}

// TestWriter requires that what a method writes to the writer is in its place.
func TestWriter(t *testing.T) {
	b, err := msgpack.Marshal(map[string]writing{"k": {5}})
	if err != nil || string(b) != "\x81\xa1k\x92\x05\xc0" {
		t.Errorf("% x, %v", b, err)
	}
}

// TestNoInternedString decodes a value of another kind as an interned string. As in the library, its first byte is read, so
// that a second call does not find the same byte.
func TestNoInternedString(t *testing.T) {
	for name, decode := range map[string]func(d *msgpack.Decoder) error{
		"string": func(d *msgpack.Decoder) error { _, err := d.DecodeString(); return err },
		"field":  func(d *msgpack.Decoder) error { return d.Decode(new(struct{ A int })) },
	} {
		text := map[string]string{"string": "\xc3\x07", "field": "\x81\xc3\x07"}[name]
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			d := msgpack.NewDecoder(r)
			d.UseInternedStrings(true)
			if err := decode(d); err == nil || !strings.Contains(err.Error(), "code=c3 decoding interned string") {
				t.Errorf("%s: %v", name, err)
			}
			if n, err := d.DecodeInt(); n != 7 || err != nil {
				t.Errorf("%s: then %d, %v", name, n, err)
			}
		}
	}
}
