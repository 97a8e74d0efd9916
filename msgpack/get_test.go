package msgpack_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
)

// fromHex decodes a message in hexadecimal with spaces.
func fromHex(t *testing.T, text string) []byte {
	t.Helper()
	data, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

type (
	pathString string
	pathInt    int16
	pathFloat  float32
	pathBool   bool
)

func TestGet(t *testing.T) {
	second := time.Unix(1, 0)
	for _, c := range []struct {
		name  string
		bytes string
		path  []any
		want  string
	}{
		{"no path", "92 01 02", nil, "92 01 02"},
		{"no path, and bytes that follow", "92 01 02 c1", nil, "92 01 02"},
		{"malformed value after the result", "92 01 c1", []any{0}, "01"},
		{"malformed value after the map", "82 a1 61 01 a1 62 02 c1", []any{"a"}, "01"},
		{"a scalar without a path", "cd 0100", nil, "cd 0100"},
		{"first element", "93 01 02 03", []any{0}, "01"},
		{"last element", "93 01 02 a1 61", []any{2}, "a1 61"},
		{"element behind containers", "93 81 01 92 02 03 90 05", []any{2}, "05"},
		{"element of an array 16", "dc 0002 01 02", []any{1}, "02"},
		{"element of an array 32", "dd 00000002 01 02", []any{1}, "02"},
		{"key", "82 a1 61 01 a1 62 02", []any{"b"}, "02"},
		{"key of a map 16", "de 0001 a1 61 01", []any{"a"}, "01"},
		{"key of a map 32", "df 00000001 a1 61 01", []any{"a"}, "01"},
		{"empty key", "82 a1 61 01 a0 02", []any{""}, "02"},
		{"key that begins like another", "82 a2 6162 01 a1 61 02", []any{"a"}, "02"},
		{"str 8 as key", "81 d9 01 61 05", []any{"a"}, "05"},
		{"str 32 as key", "81 db 00000001 61 05", []any{"a"}, "05"},
		{"bin as key", "81 c4 01 61 05", []any{"a"}, "05"},
		{"key that is not UTF-8", "81 a1 ff 05", []any{"\xff"}, "05"},
		{"named string", "81 a1 61 05", []any{pathString("a")}, "05"},
		{"keys and indexes", "81 a1 61 92 01 81 a1 62 c3", []any{"a", 1, "b"}, "c3"},
		{"container", "81 a1 61 92 01 81 a1 62 c3", []any{"a", 1}, "81 a1 62 c3"},

		{"last of equal keys", "83 a1 61 01 a1 62 02 a1 61 03", []any{"a"}, "03"},
		{"last of equal keys in two formats", "82 a1 61 01 c4 01 61 03", []any{"a"}, "03"},
		{"last of equal keys, on the way", "82 a1 61 81 01 02 a1 61 81 01 03", []any{"a", 1}, "03"},

		{"integer as key", "82 01 a1 61 02 a1 62", []any{2}, "a1 62"},
		{"wide integer as key", "81 d3 0000000000000002 05", []any{uint8(2)}, "05"},
		{"negative integer as key", "82 e0 01 ff 02", []any{-1}, "02"},
		{"lowest integer as key", "81 d3 8000000000000000 05", []any{int64(math.MinInt64)}, "05"},
		{"greatest integer as key", "82 ff 01 cf ffffffffffffffff 02", []any{uint64(math.MaxUint64)}, "02"},
		{"not the greatest integer as key", "82 cf ffffffffffffffff 02 ff 01", []any{-1}, "01"},
		{"named integer", "81 05 06", []any{pathInt(5)}, "06"},
		{"nil as key", "82 c2 01 c0 02", []any{nil}, "02"},
		{"false as key", "82 c3 01 c2 02", []any{false}, "02"},
		{"true as key", "82 c3 01 c2 02", []any{pathBool(true)}, "01"},
		{"float 64 as key", "81 cb 3ff8000000000000 05", []any{1.5}, "05"},
		{"float 32 as key", "81 ca 3fc00000 05", []any{pathFloat(1.5)}, "05"},
		{"negative zero as key", "81 cb 8000000000000000 05", []any{0.0}, "05"},
		{"timestamp as key", "82 d6 ff 00000000 01 d6 ff 00000001 02", []any{second}, "02"},
		{"timestamp 96 as key, in another zone", "81 c7 0c ff 00000000 0000000000000001 05", []any{second.In(time.FixedZone("", 3600))}, "05"},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, want := fromHex(t, c.bytes), fromHex(t, c.want)
			got, err := msgpack.Get(data, c.path...)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("got % x, %v, want % x", got, err, want)
			}
			if msgpack.Valid(data) != nil {
				return
			}
			v, err := msgpack.ViewOf(data)
			if err != nil {
				t.Fatal(err)
			}
			if v, err = v.Get(c.path...); err != nil || !bytes.Equal(v.Raw(), want) {
				t.Errorf("View: got % x, %v, want % x", v.Raw(), err, want)
			}
		})
	}
}

