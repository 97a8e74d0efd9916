package msgpack_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

type lastRequired struct {
	Z int `msgpack:",required"`
	A int
}

type required struct {
	A int `msgpack:"a,required"`
	B int `msgpack:"b"`
	C int `msgpack:"c,required"`
}

// TestOptionsDecode checks what each field of Options that affects decoding does to
// valid messages.
func TestOptionsDecode(t *testing.T) {
	type c = msgpack.Options
	type pairs = msgpack.Pairs
	berlin := time.FixedZone("somewhere", 3600)
	second := time.Unix(1, 0)
	rounded := c{Compat: msgpack.Compat{RoundInts: true}}
	const zero = "\xc7\x0c\xff\x00\x00\x00\x00\xff\xff\xff\xf1\x88\x6e\x09\x00"
	tests := []struct {
		name   string
		config c
		input  string
		want   any // also the type to decode into, unless that is any
		any    bool
	}{
		{"required and present", c{}, "\x82\xa1c\x02\xa1a\x01", required{A: 1, C: 2}, false},
		{"required and nil", c{}, "\x82\xa1c\xc0\xa1a\x01", required{A: 1}, false},
		{"required in array form", c{}, "\x93\x01\x02\x03", required{1, 2, 3}, false},
		{"required, canonical order", c{Canonical: true}, "\x81\xa1Z\x01", lastRequired{Z: 1}, false},
		{"required fields, nil for the struct", c{}, "\xc0", required{}, false},
		{"rounded integer", rounded, "\xcf\x00\x20\x00\x00\x00\x00\x00\x01", float64(1 << 53), false},
		{"rounded negative integer", rounded, "\xd3\xff\xdf\xff\xff\xff\xff\xff\xfd", float64(-1<<53 - 4), false},
		{"rounded greatest integer", rounded, "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", float64(1 << 64), false},
		{"rounded integer into float32, once", rounded, "\xcf\x00\x80\x00\x00\x80\x00\x00\x01", float32(1<<55 + 1<<32), false},
		{"rounded integers in a slice", rounded, "\x92\xce\x01\x00\x00\x01\xd2\xfe\xff\xff\xff", []float32{1 << 24, -1 << 24}, false},
		{"rounded integer in a struct", rounded, "\x81\xa1F\xcf\x00\x20\x00\x00\x00\x00\x00\x01", struct{ F float64 }{1 << 53}, false},
		{"exact array", c{ExactArrays: true}, "\x93\x01\x02\x03", required{1, 2, 3}, false},
		{"unknown in a map target", c{RejectUnknown: true}, "\x81\xa1z\x01", map[string]int{"z": 1}, false},
		{"unknown into the inline map", c{RejectUnknown: true}, "\x83\xa1z\x01\xa1A\x02\xa1y\x91\x03", withRest{A: 2, More: map[string]any{"z": int64(1), "y": []any{int64(3)}}}, false},
		{"snake case", c{Naming: msgpack.SnakeCase}, "\x81\xa7user_id\x05", struct{ UserID int }{5}, false},
		{"trailing", c{AllowTrailing: true}, "\x05\x06\xc1", 5, false},
		{"zone", c{Zone: berlin}, "\xd6\xff\x00\x00\x00\x01", second.In(berlin), false},
		{"zone in any", c{Zone: berlin}, "\x91\xd6\xff\x00\x00\x00\x01", []any{second.In(berlin)}, true},
		{"zone, zero time", c{Zone: berlin}, zero, time.Time{}, false},
		{"zone in any, zero time", c{Zone: berlin}, "\x91" + zero, []any{time.Time{}}, true},
		{"zone, zero time as RFC 3339", c{Zone: berlin, Time: msgpack.TimeRFC3339}, "\xb40001-01-01T00:00:00Z", time.Time{}, false},
		{"zone, zero time as Unix", c{Zone: berlin, Time: msgpack.TimeUnix}, "\xd3\xff\xff\xff\xf1\x88\x6e\x09\x00", time.Time{}, false},
		{"RFC 3339", c{Time: msgpack.TimeRFC3339}, "\xb41970-01-01T00:00:01Z", second.UTC(), false},
		{"RFC 3339 from a timestamp", c{Time: msgpack.TimeRFC3339}, "\xd6\xff\x00\x00\x00\x01", second.UTC(), false},
		{"Unix", c{Time: msgpack.TimeUnix}, "\x01", second.UTC(), false},
		{"Unix as a float", c{Time: msgpack.TimeUnix}, "\xca\x3f\x80\x00\x00", second.UTC(), false},
		{"Unix milli below zero", c{Time: msgpack.TimeUnixMilli}, "\xff", time.Unix(0, -1e6).UTC(), false},
		{"nil is the zero time", c{Time: msgpack.TimeUnix}, "\xc0", time.Time{}, false},
		{"any map", c{AnyMap: msgpack.AnyMapAny}, "\x81\xa1a\x81\x01\x02", map[any]any{"a": map[any]any{int64(1): int64(2)}}, true},
		{"any pairs", c{AnyMap: msgpack.AnyMapPairs}, "\x82\xa1b\x81\x01\x02\x90\x03", pairs{{"b", pairs{{int64(1), int64(2)}}}, {[]any{}, int64(3)}}, true},
		{"pairs as a type", c{}, "\x82\xa1b\x01\xa1b\x02", pairs{{"b", int64(1)}, {"b", int64(2)}}, false},
		{"nil pairs", c{}, "\xc0", pairs(nil), false},
		{"any numbers by format", c{AnyNumber: msgpack.AnyNumberFormat},
			"\x9c\x01\xff\xd0\x01\xd1\x00\x01\xd2\x00\x00\x00\x01\xd3\x00\x00\x00\x00\x00\x00\x00\x01\xcc\x01\xcd\x00\x01\xce\x00\x00\x00\x01\xcf\x00\x00\x00\x00\x00\x00\x00\x01\xca\x3f\x80\x00\x00\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00",
			[]any{int8(1), int8(-1), int8(1), int16(1), int32(1), int64(1), uint8(1), uint16(1), uint32(1), uint64(1), float32(1), float64(1)}, true},
		{"any numbers by sign", c{AnyNumber: msgpack.AnyNumberSign}, "\x95\x01\xff\xcc\x01\xd0\x01\xca\x3f\x80\x00\x00", []any{int64(1), int64(-1), uint64(1), int64(1), float64(1)}, true},
		{"any numbers by sign, with floats", c{AnyNumber: msgpack.AnyNumberSignFloat}, "\x96\x01\xff\xcc\x01\xd0\x01\xca\x3f\x80\x00\x00\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00",
			[]any{int64(1), int64(-1), uint64(1), int64(1), float32(1), float64(1)}, true},
		{"any numbers as written", c{AnyNumber: msgpack.AnyNumberRaw}, "\x81\xcd\x00\x01\xca\x3f\x80\x00\x00",
			map[any]any{msgpack.Number("\xcd\x00\x01"): msgpack.Number("\xca\x3f\x80\x00\x00")}, true},
		{"number as a type", c{}, "\x92\x01\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00", []msgpack.Number{"\x01", "\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00"}, false},
		{"aliased", c{AliasInput: true}, "\x84\xa1s\xa1x\xa1b\xc4\x01y\xa1r\x91\x05\xa1a\x81\xa1k\xc4\x01v", struct {
			S string      `msgpack:"s"`
			B []byte      `msgpack:"b"`
			R msgpack.Raw `msgpack:"r"`
			A any         `msgpack:"a"`
		}{"x", []byte("y"), msgpack.Raw("\x91\x05"), map[string]any{"k": []byte("v")}}, false},
		{"aliased in slices and maps", c{AliasInput: true}, "\x81\xa1k\x92\xa1a\xa0", map[string][]string{"k": {"a", ""}}, false},
		{"aliased keys of numbers", c{AliasInput: true}, "\x81\xa1k\x07", map[string]int{"k": 7}, false},
		{"bin keys", c{AnyStringKeys: true}, "\x82\xc4\x01a\x81\xc4\x00\xc4\x01v\xa1b\x01", map[string]any{"a": map[string]any{"": []byte("v")}, "b": int64(1)}, true},
		{"bin keys after a number", c{AnyStringKeys: true}, "\x82\x01\x02\xc5\x00\x01a\x03", map[any]any{int64(1): int64(2), "a": int64(3)}, true},
		{"bin keys, every map is a map[any]any", c{AnyStringKeys: true, AnyMap: msgpack.AnyMapAny}, "\x81\xc4\x01a\x81\xc4\x01b\x03", map[any]any{"a": map[any]any{"b": int64(3)}}, true},
		{"bin keys in pairs", c{AnyStringKeys: true, AnyMap: msgpack.AnyMapPairs}, "\x82\xc4\x01a\x01\x90\x02", pairs{{"a", int64(1)}, {[]any{}, int64(2)}}, true},
		{"bin keys in Pairs", c{AnyStringKeys: true}, "\x81\xc4\x01a\xc4\x01b", pairs{{"a", []byte("b")}}, false},
		{"bin keys in Pairs by default", c{}, "\x81\xc4\x01a\x01", pairs{{[]byte("a"), int64(1)}}, false},
		{"bin keys, aliased", c{AnyStringKeys: true, AliasInput: true}, "\x82\xc4\x01a\x01\xc4\x00\x02", map[string]any{"a": int64(1), "": int64(2)}, true},
		{"bin keys of typed maps", c{AnyStringKeys: true}, "\x82\xc4\x01a\x01\x02\x03", map[any]int{"a": 1, int64(2): 3}, false},
		{"bin keys of maps of any", c{AnyStringKeys: true}, "\x81\xc4\x01a\x81\xc4\x01b\x01", map[any]any{"a": map[string]any{"b": int64(1)}}, false},
		{"bin values stay", c{AnyStringKeys: true}, "\x92\xc4\x01a\x81\x01\xc4\x01b", []any{[]byte("a"), map[any]any{int64(1): []byte("b")}}, true},
		{"text as bytes", c{Compat: msgpack.Compat{AnyText: msgpack.AnyTextBytes}}, "\x94\xa1a\xa0\xc4\x01b\x81\xa1k\xa1v", []any{[]byte("a"), []byte{}, []byte("b"), map[string]any{"k": []byte("v")}}, true},
		{"text as bytes, every map is a map[any]any", c{Compat: msgpack.Compat{AnyText: msgpack.AnyTextBytes}, AnyMap: msgpack.AnyMapAny, AliasInput: true}, "\x82\xa1k\xa1v\x01\xa0", map[any]any{"k": []byte("v"), int64(1): []byte{}}, true},
		{"text as bytes, keys of maps of any", c{Compat: msgpack.Compat{AnyText: msgpack.AnyTextBytes}}, "\x82\xa1k\xa1v\x01\xa0", map[any]any{"k": []byte("v"), int64(1): []byte{}}, false},
		{"text as bytes, in Pairs", c{Compat: msgpack.Compat{AnyText: msgpack.AnyTextBytes}}, "\x82\xa1k\xa1v\xc4\x01k\x01", pairs{{"k", []byte("v")}, {[]byte("k"), int64(1)}}, false},
		{"text as bytes, not in typed variables", c{Compat: msgpack.Compat{AnyText: msgpack.AnyTextBytes}}, "\x81\xa1k\xa1v", map[string]string{"k": "v"}, false},
		{"text as strings", c{Compat: msgpack.Compat{AnyText: msgpack.AnyTextString}}, "\x93\xa1a\xc4\x00\x82\xc4\x01k\xc4\x01v\x01\xc4\x00", []any{"a", "", map[any]any{"k": "v", int64(1): ""}}, true},
		{"text as strings, keys of maps of any", c{Compat: msgpack.Compat{AnyText: msgpack.AnyTextString}, AliasInput: true}, "\x81\xc4\x01k\xc4\x01v", map[any]any{"k": "v"}, false},
		{"within limits", c{MaxElements: 2, MaxBytes: 3, MaxTotal: 7, RejectInvalidUTF8: true, RejectDuplicates: true}, "\x92\xa3abc\xa0", []string{"abc", ""}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			codec := newCodec(t, test.config)
			typ := reflect.TypeOf(test.want)
			if test.any {
				typ = reflect.TypeFor[any]()
			}
			got := reflect.New(typ)
			if err := codec.Unmarshal([]byte(test.input), got.Interface()); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Elem().Interface(), test.want) {
				t.Errorf("got  %#v\nwant %#v", got.Elem().Interface(), test.want)
			}
		})
	}
}

