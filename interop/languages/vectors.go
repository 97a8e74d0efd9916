package main

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// A vector is a message that every library reads, with the value to which it must be decoded.
type vector struct {
	section string
	name    string
	message []byte
	want    description // "" if the message is malformed and must be refused
}

// malformed is the value of messages that must be refused.
type malformed struct{}

// A section is a list of vectors with a title. A vector is three parts: name, message in hexadecimal or bytes, and value.
type section struct {
	title string
	rows  [][3]any
}

// vectors returns all vectors.
func vectors() []vector {
	var all []vector
	for _, s := range slices.Concat(scalarSections(), containerSections(), otherSections()) {
		for _, row := range s.rows {
			v := vector{section: s.title, name: row[0].(string)}
			switch message := row[1].(type) {
			case string:
				v.message = fromHex(message)
			case []byte:
				v.message = message
			}
			if row[2] != (any)(malformed{}) {
				v.want = describe(row[2])
			}
			all = append(all, v)
		}
	}
	return all
}

// fromHex panics if the text, which is in the source, is not hexadecimal. It may contain spaces.
func fromHex(text string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		panic(err)
	}
	return b
}

// join returns a header, which is given in hexadecimal, followed by other bytes.
func join(header string, rest ...[]byte) []byte {
	return slices.Concat(append([][]byte{fromHex(header)}, rest...)...)
}

// letters returns n bytes of ASCII.
func letters(n int) []byte { return bytes.Repeat([]byte("octet..."), n/8+1)[:n] }

func scalarSections() []section {
	integers := section{title: "Integers, shortest form"}
	for _, i := range []int64{0, 1, 127, 128, 255, 256, 65535, 65536, math.MaxUint32, math.MaxUint32 + 1,
		1<<53 - 1, 1 << 53, 1<<53 + 1, math.MaxInt64, -1, -32, -33, -128, -129, -32768, -32769, math.MinInt32, math.MinInt32 - 1,
		-(1<<53 - 1), -(1 << 53), -(1<<53 + 1), math.MinInt64} {
		integers.rows = append(integers.rows, [3]any{fmt.Sprint(i), shortestInt(i), i})
	}
	integers.rows = append(integers.rows,
		[3]any{"9223372036854775808", "cf 8000000000000000", uint64(1 << 63)},
		[3]any{"18446744073709551615", "cf ffffffffffffffff", uint64(math.MaxUint64)},
	)
	return []section{
		{"Nil and bool", [][3]any{
			{"nil", "c0", nil},
			{"false", "c2", false},
			{"true", "c3", true},
		}},
		integers,
		{"Integers, longer forms", [][3]any{
			{"1 as uint 8", "cc 01", 1},
			{"1 as uint 16", "cd 0001", 1},
			{"1 as uint 32", "ce 00000001", 1},
			{"1 as uint 64", "cf 0000000000000001", 1},
			{"1 as int 8", "d0 01", 1},
			{"1 as int 16", "d1 0001", 1},
			{"1 as int 32", "d2 00000001", 1},
			{"1 as int 64", "d3 0000000000000001", 1},
			{"-1 as int 8", "d0 ff", -1},
			{"-1 as int 16", "d1 ffff", -1},
			{"-1 as int 32", "d2 ffffffff", -1},
			{"-1 as int 64", "d3 ffffffffffffffff", -1},
			{"200 as int 16", "d1 00c8", 200},
			{"40000 as int 32", "d2 00009c40", 40000},
			{"3000000000 as int 64", "d3 00000000b2d05e00", int64(3000000000)},
		}},
		{"Floats", [][3]any{
			{"float 32: 0.0", "ca 00000000", 0.0},
			{"float 32: -0.0", "ca 80000000", math.Copysign(0, -1)},
			{"float 32: 1.0", "ca 3f800000", 1.0},
			{"float 32: 1.5", "ca 3fc00000", 1.5},
			{"float 32: 0.1", "ca 3dcccccd", float32(0.1)},
			{"float 32: largest", "ca 7f7fffff", float32(math.MaxFloat32)},
			{"float 32: smallest", "ca 00000001", float32(math.SmallestNonzeroFloat32)},
			{"float 32: infinity", "ca 7f800000", math.Inf(1)},
			{"float 32: -infinity", "ca ff800000", math.Inf(-1)},
			{"float 32: NaN", "ca 7fc00000", math.Float64frombits(0x7ff8000000000000)},
			{"float 32: NaN with payload", "ca 7fc00001", math.Float64frombits(0x7ff8000020000000)},
			{"float 64: 0.0", "cb 0000000000000000", 0.0},
			{"float 64: -0.0", "cb 8000000000000000", math.Copysign(0, -1)},
			{"float 64: 1.0", "cb 3ff0000000000000", 1.0},
			{"float 64: 1.5", "cb 3ff8000000000000", 1.5},
			{"float 64: 0.1", "cb 3fb999999999999a", 0.1},
			{"float 64: 9007199254740992.0", "cb 4340000000000000", math.Pow(2, 53)},
			{"float 64: 1e300", "cb 7e37e43c8800759c", 1e300},
			{"float 64: largest", "cb 7fefffffffffffff", math.MaxFloat64},
			{"float 64: smallest", "cb 0000000000000001", math.SmallestNonzeroFloat64},
			{"float 64: infinity", "cb 7ff0000000000000", math.Inf(1)},
			{"float 64: -infinity", "cb fff0000000000000", math.Inf(-1)},
			{"float 64: NaN", "cb 7ff8000000000000", math.Float64frombits(0x7ff8000000000000)},
			{"float 64: NaN with payload", "cb 7ff8000000000001", math.Float64frombits(0x7ff8000000000001)},
			{"float 64: signaling NaN", "cb 7ff0000000000001", math.Float64frombits(0x7ff0000000000001)},
		}},
		{"Strings", [][3]any{
			{"empty string", "a0", ""},
			{"1 byte", "a1 61", "a"},
			{"31 bytes", join("bf", letters(31)), string(letters(31))},
			{"32 bytes", join("d920", letters(32)), string(letters(32))},
			{"255 bytes", join("d9ff", letters(255)), string(letters(255))},
			{"256 bytes", join("da0100", letters(256)), string(letters(256))},
			{"65535 bytes", join("daffff", letters(65535)), string(letters(65535))},
			{"65536 bytes", join("db00010000", letters(65536)), string(letters(65536))},
			{"1 byte as str 8", "d901 61", "a"},
			{"1 byte as str 16", "da0001 61", "a"},
			{"1 byte as str 32", "db00000001 61", "a"},
			{"é漢😀", "a9 c3a9 e6bca2 f09f9880", "é漢😀"},
			{"U+0000", "a1 00", "\x00"},
			{"U+FFFF", "a3 efbfbf", "\uffff"},
			{"U+10FFFF", "a4 f48fbfbf", "\U0010ffff"},
			{"byte order mark, short", "a4 efbbbf 61", "\ufeffa"},
			{"byte order mark, 303 bytes", join("da012f efbbbf", letters(300)), "\ufeff" + string(letters(300))},
			{"é and its letters apart", "a5 c3a9 65cc81", "\u00e9e\u0301"},
		}},
		{"Strings that are not UTF-8", [][3]any{
			{"byte ff", "a1 ff", "\xff"},
			{"first byte of two", "a1 c3", "\xc3"},
			{"overlong U+0000", "a2 c080", "\xc0\x80"},
			{"surrogate U+D800", "a3 eda080", "\xed\xa0\x80"},
			{"above U+10FFFF", "a4 f4908080", "\xf4\x90\x80\x80"},
			{"not UTF-8 after 300 letters", join("da012d", letters(300), []byte{0xff}), string(letters(300)) + "\xff"},
		}},
		{"Binary", [][3]any{
			{"0 bytes", "c400", []byte{}},
			{"1 byte of bin", "c401 00", []byte{0}},
			{"255 bytes of bin", join("c4ff", letters(255)), letters(255)},
			{"256 bytes of bin", join("c50100", letters(256)), letters(256)},
			{"65535 bytes of bin", join("c5ffff", letters(65535)), letters(65535)},
			{"65536 bytes of bin", join("c600010000", letters(65536)), letters(65536)},
			{"1 byte as bin 16", "c50001 00", []byte{0}},
			{"1 byte as bin 32", "c600000001 00", []byte{0}},
		}},
	}
}