func TestErrorsOfGet(t *testing.T) {
	for _, c := range []struct {
		name   string
		bytes  string
		path   []any
		reason error
		want   string
	}{
		{"no such key", "81 a1 61 01", []any{"b"}, msgpack.ErrNotFound, `get ["b"] at offset 0: found fixmap of 1 pair: no such key or index`},
		{"no such key, further on", "82 a1 61 01 a1 62 81 a1 63 01", []any{"b", "d", "e"}, msgpack.ErrNotFound,
			`get ["b"]["d"] at offset 6: found fixmap of 1 pair: no such key or index`},
		{"no such index", "92 01 02", []any{2}, msgpack.ErrNotFound, "get [2] at offset 0: found fixarray of 2 elements: no such key or index"},
		{"negative index", "92 01 02", []any{-1}, msgpack.ErrNotFound, "get [-1] at offset 0: found fixarray of 2 elements: no such key or index"},
		{"huge index", "92 01 02", []any{uint64(math.MaxUint64)}, msgpack.ErrNotFound,
			"get [18446744073709551615] at offset 0: found fixarray of 2 elements: no such key or index"},
		{"empty array", "90", []any{0}, msgpack.ErrNotFound, "get [0] at offset 0: found fixarray of 0 elements: no such key or index"},
		{"in nil", "81 a1 61 c0", []any{"a", "b"}, msgpack.ErrNotFound, `get ["a"]["b"] at offset 3: found nil: no such key or index`},
		{"index in nil", "c0", []any{0}, msgpack.ErrNotFound, "get [0] at offset 0: found nil: no such key or index"},
		{"last of equal keys", "82 a1 61 81 01 02 a1 61 80", []any{"a", 1}, msgpack.ErrNotFound,
			`get ["a"][1] at offset 8: found fixmap of 0 pairs: no such key or index`},
		{"float for an int", "81 01 02", []any{1.0}, msgpack.ErrNotFound, "get [1] at offset 0: found fixmap of 1 pair: no such key or index"},
		{"int for a float", "81 ca 3f800000 02", []any{1}, msgpack.ErrNotFound, "get [1] at offset 0: found fixmap of 1 pair: no such key or index"},
		{"int for its digits", "81 a1 31 02", []any{1}, msgpack.ErrNotFound, "get [1] at offset 0: found fixmap of 1 pair: no such key or index"},
		{"ext for its bytes", "81 d4 01 61 02", []any{"a"}, msgpack.ErrNotFound, `get ["a"] at offset 0: found fixmap of 1 pair: no such key or index`},
		{"NaN", "81 cb 7ff8000000000000 02", []any{math.NaN()}, msgpack.ErrNotFound, "get [NaN] at offset 0: found fixmap of 1 pair: no such key or index"},
		{"another instant", "81 d6 ff 00000001 02", []any{time.Unix(1, 1)}, msgpack.ErrNotFound,
			"get [1970-01-01T00:00:01.000000001Z] at offset 0: found fixmap of 1 pair: no such key or index"},
		{"ext for an instant", "81 d6 01 00000001 02", []any{time.Unix(1, 0)}, msgpack.ErrNotFound,
			"get [1970-01-01T00:00:01Z] at offset 0: found fixmap of 1 pair: no such key or index"},
		{"false for true", "81 c3 02", []any{false}, msgpack.ErrNotFound, "get [false] at offset 0: found fixmap of 1 pair: no such key or index"},
		{"false for nil", "81 c2 02", []any{nil}, msgpack.ErrNotFound, "get [nil] at offset 0: found fixmap of 1 pair: no such key or index"},

		{"key in an array", "91 01", []any{"a"}, msgpack.ErrMismatch, `get ["a"] at offset 0: found fixarray of 1 element, want map: value does not fit the Go type`},
		{"key in an int", "81 a1 61 05", []any{"a", "b"}, msgpack.ErrMismatch,
			`get ["a"]["b"] at offset 3: found positive fixint 5, want map: value does not fit the Go type`},
		{"index in a str", "a1 61", []any{0}, msgpack.ErrMismatch, "get [0] at offset 0: found fixstr of 1 byte, want map or array: value does not fit the Go type"},

		{"struct", "80", []any{struct{}{}}, msgpack.ErrUnsupported, "get at offset 0: found struct {}: unsupported type"},
		{"bytes", "80", []any{[]byte("a")}, msgpack.ErrUnsupported, "get at offset 0: found []uint8: unsupported type"},
		{"uintptr", "80", []any{uintptr(1)}, msgpack.ErrUnsupported, "get at offset 0: found uintptr: unsupported type"},
		{"pointer after a missing key", "80", []any{"a", new("b")}, msgpack.ErrUnsupported, `get ["a"] at offset 0: found *string: unsupported type`},

		{"empty input", "", []any{"a"}, msgpack.ErrTruncated, "get at offset 0: found end of input: truncated input"},
		{"reserved byte", "81 a1 61 92 01 c1", []any{"a", 1}, msgpack.ErrReserved, `get ["a"][1] at offset 5: found byte c1: reserved format byte c1`},
		{"reserved byte as key", "81 c1 01", []any{"a"}, msgpack.ErrReserved, `get [key 0] at offset 1: found byte c1: reserved format byte c1`},
		{"reserved byte in a skipped value", "92 91 c1 01", []any{1}, msgpack.ErrReserved, `get [0][0] at offset 2: found byte c1: reserved format byte c1`},
		{"reserved byte in the value of another key", "82 a1 61 01 a1 62 c1", []any{"c"}, msgpack.ErrReserved,
			`get ["b"] at offset 6: found byte c1: reserved format byte c1`},
		{"malformed timestamp", "82 a1 61 d4 ff 00 a1 62 01", []any{"b"}, msgpack.ErrTimestamp,
			`get ["a"] at offset 3: found fixext 1 of type -1 and 1 byte: malformed timestamp`},
		{"truncated value", "81 a1 61 a2 62", []any{"a"}, msgpack.ErrTruncated, `get ["a"] at offset 3: found fixstr of 2 bytes, 1 left: truncated input`},
		{"truncated value at the start of the path", "81 a1 61 a2 62", []any{"a", "b"}, msgpack.ErrTruncated,
			`get ["a"] at offset 3: found fixstr of 2 bytes, 1 left: truncated input`},
		{"claim", "dd ffffffff 01", []any{0}, msgpack.ErrTruncated, "get at offset 0: found array 32 of 4294967295 elements: truncated input"},
		{"claim of a map", "df 80000000 01 02", []any{1}, msgpack.ErrTruncated, "get at offset 0: found map 32 of 2147483648 pairs: truncated input"},
		{"claim within a claim", "92 92 01 02", []any{0, 0}, msgpack.ErrTruncated, "get [0] at offset 1: found fixarray of 2 elements: truncated input"},
		{"claim within a claim of a map", "82 a1 61 92 01 02", []any{"b"}, msgpack.ErrTruncated, "get [key 1] at offset 6: found end of input: truncated input"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := msgpack.Get(fromHex(t, c.bytes), c.path...)
			if checkError(t, err, c.reason); err == nil || err.Error() != "msgpack: "+c.want {
				t.Errorf("got  %v\nwant msgpack: %s", err, c.want)
			}
			if got != nil {
				t.Errorf("got % x and an error", got)
			}
		})
	}
}