// A behindPointer has an inline map that decoding cannot reach.
type behindPointer struct {
	*rest
	A int
}

type rest struct {
	More map[string]any `msgpack:",inline"`
}

// TestOptionsDecodeErrors checks the reason, path and offset of the errors that
// fields of Options cause.
func TestOptionsDecodeErrors(t *testing.T) {
	type c = msgpack.Options
	many := []byte{0xdc, 0, 0}
	for i := range 40 { // more keys than RejectDuplicates compares one by one
		many = append(many, 0xcd, 0, byte(i), byte(i))
	}
	many = append(many, 7, 0)
	many[0], many[2] = 0xde, 41
	tests := []struct {
		name   string
		config c
		input  string
		target any
		reason error
		path   string
		offset int
	}{
		{"required is missing", c{}, "\x91\x81\xa1a\x01", new([]required), msgpack.ErrMissingField, "[0].C", 1},
		{"required is missing, canonical order", c{Canonical: true}, "\x81\xa1A\x01", new(lastRequired), msgpack.ErrMissingField, "Z", 0},
		{"required is missing in array form", c{}, "\x92\x01\x02", new(required), msgpack.ErrMissingField, "C", 0},
		{"unknown field", c{RejectUnknown: true}, "\x82\xa1a\x01\xa1z\x02", new(struct{ A int }), msgpack.ErrUnknownField, `["a"]`, 1},
		{"unknown integer key", c{RejectUnknown: true}, "\x91\x81\x05\x02", new([]struct{ A int }), msgpack.ErrUnknownField, "[0][5]", 2},
		{"key of the inline map is not a string", c{}, "\x81\x05\x02", new(withRest), msgpack.ErrMismatch, "More[key]", 1},
		{"array too short", c{ExactArrays: true}, "\x91\x01", new(struct{ A, B int }), msgpack.ErrLength, "", 0},
		{"array too long", c{ExactArrays: true}, "\x91\x93\x01\x02\x03", new([]struct{ A, B int }), msgpack.ErrLength, "[0]", 1},
		{"a key twice", c{RejectDuplicates: true}, "\x82\xa1a\x01\xa1a\x02", new(any), msgpack.ErrDuplicateKey, "[key 1]", 4},
		{"a key twice, as str and bin", c{RejectDuplicates: true}, "\x91\x82\xa1a\x01\xc4\x01a\x02", new(any), msgpack.ErrDuplicateKey, "[0][key 1]", 5},
		{"a key twice, in two widths", c{RejectDuplicates: true}, "\x82\x01\x01\xd1\x00\x01\x02", new(map[int]int), msgpack.ErrDuplicateKey, "[key 1]", 3},
		{"a key twice, below zero", c{RejectDuplicates: true}, "\x82\xff\x01\xd1\xff\xff\x02", new(map[int]int), msgpack.ErrDuplicateKey, "[key 1]", 3},
		{"a key twice, both zeros", c{RejectDuplicates: true}, "\x82\xca\x00\x00\x00\x00\x01\xca\x80\x00\x00\x00\x02", new(any), msgpack.ErrDuplicateKey, "[key 1]", 7},
		{"a key twice among many", c{RejectDuplicates: true}, string(many), new(any), msgpack.ErrDuplicateKey, "[key 40]", len(many) - 2},
		{"duplicate key in a skipped value", c{RejectDuplicates: true}, "\x81\xa1z\x82\xc0\x01\xc0\x02", new(struct{}), msgpack.ErrDuplicateKey, `["z"][key 1]`, 6},
		{"a key twice in Raw", c{RejectDuplicates: true}, "\x82\xc2\x01\xc2\x02", new(msgpack.Raw), msgpack.ErrDuplicateKey, "[key 1]", 3},
		{"invalid UTF-8", c{RejectInvalidUTF8: true}, "\x81\xa1a\x91\xa1\xff", new(any), msgpack.ErrUTF8, `["a"][0]`, 4},
		{"invalid UTF-8 in a key", c{RejectInvalidUTF8: true}, "\x81\xa1\xff\x01", new(any), msgpack.ErrUTF8, "[key 0]", 1},
		{"too deep", c{MaxDepth: 2}, "\x91\x91\x91\x01", new(any), msgpack.ErrDepth, "[0][0]", 2},
		{"too deep for the guard", c{MaxDepth: 2, RejectInvalidUTF8: true}, "\x91\x91\x91\x01", new(any), msgpack.ErrDepth, "[0][0]", 2},
		{"too many elements", c{MaxElements: 2}, "\x92\x01\x93\x01\x02\x03", new(any), msgpack.ErrLimit, "[1]", 2},
		{"too many pairs", c{MaxElements: 1}, "\x82\x01\x01\x02\x02", new(any), msgpack.ErrLimit, "", 0},
		{"str too long", c{MaxBytes: 1}, "\x91\xa2ab", new(any), msgpack.ErrLimit, "[0]", 1},
		{"bin too long", c{MaxBytes: 1}, "\xc4\x02ab", new([]byte), msgpack.ErrLimit, "", 0},
		{"ext too long", c{MaxBytes: 1}, "\xd5\x01ab", new(any), msgpack.ErrLimit, "", 0},
		{"str too long and truncated", c{MaxBytes: 1}, "\xdb\xff\xff\xff\xff", new(any), msgpack.ErrLimit, "", 0},
		{"message too long", c{MaxTotal: 4}, "\x92\xa3abc\x01", new(any), msgpack.ErrLimit, "", 0},
		{"truncated", c{RejectDuplicates: true}, "\x82\xa1a\x01", new(any), msgpack.ErrTruncated, "", 0},
		{"bad timestamp", c{RejectDuplicates: true}, "\x91\xd4\xff\x01", new(any), msgpack.ErrTimestamp, "[0]", 1},
		{"reserved", c{RejectDuplicates: true}, "\x91\xc1", new(any), msgpack.ErrReserved, "[0]", 1},
		{"time not in RFC 3339", c{Time: msgpack.TimeRFC3339}, "\x91\xa3now", new([]time.Time), msgpack.ErrMismatch, "[0]", 1},
		{"time out of range", c{Time: msgpack.TimeUnix}, "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", new(time.Time), msgpack.ErrRange, "", 0},
		{"number that is a str", c{}, "\xa1a", new(msgpack.Number), msgpack.ErrMismatch, "", 0},
		{"pairs that are an array", c{}, "\x90", new(msgpack.Pairs), msgpack.ErrMismatch, "", 0},
		{"any key that is bin", c{AnyMap: msgpack.AnyMapAny}, "\x81\xc4\x01a\x01", new(any), msgpack.ErrUnhashable, "", 1},
		{"any key that is a truncated bin", c{AnyStringKeys: true}, "\x81\xc4\x02a", new(any), msgpack.ErrTruncated, "[key]", 1},
		{"any key of a typed map that is a truncated bin", c{AnyStringKeys: true}, "\x82\xc4\x01a\x05\xc4", new(map[any]int), msgpack.ErrTruncated, "[key]", 5},
		{"any key that is an array, among strings", c{AnyStringKeys: true}, "\x81\x90\x01", new(any), msgpack.ErrUnhashable, "", 1},
		{"truncated number by format", c{AnyNumber: msgpack.AnyNumberFormat}, "\x91\xcd\x01", new(any), msgpack.ErrTruncated, "[0]", 1},
		{"truncated float 32 by format", c{AnyNumber: msgpack.AnyNumberFormat}, "\x91\xca\x01", new(any), msgpack.ErrTruncated, "[0]", 1},
		{"truncated float 64 by format", c{AnyNumber: msgpack.AnyNumberFormat}, "\x91\xcb\x01", new(any), msgpack.ErrTruncated, "[0]", 1},
		{"truncated raw number", c{AnyNumber: msgpack.AnyNumberRaw}, "\x91\xcd\x01", new(any), msgpack.ErrTruncated, "[0]", 1},
		{"truncated Number", c{}, "\x91\xcd\x01", new([]msgpack.Number), msgpack.ErrTruncated, "[0]", 1},
		{"empty input for a Number", c{}, "", new(msgpack.Number), msgpack.ErrTruncated, "", 0},
		{"empty input for Pairs", c{}, "", new(msgpack.Pairs), msgpack.ErrTruncated, "", 0},
		{"Pairs with fewer pairs than claimed", c{}, "\x82\x01\x01", new(msgpack.Pairs), msgpack.ErrTruncated, "", 0},
		{"key of pairs", c{}, "\x82\x01\x01\xc1\x01", new(msgpack.Pairs), msgpack.ErrReserved, "[key]", 3},
		{"value of pairs", c{}, "\x82\x01\x01\x05\xc1", new(msgpack.Pairs), msgpack.ErrReserved, "[5]", 4},
		{"empty input for a time", c{Time: msgpack.TimeRFC3339}, "", new(time.Time), msgpack.ErrTruncated, "", 0},
		{"truncated text for a time", c{Time: msgpack.TimeRFC3339}, "\x91\xa32", new([]time.Time), msgpack.ErrTruncated, "[0]", 1},
		{"truncated number for a time", c{Time: msgpack.TimeUnix}, "\x91\xcd\x01", new([]time.Time), msgpack.ErrTruncated, "[0]", 1},
		{"fraction for a time", c{Time: msgpack.TimeUnix}, "\xca\x3f\xc0\x00\x00", new(time.Time), msgpack.ErrRange, "", 0},
		{"malformed timestamp for a time", c{Time: msgpack.TimeUnix}, "\xd4\xff\x01", new(time.Time), msgpack.ErrTimestamp, "", 0},
		{"aliased value that is not a string", c{AliasInput: true}, "\x91\xc3", new([]string), msgpack.ErrMismatch, "[0]", 1},
		{"wrong kind in a struct with required fields", c{}, "\x91\x82\xa1a\xc3\xa1c\x01", new([]required), msgpack.ErrMismatch, "[0].A", 4},
		{"inline map behind an embedded pointer that cannot be set", c{}, "\x81\xa1z\x01", new(behindPointer), msgpack.ErrUnsupported, "More", 1},
		{"any key that is an array", c{AnyMap: msgpack.AnyMapAny}, "\x81\x90\x01", new(any), msgpack.ErrUnhashable, "", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := newCodec(t, test.config).Unmarshal([]byte(test.input), test.target)
			if e := checkError(t, err, test.reason); e != nil && (e.Path != test.path || int(e.Offset) != test.offset) {
				t.Errorf("got path %q at %d, want %q at %d: %v", e.Path, e.Offset, test.path, test.offset, e)
			}
		})
	}
}

