package msgpack_test

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// A returning has methods that return its fields.
type returning struct {
	own   string // the bytes that the methods return
	err   error
	depth int // if not 0, the methods return this many nested arrays
}

func (r returning) AppendMsgpack(dst []byte) ([]byte, error) {
	return append(dst, r.text()...), r.err
}

func (r returning) text() string {
	if r.depth > 0 {
		return strings.Repeat("\x91", r.depth-1) + "\x90"
	}
	return r.own
}

type returningM returning

func (r returningM) MarshalMsgpack() ([]byte, error) { return []byte(returning(r).text()), r.err }

// TestMethodsReturn uses encoding methods that return errors, or bytes that are
// not exactly one valid value.
func TestMethodsReturn(t *testing.T) {
	for _, c := range []struct {
		name string
		returning
		err error
	}{
		{"an error", returning{own: "\x01", err: errOwn}, errOwn},
		{"an error and nothing", returning{err: errOwn}, errOwn},
		{"nothing", returning{}, msgpack.ErrInvalid},
		{"two values", returning{own: "\x01\x02"}, msgpack.ErrInvalid},
		{"part of one", returning{own: "\x92\x01"}, msgpack.ErrInvalid},
		{"part of a string", returning{own: "\xa5abcd"}, msgpack.ErrInvalid},
		{"the reserved byte", returning{own: "\xc1"}, msgpack.ErrInvalid},
		{"a malformed timestamp", returning{own: "\xd4\xff\x00"}, msgpack.ErrInvalid},
		{"a claim of 2^32-1", returning{own: "\xdd\xff\xff\xff\xff"}, msgpack.ErrInvalid},
		{"too many levels", returning{depth: 513}, msgpack.ErrDepth},
		{"as many levels as allowed", returning{depth: 512}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, v := range []any{c.returning, returningM(c.returning)} {
				got, err := msgpack.Marshal(v)
				if c.err == nil {
					if want := c.text(); err != nil || string(got) != want {
						t.Errorf("got % x, %v", got, err)
					}
					if _, err := msgpack.Marshal([]any{v}); !errors.Is(err, msgpack.ErrDepth) {
						t.Errorf("one deeper: %v", err)
					}
					continue
				}
				if e := checkError(t, err, c.err); e != nil && (e.Path != "" || !strings.Contains(e.Found, "msgpack_test.returning")) {
					t.Errorf("got %v", e)
				}
				dst, err := msgpack.MarshalAppend([]byte("abc"), map[string]any{"k": v})
				if e := checkError(t, err, c.err); e != nil && e.Path != `["k"]` || string(dst) != "abc" {
					t.Errorf("got %q, %v", dst, e)
				}
			}
		})
	}
}

// TestErrorsOfDecodingMethods checks that errors of decoding methods have a
// position, and that the methods are not called for malformed values.
func TestErrorsOfDecodingMethods(t *testing.T) {
	for _, v := range []any{new(appender), new(binaryAppender), new(textAppender), new(textAppenderP)} {
		data := []byte("\x92\xa3abc\xa1\xee")
		slice := reflect.New(reflect.SliceOf(reflect.TypeOf(v).Elem()))
		e := checkError(t, msgpack.Unmarshal(data, slice.Interface()), errOwn)
		if e != nil && (e.Path != "[1]" || e.Offset != 5 || e.Want != reflect.TypeOf(v).Elem().String()) {
			t.Errorf("got %v", e)
		}
	}
	var own appender
	checkError(t, msgpack.Unmarshal([]byte("\x92\x01"), &own), msgpack.ErrTruncated)
	checkError(t, msgpack.Unmarshal([]byte("\xc1"), &own), msgpack.ErrReserved)
	checkError(t, msgpack.Unmarshal([]byte("\xd4\xff\x00"), &own), msgpack.ErrTimestamp)
	if own.n != 0 {
		t.Error("the method was called")
	}
}

// TestMethodArguments uses methods that modify and extend the slices that they
// receive.
func TestMethodArguments(t *testing.T) {
	v := struct {
		A string
		W writesAll
		B string
		T writesAllText
		C string
	}{A: "a", B: "b", C: "c"}
	want := []byte("\x85\xa1A\xa1a\xa1W\x05\xa1B\xa1b\xa1T\xa1t\xa1C\xa1c")
	checkEncode(t, v, want)
	for _, w := range received {
		for i := range w {
			w[i] = 0xc1
		}
	}
	received = nil
	dst, err := msgpack.MarshalAppend(make([]byte, 0, 100), v)
	if err != nil || !bytes.Equal(dst, want) {
		t.Fatalf("got % x, %v", dst, err)
	}

	// A method may append to its argument.
	data := []byte("\x92\xa1a\xa1b")
	var both [2]appendsToInput
	if err := msgpack.Unmarshal(data, &both); err != nil || string(data) != "\x92\xa1a\xa1b" || both != [2]appendsToInput{"\xa1a!", "\xa1b!"} {
		t.Errorf("got %q from %q, %v", both, data, err)
	}
}

type (
	writesAll      struct{}
	writesAllText  struct{}
	appendsToInput string
)

var received [][]byte // the slices that methods have received

func (writesAll) AppendMsgpack(dst []byte) ([]byte, error) {
	if len(dst) != 0 {
		return nil, errOwn
	}
	all := dst[:cap(dst)]
	for i := range all {
		all[i] = 0xc1
	}
	received = append(received, dst)
	return append(dst, 0x05), nil
}