// TestGetAliases checks that the result is a part of the input, and that append to
// it cannot overwrite what follows.
func TestGetAliases(t *testing.T) {
	data := []byte("\x82\xa1a\x01\xa1b\x02")
	got, err := msgpack.Get(data, "a")
	if err != nil || &got[0] != &data[3] || cap(got) != 1 {
		t.Errorf("got % x with capacity %d, %v", got, cap(got), err)
	}
}

// eachPath calls visit for v and for all values inside it, with their paths.
func eachPath(path []any, v any, visit func(path []any, v any)) {
	visit(path, v)
	path = path[:len(path):len(path)]
	switch v := v.(type) {
	case []any:
		for i := range v {
			eachPath(append(path, i), v[i], visit)
		}
	case map[string]any:
		for k := range v {
			eachPath(append(path, k), v[k], visit)
		}
	case map[any]any:
		for k := range v {
			if k == k { // not NaN, which no path can name
				eachPath(append(path, k), v[k], visit)
			}
		}
	}
}

// checkGet compares Get with Unmarshal at every path.
func checkGet(t *testing.T, data []byte) {
	t.Helper()
	var all any
	if err := msgpack.Unmarshal(data, &all); err != nil {
		if msgpack.Valid(data) == nil && !errors.Is(err, msgpack.ErrUnhashable) {
			t.Errorf("% x: %v", data, err)
		}
		_, err := msgpack.Get(data)
		if _, wantErr := msgpack.UnmarshalPrefix(data, new(msgpack.Raw)); (err == nil) != (wantErr == nil) {
			t.Errorf("% x: Get %v, Raw %v", data, err, wantErr)
		}
		return
	}
	eachPath(nil, all, func(path []any, want any) {
		raw, err := msgpack.Get(data, path...)
		if err != nil {
			t.Errorf("% x at %v: %v", data, path, err)
			return
		}
		var got any
		if err := msgpack.Unmarshal(raw, &got); err != nil {
			t.Errorf("% x at %v: % x: %v", data, path, raw, err)
		} else if diff := randtype.Diff(want, got); diff != "" {
			t.Errorf("% x at %v: %s", data, path, diff)
		}
		_, err = msgpack.Get(data, append(path[:len(path):len(path)], "\x00 missing")...)
		switch want.(type) {
		case nil, map[string]any, map[any]any:
			checkError(t, err, msgpack.ErrNotFound)
		default:
			checkError(t, err, msgpack.ErrMismatch)
		}
	})
}