// TestAliasInput modifies the input after decoding. With AliasInput the decoded
// strings and byte slices change; without it nothing changes.
func TestAliasInput(t *testing.T) {
	type all struct {
		S    string
		B    []byte
		R    msgpack.Raw
		L    []string
		M    map[string]string
		A    any
		Long string
	}
	v := all{"short", []byte("bytes"), msgpack.Raw("\xa3raw"), []string{"in", "list"}, map[string]string{"key": "value"},
		[]any{"any", []byte("more")}, strings.Repeat("long", 100)}
	for _, alias := range []bool{false, true} {
		codec := newCodec(t, msgpack.Options{AliasInput: alias})
		data, err := codec.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var got all
		if err := codec.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, v) {
			t.Fatalf("got %+v, %v", got, err)
		}
		key := ""
		for k := range got.M {
			key = k
		}
		parts := map[string]string{
			"S": got.S, "B": string(got.B), "R": string(got.R), "L": got.L[1], "M": got.M["key"], "key": key, "Long": got.Long,
			"A": got.A.([]any)[0].(string), "A bytes": string(got.A.([]any)[1].([]byte)),
		}
		before := map[string]string{}
		for name, s := range parts {
			before[name] = strings.Clone(s)
		}
		for i := range data {
			data[i] ^= 0x55
		}
		parts["B"], parts["R"] = string(got.B), string(got.R)
		parts["A bytes"] = string(got.A.([]any)[1].([]byte))
		for name, s := range parts {
			if changed := s != before[name]; changed != alias {
				t.Errorf("alias %v: %s changed: %v", alias, name, changed)
			}
		}
	}
}