func (writesAllText) AppendText(dst []byte) ([]byte, error) {
	if len(dst) != 0 {
		return nil, errOwn
	}
	all := dst[:cap(dst)]
	for i := range all {
		all[i] = 0xc1
	}
	return append(dst, 't'), nil
}

func (a *appendsToInput) UnmarshalMsgpack(data []byte) error {
	*a = appendsToInput(append(data, '!'))
	return nil
}

// TestMethodsReturnOtherMemory uses methods that return memory other than dst, or a
// later part of it.
func TestMethodsReturnOtherMemory(t *testing.T) {
	static := []byte{0xa1, 's'}
	for range 3 {
		checkEncode(t, []any{returnsMemory{static}, returnsMemory{static}}, []byte("\x92\xa1s\xa1s"))
	}
	if string(static) != "\xa1s" {
		t.Errorf("was changed to %q", static)
	}
	checkEncode(t, []any{returnsLater{}, 1}, []byte("\x92\xa1t\x01"))
}

type (
	returnsMemory struct{ b []byte }
	returnsLater  struct{}
)

func (r returnsMemory) AppendMsgpack([]byte) ([]byte, error) { return r.b, nil }

func (returnsLater) AppendMsgpack(dst []byte) ([]byte, error) {
	return append(dst, "garbage\xa1t"...)[len(dst)+7:], nil
}

// TestMethodsCalledOnCopies checks that changes by an encoding method are lost,
// even if the value is addressable.
func TestMethodsCalledOnCopies(t *testing.T) {
	v := counter{1}
	checkEncode(t, &v, []byte{2})
	if v.n != 1 {
		t.Errorf("the value is now %d", v.n)
	}
	// A decoding method receives the old value. Its changes are kept unless it
	// returns an error.
	sum := adder(5)
	if err := msgpack.Unmarshal([]byte{7}, &sum); err != nil || sum != 12 {
		t.Errorf("got %d, %v", sum, err)
	}
	if err := msgpack.Unmarshal([]byte{0xe0}, &sum); !errors.Is(err, errOwn) || sum != 12 {
		t.Errorf("got %d, %v", sum, err)
	}
}

type (
	counter struct{ n byte }
	adder   int
)

func (c *counter) AppendMsgpack(dst []byte) ([]byte, error) {
	c.n++
	return append(dst, c.n), nil
}

func (a *adder) UnmarshalMsgpack(data []byte) error {
	*a += adder(data[0])
	if data[0] > 127 {
		return errOwn
	}
	return nil
}

// TestMethodsOfNilMaps checks that methods are called for a nil map.
func TestMethodsOfNilMaps(t *testing.T) {
	checkEncode(t, wordSet(nil), []byte{0xa0})
	checkEncode(t, []wordSet{nil}, []byte{0x91, 0xa0})
	v := wordSet{"a": true}
	if err := msgpack.Unmarshal([]byte{0xc0}, &v); err != nil || v != nil {
		t.Errorf("got %v, %v", v, err)
	}
}

// TestMethodsThatMarshal uses methods that call the package.
func TestMethodsThatMarshal(t *testing.T) {
	v := recursive{"a", []recursive{{"b", nil}, {"c", []recursive{{"d", nil}}}}}
	want := []byte("\x92\xa1a\x92\x92\xa1b\xc0\x92\xa1c\x91\x92\xa1d\xc0")
	checkEncode(t, v, want)
	checkDecode(t, want, v)
}

type recursive struct {
	Name string
	Kids []recursive
}

func (r recursive) MarshalMsgpack() ([]byte, error) { return msgpack.Marshal([]any{r.Name, r.Kids}) }

func (r *recursive) UnmarshalMsgpack(data []byte) error {
	type plain recursive
	return msgpack.Unmarshal(data, (*plain)(r))
}

// TestStructsModifiedDuringEncoding modifies an inline map after the header has
// announced the number of its entries.
func TestStructsModifiedDuringEncoding(t *testing.T) {
	rest := map[string]int{"x": 1, "y": 2}
	b, err := msgpack.Marshal(struct {
		Own  emptier
		Rest map[string]int `msgpack:",inline"`
	}{emptier{func() { clear(rest) }}, rest})
	if e := checkError(t, err, msgpack.ErrInvalid); e != nil && !strings.HasSuffix(e.Found, " that was modified during encoding") {
		t.Errorf("got % x, %v", b, e)
	}
}

// TestIsZeroIsCalledOnce uses a method that returns another result each time, for
// structs whose headers have one byte and more. The header must match the fields.
func TestIsZeroIsCalledOnce(t *testing.T) {
	type wide struct {
		A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P int
	}
	type short struct {
		A int
		Z alternating `msgpack:",omitzero"`
	}
	type long struct {
		wide
		Z alternating `msgpack:",omitzero"`
	}
	asked := 0
	for i := range 4 {
		for _, v := range []any{short{Z: alternating{&asked, 1}}, long{Z: alternating{&asked, 2}}} {
			before := asked
			b, err := msgpack.Marshal(v)
			if err != nil || msgpack.Valid(b) != nil || asked != before+1 {
				t.Errorf("%d %T: got % x, %v after %d calls", i, v, b, err, asked-before)
			}
		}
	}
}

type alternating struct {
	asked *int
	N     int
}

// IsZero returns true and false in turn.
func (m alternating) IsZero() bool { *m.asked++; return *m.asked%2 == 0 }