// TestGetLikeUnmarshal compares Get with Unmarshal for every path of every message
// of the corpus.
func TestGetLikeUnmarshal(t *testing.T) {
	for _, s := range corpus() {
		if checkGet(t, s.data); t.Failed() {
			t.Fatal(s.name)
		}
	}
}

// TestGetDepth follows a path to the maximum depth.
func TestGetDepth(t *testing.T) {
	path := make([]any, msgpack.MaxDepth)
	for i := range path {
		path[i] = 0
	}
	for name, open := range map[string]string{"arrays": "\x91", "maps": "\x81\x00", "arrays of more": "\x92"} {
		message := func(levels int) []byte {
			closed := ""
			if name == "arrays of more" {
				closed = strings.Repeat("\x01", levels)
			}
			return []byte(strings.Repeat(open, levels) + "\xc3" + closed)
		}
		for _, levels := range []int{511, 512} {
			got, err := msgpack.Get(message(levels), path[:levels]...)
			if err != nil || string(got) != "\xc3" {
				t.Errorf("%d %s: % x, %v", levels, name, got, err)
			}
		}
		for _, levels := range []int{513, 1e6} {
			_, err := msgpack.Get(message(levels), path...)
			if e := checkError(t, err, msgpack.ErrDepth); e != nil && int(e.Offset) != 512*len(open) {
				t.Errorf("%d %s: at offset %d", levels, name, e.Offset)
			}
		}
	}
}