// TestAliasedInputKept decodes messages into used variables, whose bytes are those of
// earlier messages, and requires that no message changes: not an earlier one, and not the
// message itself, in which a key can appear twice.
func TestAliasedInputKept(t *testing.T) {
	type unsigned uint8
	type named []byte
	type all struct {
		B []byte
		N named
		U []unsigned
		P *[]byte
		L [][]byte
		S []struct{ B []byte }
		M map[string][]byte
		A [1][]byte
		I net.IP
		R msgpack.Raw
		J json.RawMessage
		X msgpack.Ext
		V any
	}
	codec := newCodec(t, msgpack.Options{AliasInput: true})
	payload := []string{"\xc4\x04abcd", "\xa41234", "\x94\x01\x02\x03\x04", "\x93\xcc\xff\x02\x03", "\x90", "\xc4\x01x"}
	message := func(i, j int) []byte { // with the payloads i and j, each key twice
		b := []byte{0xde, 0, 26}
		for _, k := range []int{i, j} {
			p := payload[k]
			address, ext := "\xc0", "\xc0"
			if p[0] == 0xc4 {
				address, ext = "\xc4\x04"+strings.Repeat(p[2:3], 4), "\xc7"+p[1:2]+"\x05"+p[2:]
			}
			for _, field := range []string{"B", "N", "U", "P", "J", "R", "V"} {
				b = append(append(b, "\xa1"+field...), p...)
			}
			b = append(append(b, "\xa1L\x91"...), p...)
			b = append(append(b, "\xa1S\x91\x81\xa1B"...), p...)
			b = append(append(b, "\xa1M\x81\xa1k"...), p...)
			b = append(append(b, "\xa1A\x91"...), p...)
			b = append(append(b, "\xa1I"...), address...)
			b = append(append(b, "\xa1X"...), ext...)
		}
		return b
	}
	for i := range payload {
		for j := range payload {
			first, second := message(i, j), message(j, i)
			firstBefore, secondBefore := bytes.Clone(first), bytes.Clone(second)
			var v all
			for _, data := range [][]byte{first, second} {
				if err := codec.Unmarshal(data, &v); err != nil {
					t.Fatalf("%q: %v", data, err)
				}
			}
			if !bytes.Equal(first, firstBefore) {
				t.Errorf("payloads %q, %q: the first message became %q", payload[i], payload[j], first)
			}
			if !bytes.Equal(second, secondBefore) {
				t.Errorf("payloads %q, %q: the second message became %q", payload[i], payload[j], second)
			}
		}
	}
}

