package msgpack_test

import (
	"errors"
	"io"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// timeAndAddr has no methods that both embedded structs have.
type timeAndAddr struct {
	time.Time
	netip.Addr
	A int
}

// checkError checks that err is an *Error with the given reason, and returns it.
func checkError(t *testing.T, err, reason error) *msgpack.Error {
	t.Helper()
	var e *msgpack.Error
	if !errors.As(err, &e) || !errors.Is(err, reason) {
		t.Errorf("got error %v (%T), want an *Error for %q", err, err, reason)
		return nil
	}
	return e
}

type (
	company struct {
		Users   []user
		ByName  map[string]user
		ByID    map[int64]*user
		Offices [2]address
		Nested  struct{ Head struct{ Chief address } }
		Any     any
		*Holding
		Shares int `msgpack:"shares"`
	}
	user    struct{ Address address }
	address struct {
		Zip int32
		Tag string
	}
	Holding struct{ Owner address }
)

// TestErrorsOfUnmarshal checks the texts of errors, because people read them.
func TestErrorsOfUnmarshal(t *testing.T) {
	for _, c := range []struct {
		name   string
		bytes  string
		target any
		want   string
	}{
		{"empty input", "", new(int), "at offset 0: found end of input, want int: truncated input"},
		{"empty input for any", "", new(any), "at offset 0: found end of input: truncated input"},
		{"trailing bytes", "01 02", new(int), "at offset 1: trailing data after the value"},
		{"reserved byte", "c1", new(string), "at offset 0: found byte c1, want string: reserved format byte c1"},
		{"part of an integer", "cd 01", new(int16), "at offset 0: found uint 16, 1 byte left, want int16: truncated input"},
		{"part of a header", "dc 00", new([]int), "at offset 0: found array 16 with truncated header, want []int: truncated input"},
		{"part of a str", "a3 6162", new(string), "at offset 0: found fixstr of 3 bytes, 2 left, want string: truncated input"},
		{"part of a bin", "c4 02 61", new([]byte), "at offset 0: found bin 8 of 2 bytes, 1 left, want []uint8: truncated input"},
		{"claim of an array", "dd ffffffff", new([]int), "at offset 0: found array 32 of 4294967295 elements, want []int: truncated input"},
		{"claim of a map", "df 80000000 c0", new(map[string]int), "at offset 0: found map 32 of 2147483648 pairs, want map[string]int: truncated input"},
		{"claim within a claim", "92 92 01 02", new([][]int), "[0] at offset 1: found fixarray of 2 elements, want []int: truncated input"},
		{"wrong kind", "a1 61", new(bool), "at offset 0: found fixstr of 1 byte, want bool: value does not fit the Go type"},
		{"out of range", "cd 0100", new(uint8), "at offset 0: found uint 16 256, want uint8: number out of range"},
		{"greatest out of range", "cf ffffffffffffffff", new(int64), "at offset 0: found uint 64 18446744073709551615, want int64: number out of range"},
		{"negative out of range", "ff", new(uint), "at offset 0: found negative fixint -1, want uint: number out of range"},
		{"fraction", "cb 3ff8000000000000", new(int), "at offset 0: found float 64 1.5, want int: number out of range"},
		{"not an exact float", "ce 01000001", new(float32), "at offset 0: found uint 32 16777217, want float32: number out of range"},
		{"array length that differs", "91 01", new([2]int), "at offset 0: found fixarray of 1 element, want [2]int: value does not fit the Go type"},
		{"map for a slice", "81 01 02", new([]int), "at offset 0: found fixmap of 1 pair, want []int: value does not fit the Go type"},
		{"ext for a time", "d4 05 01", new(time.Time), "at offset 0: found fixext 1 of type 5 and 1 byte, want time.Time: value does not fit the Go type"},
		{"malformed timestamp", "c7 01 ff 00", new(time.Time), "at offset 0: found ext 8 of type -1 and 1 byte, want time.Time: malformed timestamp"},
		{"unhashable key", "81 90 01", new(any), "at offset 1: found fixarray of 0 elements: value cannot be a map key"},
		{"unsupported type", "01", new(chan int), "at offset 0: want chan int: unsupported type"},
		{"unsupported struct", "80", new(struct{ a int }), "at offset 0: want struct { a int } (no exported fields): unsupported type"},
		{"own error", "a1 ee", new(textAppender), "at offset 0: found fixstr of 1 byte, want msgpack_test.textAppender: own error"},

		{"in a slice of structs", "81 a5 5573657273 92 80 81 a7 41646472657373 81 a3 5a6970 a1 78", new(company),
			"Users[1].Address.Zip at offset 23: found fixstr of 1 byte, want int32: value does not fit the Go type"},
		{"in a map of structs", "81 a6 42794e616d65 81 a1 6b 81 a7 41646472657373 81 a3 546167 05", new(company),
			"ByName[\"k\"].Address.Tag at offset 25: found positive fixint 5, want string: value does not fit the Go type"},
		{"in a map by integer", "81 a4 42794944 81 ff 81 a7 41646472657373 81 a3 546167 05", new(company),
			"ByID[-1].Address.Tag at offset 22: found positive fixint 5, want string: value does not fit the Go type"},
		{"in an array", "81 a7 4f666669636573 92 80 81 a3 5a6970 c3", new(company),
			"Offices[1].Zip at offset 16: found true, want int32: value does not fit the Go type"},
		{"in nested structs", "81 a6 4e6573746564 81 a4 48656164 81 a5 4368696566 81 a3 5a6970 c3", new(company),
			"Nested.Head.Chief.Zip at offset 26: found true, want int32: value does not fit the Go type"},
		{"in an embedded pointer", "81 a5 4f776e6572 81 a3 5a6970 c3", new(company),
			"Owner.Zip at offset 12: found true, want int32: value does not fit the Go type"},
		{"in a skipped value", "81 a3 666f6f 92 01 c1", new(company),
			"[unknown field] at offset 7: found byte c1: reserved format byte c1"},
		{"in array form", "91 91 91 91 c3", new(company),
			"Users[0].Address.Zip at offset 4: found true, want int32: value does not fit the Go type"},
		{"of a field with another name", "81 a6 736861726573 c3", new(company),
			"Shares at offset 8: found true, want int: value does not fit the Go type"},
		{"in any", "92 01 82 a1 61 01 a1 62 92 c0 c1", new(any),
			"[1][\"b\"][1] at offset 10: found byte c1: reserved format byte c1"},
		{"in a key of any", "81 91 c1 01", new(any), "[key][0] at offset 2: found byte c1: reserved format byte c1"},
		{"under a key of any that is an int", "81 05 c1", new(any), "[5] at offset 2: found byte c1: reserved format byte c1"},
		{"under a key of any that is a float", "81 ca 3fc00000 c1", new(any), "[key] at offset 6: found byte c1: reserved format byte c1"},
		{"for a name", "81 c1 01", new(company), "[key] at offset 1: found byte c1, want field name: reserved format byte c1"},
		{"for a long name", "81 c1 01 02 03 04 05 06 07 08", new(struct{ AtLeastSixteenBytesLong int }),
			"[key] at offset 1: found byte c1, want field name: reserved format byte c1"},
		{"in a key", "81 c3 01", new(map[string]int), "[key] at offset 1: found true, want string: value does not fit the Go type"},
		{"in a key that is a struct", "81 81 a3 5a6970 c3 01", new(map[address]int),
			"[key].Zip at offset 6: found true, want int32: value does not fit the Go type"},
		{"under a long key", "81 d9 32" + strings.Repeat("61", 50) + "c3", new(map[string]int),
			"[\"" + strings.Repeat("a", 40) + "…\"] at offset 53: found true, want int: value does not fit the Go type"},
		{"under a key with quotes", "81 a3 220aff c3", new(map[string]int), `["\"\n\xff"] at offset 5: found true, want int: value does not fit the Go type`},
		{"in bytes", "92 01 cd 0100", new([]byte), "[1] at offset 2: found uint 16 256, want uint8: number out of range"},
		{"in a complex", "92 01 c3", new(complex64), "[1] at offset 2: found true, want complex64: value does not fit the Go type"},
		{"through pointers", "91 c3", new([]**int), "[0] at offset 1: found true, want int: value does not fit the Go type"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := msgpack.Unmarshal(unhex(t, c.bytes), c.target)
			if want := "msgpack: unmarshal " + c.want; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
			checkHeader(t, err, unhex(t, c.bytes))
		})
	}
}