// TestGetAllocations checks that no kind of path element makes Get allocate.
func TestGetAllocations(t *testing.T) {
	skipIfInstrumented(t)
	data, err := msgpack.Marshal(map[string]any{
		"users": []any{1, map[string]any{"name": "Ada", "at": time.Unix(1, 0)}},
		"byID":  map[any]any{int64(700): "a", true: "b", 1.5: "c", nil: "d", time.Unix(5, 0): "e"},
	})
	if err != nil {
		t.Fatal(err)
	}
	index, id, float, at, name := strings.Index("ab", "b"), int64(700), 1.5, time.Unix(5, 0), strings.ToLower("NAME")
	for what, get := range map[string]func() (msgpack.Raw, error){
		"constants": func() (msgpack.Raw, error) { return msgpack.Get(data, "users", 1, "name") },
		"variables": func() (msgpack.Raw, error) { return msgpack.Get(data, "users", index, name) },
		"int":       func() (msgpack.Raw, error) { return msgpack.Get(data, "byID", id) },
		"bool":      func() (msgpack.Raw, error) { return msgpack.Get(data, "byID", index == 1) },
		"float":     func() (msgpack.Raw, error) { return msgpack.Get(data, "byID", float) },
		"nil":       func() (msgpack.Raw, error) { return msgpack.Get(data, "byID", nil) },
		"time":      func() (msgpack.Raw, error) { return msgpack.Get(data, "byID", at) },
	} {
		if raw, err := get(); err != nil || len(raw) == 0 {
			t.Errorf("%s: %v", what, err)
		}
		if n := testing.AllocsPerRun(100, func() { _, _ = get() }); n != 0 {
			t.Errorf("%s: %v allocations", what, n)
		}
	}
}

// TestViewConfigDepth checks that MaxDepth of Options applies to Views.
func TestViewConfigDepth(t *testing.T) {
	for _, depth := range []int{1, 600} {
		c, err := msgpack.New(msgpack.Options{MaxDepth: depth})
		if err != nil {
			t.Fatal(err)
		}
		path := make([]any, depth)
		for i := range path {
			path[i] = 0
		}
		deepest := []byte(strings.Repeat("\x91", depth) + "\xc3")
		v, err := c.ViewOf(deepest)
		if err != nil {
			t.Errorf("%d levels: %v", depth, err)
		}
		got, err := v.Get(path...)
		if err != nil || string(got.Raw()) != "\xc3" {
			t.Errorf("%d levels: % x, %v", depth, got.Raw(), err)
		}
		inner, err := v.Get(0)
		if err != nil {
			t.Errorf("%d levels: %v", depth, err)
		}
		for _, v := range []msgpack.View{v, inner} {
			if err := v.Decode(new(any)); err != nil {
				t.Errorf("%d levels: %v", depth, err)
			}
		}
		_, err = c.ViewOf(append([]byte{0x91}, deepest...))
		checkError(t, err, msgpack.ErrDepth)
	}
}

// TestViewChecks checks that a View applies the checks of the Options to the whole
// message.
func TestViewChecks(t *testing.T) {
	for name, c := range map[string]struct {
		config msgpack.Options
		data   string
		want   error
	}{
		"equal keys":          {msgpack.Options{RejectDuplicates: true}, "\x92\x01\x82\xa1a\x01\xa1a\x02", msgpack.ErrDuplicateKey},
		"not UTF-8":           {msgpack.Options{RejectInvalidUTF8: true}, "\x92\x01\xa1\xff", msgpack.ErrUTF8},
		"too many elements":   {msgpack.Options{MaxElements: 2}, "\x92\x01\x93\x01\x02\x03", msgpack.ErrLimit},
		"more bytes":          {msgpack.Options{MaxBytes: 10}, "\x92\x01\x02\x03", msgpack.ErrTrailing},
		"more bytes, allowed": {msgpack.Options{MaxBytes: 10, AllowTrailing: true}, "\x92\x01\x02\x03", nil},
	} {
		v, err := newCodec(t, c.config).ViewOf([]byte(c.data))
		if c.want != nil {
			checkError(t, err, c.want)
			continue
		}
		first, e := v.Get(0)
		if err != nil || e != nil || string(first.Raw()) != "\x01" {
			t.Errorf("%s: % x, %v, %v", name, first.Raw(), err, e)
		}
	}
}