// TestNumber checks the conversions of a Number in every format.
func TestNumber(t *testing.T) {
	tests := []struct {
		n      msgpack.Number
		i      int64
		iok    bool
		u      uint64
		uok    bool
		f      float64
		fok    bool
		text   string
		format wire.Format
	}{
		{"\x05", 5, true, 5, true, 5, true, "5", wire.PositiveFixint},
		{"\xff", -1, true, 0, false, -1, true, "-1", wire.NegativeFixint},
		{"\xcf\xff\xff\xff\xff\xff\xff\xff\xff", 0, false, math.MaxUint64, true, 0, false, "18446744073709551615", wire.Uint64},
		{"\xca\x3f\xc0\x00\x00", 0, false, 0, false, 1.5, true, "1.5", wire.Float32},
		{"\xcb\x40\x00\x00\x00\x00\x00\x00\x00", 2, true, 2, true, 2, true, "2", wire.Float64},
		{"", 0, false, 0, false, 0, false, "nil", wire.Nil},
		{"\xcd\x00", 0, false, 0, false, 0, false, "not a number", wire.Uint16},
		{"\x05\x05", 0, false, 0, false, 0, false, "not a number", wire.PositiveFixint},
		{"\xc0", 0, false, 0, false, 0, false, "not a number", wire.Nil},
	}
	for _, test := range tests {
		if i, ok := test.n.Int64(); ok != test.iok || ok && i != test.i {
			t.Errorf("%q: Int64 is %d, %v", string(test.n), i, ok)
		}
		if u, ok := test.n.Uint64(); ok != test.uok || ok && u != test.u {
			t.Errorf("%q: Uint64 is %d, %v", string(test.n), u, ok)
		}
		if f, ok := test.n.Float64(); ok != test.fok || ok && f != test.f {
			t.Errorf("%q: Float64 is %g, %v", string(test.n), f, ok)
		}
		if s := test.n.String(); s != test.text {
			t.Errorf("%q: String is %q", string(test.n), s)
		}
		if f := test.n.Format(); f != test.format {
			t.Errorf("%q: Format is %v", string(test.n), f)
		}
	}
}