// checkHeader checks that the header in an error is the one at its offset.
func checkHeader(t *testing.T, err error, data []byte) {
	t.Helper()
	var e *msgpack.Error
	if !errors.As(err, &e) || e.Found == "" && e.Header == (wire.Header{}) {
		return
	}
	if h, _, _ := wire.ConsumeHeader(data[e.Offset:]); e.Header != h {
		t.Errorf("%v: header %+v, want %+v", err, e.Header, h)
	}
}

// TestErrorType checks that the Go type in an error is that of the variable at its
// path.
func TestErrorType(t *testing.T) {
	type pair struct {
		A     []**int
		Pairs msgpack.Pairs
		M     map[int8]map[string][2]address `msgpack:"m"`
		S     map[address]address
		I     any
	}
	str := "a1 78"
	for _, c := range []struct {
		name   string
		target any
		bytes  string
		path   string
		want   reflect.Type
	}{
		{"the value", new(int8), str, "", reflect.TypeFor[int8]()},
		{"its named type", new(time.Duration), str, "", reflect.TypeFor[time.Duration]()},
		{"a field", new(address), "81 a3 5a6970" + str, "Zip", reflect.TypeFor[int32]()},
		{"a field in array form", new(address), "91" + str, "Zip", reflect.TypeFor[int32]()},
		{"a field of an embedded struct", new(company), "81 a5 4f776e6572 81 a3 5a6970 c3", "Owner.Zip", reflect.TypeFor[int32]()},
		{"a pointer", new(pair), "81 a1 41 91" + str, "A[0]", reflect.TypeFor[**int]()},
		{"a key", new(pair), "81 a1 6d 81" + str, "M[key]", reflect.TypeFor[int8]()},
		{"in a key", new(pair), "81 a1 53 81 81 a3 5a6970" + str, "S[key].Zip", nil},
		{"under a key that is a struct", new(pair), "81 a1 53 81 80 81 a3 5a6970" + str, "S[key].Zip", nil},
		{"under keys", new(pair), "81 a1 6d 81 ff 81 a3 2e5d5b 92 80 81 a3 546167 05", `M[-1][".]["][1].Tag`, reflect.TypeFor[string]()},
		{"under a long key", new(map[string]int), "81 d9 32" + strings.Repeat("5d", 50) + "c3", `["` + strings.Repeat("]", 40) + `…"]`, reflect.TypeFor[int]()},
		{"an interface", new(pair), "81 a1 49 c1", "I", reflect.TypeFor[any]()},
		{"in an interface", new(pair), "81 a1 49 91 c1", "I[0]", nil},
		{"in Pairs", new(pair), "81 a5 5061697273 81 01 c1", "Pairs[1]", nil},
		{"in an unknown field", new(pair), "81 a1 5a c1", "[unknown field]", nil},
		{"of a target", 5, "c0", "", reflect.TypeFor[int]()},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := msgpack.Unmarshal(unhex(t, c.bytes), c.target)
			if e, ok := err.(*msgpack.Error); !ok || e.Path != c.path || e.Type != c.want {
				t.Errorf("%v: path %q, type %v, want %q, %v", err, e.Path, e.Type, c.path, c.want)
			}
		})
	}
	m := map[string][]any{"k": {make(chan int)}}
	for name, err := range map[string]error{
		"marshal": func() error { _, err := msgpack.Marshal(&struct{ F func() }{}); return err }(),
		"append":  func() error { _, err := msgpack.MarshalAppend(nil, struct{ F func() }{}); return err }(),
		"write":   msgpack.MarshalWrite(io.Discard, struct{ F func() }{}),
		"typed": func() error {
			typed, err := msgpack.For[struct{ F any }](nil)
			if err == nil {
				_, err = typed.Append(nil, &struct{ F any }{make(chan int)})
			}
			return err
		}(),
	} {
		want := reflect.TypeFor[func()]()
		if name == "typed" {
			want = reflect.TypeFor[any]()
		}
		if e := checkError(t, err, msgpack.ErrUnsupported); e != nil && (e.Path != "F" || e.Type != want) {
			t.Errorf("%s: %v: type %v, want %v", name, err, e.Type, want)
		}
	}
	if _, err := msgpack.For[chan int](nil); err.(*msgpack.Error).Type != reflect.TypeFor[chan int]() {
		t.Errorf("For: %v: type %v", err, err.(*msgpack.Error).Type)
	}
	_, err := msgpack.Marshal(m)
	if e := checkError(t, err, msgpack.ErrUnsupported); e != nil && (e.Path != `["k"][0]` || e.Type != reflect.TypeFor[any]()) {
		t.Errorf("%v: type %v", err, e.Type)
	}
}