// shortestInt returns the shortest form of i according to the table of the specification.
func shortestInt(i int64) []byte {
	be := binary.BigEndian
	switch {
	case -32 <= i && i <= 127:
		return []byte{byte(i)}
	case i > 0 && i <= math.MaxUint8:
		return []byte{0xcc, byte(i)}
	case i > 0 && i <= math.MaxUint16:
		return be.AppendUint16([]byte{0xcd}, uint16(i))
	case i > 0 && i <= math.MaxUint32:
		return be.AppendUint32([]byte{0xce}, uint32(i))
	case i > 0:
		return be.AppendUint64([]byte{0xcf}, uint64(i))
	case i >= math.MinInt8:
		return []byte{0xd0, byte(i)}
	case i >= math.MinInt16:
		return be.AppendUint16([]byte{0xd1}, uint16(i))
	case i >= math.MinInt32:
		return be.AppendUint32([]byte{0xd2}, uint32(i))
	}
	return be.AppendUint64([]byte{0xd3}, uint64(i))
}

func otherSections() []section {
	ext := func(code int8, n int) msgpack.Ext { return msgpack.Ext{Type: code, Data: letters(n)} }
	at := func(seconds, nanoseconds int64) time.Time { return time.Unix(seconds, nanoseconds) }
	return []section{
		{"Timestamps", [][3]any{
			{"timestamp 32: 0 s", "d6ff 00000000", at(0, 0)},
			{"timestamp 32: 1 s", "d6ff 00000001", at(1, 0)},
			{"timestamp 32: largest", "d6ff ffffffff", at(math.MaxUint32, 0)},
			{"timestamp 64: 1 ns", "d7ff 00000004 00000000", at(0, 1)},
			{"timestamp 64: 1 µs", "d7ff 00000fa0 00000000", at(0, 1000)},
			{"timestamp 64: 1 ms", "d7ff 003d0900 00000000", at(0, 1000000)},
			{"timestamp 64: 0.6 s", "d7ff 8f0d1800 00000000", at(0, 600000000)},
			{"timestamp 64: 999,999,999 ns", "d7ff ee6b27fc 00000000", at(0, 999999999)},
			{"timestamp 64: 2^32 s", "d7ff 00000001 00000000", at(1<<32, 0)},
			{"timestamp 64: largest", "d7ff ee6b27ff ffffffff", at(1<<34-1, 999999999)},
			{"timestamp 96: -1 s", "c70cff 00000000 ffffffffffffffff", at(-1, 0)},
			{"timestamp 96: -1 ns", "c70cff 3b9ac9ff ffffffffffffffff", at(-1, 999999999)},
			{"timestamp 96: year 1", "c70cff 00000000 fffffff1886e0900", at(-62135596800, 0)},
			{"timestamp 96: 2^34 s", "c70cff 00000000 0000000400000000", at(1<<34, 0)},
			{"timestamp 96: end of year 9999", "c70cff 3b9ac9ff 0000003afff4417f", at(253402300799, 999999999)},
			{"timestamp 96: year 10000", "c70cff 00000000 0000003afff44180", at(253402300800, 0)},
			{"timestamp 96: largest", "c70cff 3b9ac9ff 7fffffffffffffff", at(math.MaxInt64, 999999999)},
			{"timestamp 96: smallest", "c70cff 00000000 8000000000000000", at(math.MinInt64, 0)},
			{"1 s as timestamp 64", "d7ff 00000000 00000001", at(1, 0)},
			{"1 s as timestamp 96", "c70cff 00000000 0000000000000001", at(1, 0)},
			{"1 s as ext 8", "c704ff 00000001", at(1, 0)},
		}},
		{"Exts", [][3]any{
			{"fixext 1, type 5", join("d405", letters(1)), ext(5, 1)},
			{"fixext 2, type 5", join("d505", letters(2)), ext(5, 2)},
			{"fixext 4, type 5", join("d605", letters(4)), ext(5, 4)},
			{"fixext 8, type 5", join("d705", letters(8)), ext(5, 8)},
			{"fixext 16, type 5", join("d805", letters(16)), ext(5, 16)},
			{"ext 8, 0 bytes, type 5", "c70005", ext(5, 0)},
			{"ext 8, 3 bytes, type 5", join("c70305", letters(3)), ext(5, 3)},
			{"ext 8, 255 bytes, type 5", join("c7ff05", letters(255)), ext(5, 255)},
			{"ext 16, 256 bytes, type 5", join("c8010005", letters(256)), ext(5, 256)},
			{"ext 32, 65536 bytes, type 5", join("c90001000005", letters(65536)), ext(5, 65536)},
			{"ext 8, 1 byte, type 5", join("c70105", letters(1)), ext(5, 1)},
			{"ext 32, 1 byte, type 5", join("c90000000105", letters(1)), ext(5, 1)},
			{"type 0", join("d500", letters(2)), ext(0, 2)},
			{"type 127", join("d57f", letters(2)), ext(127, 2)},
			{"type -2, reserved", join("d5fe", letters(2)), ext(-2, 2)},
			{"type -128, reserved", join("d580", letters(2)), ext(-128, 2)},
		}},
		{"Malformed messages", [][3]any{
			{"no bytes", "", malformed{}},
			{"c1, never used", "c1", malformed{}},
			{"c1 in an array", "92 01 c1", malformed{}},
			{"uint 16 of 1 byte", "cd 01", malformed{}},
			{"float 64 of 7 bytes", "cb 3ff00000000000", malformed{}},
			{"str of 2 bytes with 1", "a2 61", malformed{}},
			{"str 32 of 2^32-1 bytes with 1", "db ffffffff 61", malformed{}},
			{"bin 8 without bytes", "c4 01", malformed{}},
			{"bin 32 of 2^32-1 bytes with 1", "c6 ffffffff 61", malformed{}},
			{"array of 2 with 1", "92 01", malformed{}},
			{"array 32 of 2^32-1 with 1", "dd ffffffff 01", malformed{}},
			{"map with a key and no value", "81 01", malformed{}},
			{"map 32 of 2^32-1 with 1", "df ffffffff 01 01", malformed{}},
			{"header without its length", "dc 00", malformed{}},
			{"ext without its type", "c7 01", malformed{}},
			{"ext 32 of 2^32-1 bytes with 1", "c9 ffffffff 05 00", malformed{}},
			{"value after the value", "01 02", malformed{}},
			{"timestamp of 5 bytes", "c705ff 0000000001", malformed{}},
			{"timestamp of 0 bytes", "c700ff", malformed{}},
			{"timestamp 64 with 10^9 ns", "d7ff ee6b2800 00000000", malformed{}},
			{"timestamp 96 with 10^9 ns", "c70cff 3b9aca00 0000000000000000", malformed{}},
		}},
	}
}