// FuzzOptions compares a codec with all checks to the default one. If the strict
// codec accepts a message, the default codec must accept it too and return the same
// value.
func FuzzOptions(f *testing.F) {
	for _, seed := range []string{"\x82\xa1a\x01\xa1b\x92\xc0\xc3", "\x82\x01\x01\xd1\x00\x01\x02", "\x91\xa1\xff", "\xd6\xff\x00\x00\x00\x01", "\xde\x00\x11", "\x81\x90\xca\x00\x00\x00\x00"} {
		f.Add([]byte(seed))
	}
	strict := newCodec(f, msgpack.Options{RejectDuplicates: true, RejectInvalidUTF8: true, MaxElements: 1000, MaxBytes: 1000, MaxTotal: 10_000})
	canonical := newCodec(f, msgpack.Options{Canonical: true, AnyMap: msgpack.AnyMapPairs})
	others := []*msgpack.Codec{
		newCodec(f, msgpack.Options{AnyMap: msgpack.AnyMapAny, AnyNumber: msgpack.AnyNumberFormat}),
		newCodec(f, msgpack.Options{AnyMap: msgpack.AnyMapPairs, AnyNumber: msgpack.AnyNumberRaw, AliasInput: true, Zone: time.UTC}),
		newCodec(f, msgpack.Options{Time: msgpack.TimeRFC3339, SortKeys: true, TypedInts: true}),
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		data = bytes.Clone(data)
		valid := strict.Valid(data)
		if valid == nil && msgpack.Valid(data) != nil {
			t.Fatalf("the strict codec accepts invalid input: %v", msgpack.Valid(data))
		}
		// bounded decodes data into an any. It checks the memory bound of SECURITY.md, plus what the options of the
		// codec may take, plus what other goroutines of the fuzzer may allocate at the same time.
		bounded := func(c *msgpack.Codec, v *any, more int) (err error) {
			used := allocated(func() { err = c.Unmarshal(data, v) })
			if bound := memoryBound(reflect.TypeFor[any](), len(data)) + uint64(more*len(data)) + 1<<20; used > bound {
				t.Errorf("% x took %d bytes, more than %d", data, used, bound)
			}
			return err
		}
		var v any
		err := bounded(strict, &v, 96)
		if valid != nil && err == nil {
			t.Fatalf("decoded although %v", valid)
		}
		for _, c := range others {
			var w any
			if err := bounded(c, &w, 0); err != nil {
				continue
			}
			b, err := c.Marshal(w)
			if err != nil {
				t.Fatalf("cannot encode what it decoded: %v", err)
			}
			if err := msgpack.Valid(b); err != nil {
				t.Fatal(err)
			}
		}
		var w any
		if bounded(canonical, &w, 0) == nil {
			b, err := canonical.Marshal(w)
			if err != nil {
				t.Fatal(err)
			}
			var again any
			if err := canonical.Unmarshal(b, &again); err != nil {
				t.Fatal(err)
			}
			if c, err := canonical.Marshal(again); err != nil || !bytes.Equal(b, c) {
				t.Fatalf("% x becomes % x, %v", b, c, err)
			}
		}
	})
}