// TestErrorsOfTargets checks the errors for targets that are not pointers to
// variables.
func TestErrorsOfTargets(t *testing.T) {
	for _, c := range []struct {
		target any
		want   string
	}{
		{nil, "msgpack: unmarshal at offset 0: found nil: target must be a non-nil pointer"},
		{5, "msgpack: unmarshal at offset 0: found int: target must be a non-nil pointer"},
		{company{}, "msgpack: unmarshal at offset 0: found msgpack_test.company: target must be a non-nil pointer"},
		{(*int)(nil), "msgpack: unmarshal at offset 0: found nil *int: target must be a non-nil pointer"},
		{map[string]int{}, "msgpack: unmarshal at offset 0: found map[string]int: target must be a non-nil pointer"},
		{make(chan int), "msgpack: unmarshal at offset 0: found chan int: target must be a non-nil pointer"},
	} {
		err := msgpack.Unmarshal([]byte{1}, c.target)
		if checkError(t, err, msgpack.ErrTarget); err != nil && err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
		if n, err := msgpack.UnmarshalPrefix([]byte{1}, c.target); n != 0 || !errors.Is(err, msgpack.ErrTarget) {
			t.Errorf("prefix: %d, %v", n, err)
		}
	}
}

func TestErrorsOfMarshal(t *testing.T) {
	type holder struct {
		F func() `msgpack:"f"`
	}
	type own struct{ Own textFails }
	for _, c := range []struct {
		name  string
		value any
		want  string
	}{
		{"chan", make(chan int), ": found chan int: unsupported type"},
		{"func", func() {}, ": found func(): unsupported type"},
		{"uintptr", uintptr(1), ": found uintptr: unsupported type"},
		{"in a slice", []any{1, make(chan int)}, " [1]: found chan int: unsupported type"},
		{"in a field", holder{}, " F: found func(): unsupported type"},
		{"in fields", struct{ A struct{ B []holder } }{struct{ B []holder }{make([]holder, 3)}}, " A.B[0].F: found func(): unsupported type"},
		{"in a map", map[string]any{"k": holder{}}, ` ["k"].F: found func(): unsupported type`},
		{"in a map by integer", map[uint8]any{200: holder{}}, ` [200].F: found func(): unsupported type`},
		{"in a map by bool", map[bool]any{true: holder{}}, ` [key].F: found func(): unsupported type`},
		{"in a key", map[any]int{struct{ C chan int }{}: 1}, " [key].C: found chan int: unsupported type"},
		{"in an embedded struct", struct{ Bad }{}, " C: found chan int: unsupported type"},
		{"in an optional field", struct {
			A int      `msgpack:",omitempty"`
			C chan int `msgpack:",omitzero"`
		}{0, make(chan int)}, " C: found chan int: unsupported type"},
		{"through pointers", new(new(holder{})), " F: found func(): unsupported type"},
		{"own error", own{}, " Own: found msgpack_test.textFails: own error"},
		{"invalid result of a method", []any{returning{own: "\x01\x01"}},
			" [0]: found result of the method of msgpack_test.returning (2 values): not a single valid MessagePack value"},
		{"invalid Raw", []msgpack.Raw{{0xc0}, {0x91}}, " [1]: found Raw: not a single valid MessagePack value"},
		{"malformed timestamp", msgpack.Ext{Type: -1}, ": found Ext: malformed timestamp"},
		{"no exported fields", struct{ a int }{}, ": found struct { a int } (no exported fields): unsupported type"},
		{"embedded without exported fields", struct {
			time.Time
			netip.Addr
			sync.Mutex
			A int
		}{}, " Time: found time.Time (an embedded struct without exported fields; give it a name in its tag): unsupported type"},
		{"embedded deeper without exported fields", struct {
			timeAndAddr
			B int
		}{}, " timeAndAddr.Time: found time.Time (an embedded struct without exported fields; give it a name in its tag): unsupported type"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := msgpack.Marshal(c.value)
			if want := "msgpack: marshal" + c.want; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

// TestErrorOfLength encodes more elements than a header can announce. They are
// empty structs, which take no memory.
func TestErrorOfLength(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("an int of 32 bits cannot hold such a length")
	}
	length := uint64(1) << 32
	tooLong := reflect.ArrayOf(int(length), reflect.TypeFor[struct{}]())
	for _, v := range []any{make([]struct{}, length), reflect.New(tooLong).Interface(), []any{make([]struct{}, length+1)}} {
		_, err := msgpack.Marshal(v)
		checkError(t, err, msgpack.ErrLimit)
	}
}

// Bad has a field that cannot be encoded.
type Bad struct{ C chan int }

type textFails struct{}

func (textFails) MarshalText() ([]byte, error) { return nil, errOwn }

func TestErrorsOfValid(t *testing.T) {
	for _, c := range []struct{ name, bytes, want string }{
		{"empty input", "", "at offset 0: found end of input: truncated input"},
		{"trailing bytes", "01 02", "at offset 1: trailing data after the value"},
		{"malformed trailing bytes", "90 c1", "at offset 1: trailing data after the value"},
		{"reserved byte", "c1", "at offset 0: found byte c1: reserved format byte c1"},
		{"part of a str", "d9 05 61", "at offset 0: found str 8 of 5 bytes, 1 left: truncated input"},
		{"in an array", "93 01 02 c1", "[2] at offset 3: found byte c1: reserved format byte c1"},
		{"in a map", "82 a1 61 01 a1 62 c1", `["b"] at offset 6: found byte c1: reserved format byte c1`},
		{"in a map by integer", "81 d0 80 c1", "[-128] at offset 3: found byte c1: reserved format byte c1"},
		{"in a map by great integer", "81 cf ffffffffffffffff c1", "[18446744073709551615] at offset 10: found byte c1: reserved format byte c1"},
		{"in a map by bool", "81 c3 c1", "[true] at offset 2: found byte c1: reserved format byte c1"},
		{"in a map by bin", "81 c4 01 61 c1", "[bin 8 of 1 byte] at offset 4: found byte c1: reserved format byte c1"},
		{"in a key", "82 01 02 91 c1 03", "[key 1][0] at offset 4: found byte c1: reserved format byte c1"},
		{"after containers", "93 92 01 90 80 91 c1", "[2][0] at offset 6: found byte c1: reserved format byte c1"},
		{"after a map in a map", "82 01 81 02 03 04 c1", "[4] at offset 6: found byte c1: reserved format byte c1"},
		{"nested containers", "91 81 a1 61 92 01 81 05 c1", `[0]["a"][1][5] at offset 8: found byte c1: reserved format byte c1`},
		{"claim in an array", "91 dd 00000005 01", "[0] at offset 1: found array 32 of 5 elements: truncated input"},
		{"malformed timestamp", "91 d4 ff 00", "[0] at offset 1: found fixext 1 of type -1 and 1 byte: malformed timestamp"},
		{"too deep", strings.Repeat("91", 513) + "01", strings.Repeat("[0]", 33) + "[ … ]" + strings.Repeat("[0]", 33) + " at offset 512: found fixarray of 1 element: nested too deeply"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := msgpack.Valid(unhex(t, c.bytes))
			if want := "msgpack: validate " + c.want; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

// TestErrorUnwraps checks that errors.Is also finds an error that a user's method
// has returned.
func TestErrorUnwraps(t *testing.T) {
	err := error(&msgpack.Error{Op: "marshal", Err: io.ErrUnexpectedEOF})
	if !errors.Is(err, io.ErrUnexpectedEOF) || err.Error() != "msgpack: marshal: unexpected EOF" {
		t.Errorf("got %v", err)
	}
	if got := (&msgpack.Error{Op: "validate", Offset: 3}).Error(); got != "msgpack: validate at offset 3" {
		t.Errorf("got %s", got)
	}
	if got := (&msgpack.Error{Op: "unmarshal", Path: "A", Want: "int"}).Error(); got != "msgpack: unmarshal A at offset 0: want int" {
		t.Errorf("got %s", got)
	}
}

// TestReuseAfterErrors makes successful calls after errors of every kind.
func TestReuseAfterErrors(t *testing.T) {
	good, err := msgpack.Marshal(makeBush(3))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range refusals {
		var a any
		_ = msgpack.Unmarshal(unhex(t, "92 81 a1 61 cd 1234"+c.bytes), &a)
		_ = msgpack.Unmarshal(unhex(t, "81 01"+c.bytes), new(map[int8]any))
		_, _ = msgpack.Marshal(map[int8]any{1: "a", 2: make(chan int), 3: c.target})
		checkDecode(t, good, *makeBush(3))
		if again, err := msgpack.Marshal(makeBush(3)); err != nil || string(again) != string(good) {
			t.Fatalf("%s: got % x, %v", c.name, again, err)
		}
	}
}