func ExampleOptions() {
	codec, err := msgpack.New(msgpack.Options{
		TagKeys:       []string{"msgpack", "json"},
		RejectUnknown: true,
		SortKeys:      true,
		MaxElements:   1000,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	type User struct {
		Name   string            `json:"name"`
		Labels map[string]string `json:"labels"`
	}
	b, err := codec.Marshal(User{"Ann", map[string]string{"b": "2", "a": "1"}})
	fmt.Printf("%q %v\n", b, err)
	var u User
	err = codec.Unmarshal([]byte("\x81\xa3nom\xa3Ann"), &u)
	fmt.Println(err)
	// Output:
	// "\x82\xa4name\xa3Ann\xa6labels\x82\xa1a\xa11\xa1b\xa12" <nil>
	// msgpack: unmarshal ["nom"] at offset 1: found fixstr of 3 bytes, want msgpack_test.User: unknown field
}

func ExampleNumber() {
	codec, err := msgpack.New(msgpack.Options{AnyNumber: msgpack.AnyNumberRaw})
	if err != nil {
		fmt.Println(err)
		return
	}
	var v any
	err = codec.Unmarshal([]byte{0xcd, 0, 7}, &v)
	n := v.(msgpack.Number)
	i, ok := n.Int64()
	fmt.Println(n, n.Format(), i, ok, err)
	// Output: 7 uint 16 7 true <nil>
}

func ExamplePairs() {
	var p msgpack.Pairs
	err := msgpack.Unmarshal([]byte("\x82\xa1b\x01\xa1a\x02"), &p)
	fmt.Println(p, err)
	// Output: [{b 1} {a 2}] <nil>
}

func ExampleSnakeCase() {
	fmt.Println(msgpack.SnakeCase("UserID"), msgpack.SnakeCase("HTTPServer2"))
	// Output: user_id http_server2
}

func ExampleCamelCase() {
	fmt.Println(msgpack.CamelCase("UserID"), msgpack.CamelCase("HTTPServer2"))
	// Output: userId httpServer2
}
