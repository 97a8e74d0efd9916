package wire

import (
	"encoding/hex"
	"math"
	"strings"
	"testing"
	"time"
)

// A vector is one value in one format. The head is derived by hand from the tables
// of the specification. It contains everything except the body of a str, bin or
// ext.
type vector struct {
	name   string
	head   string // hexadecimal, spaces between the parts
	body   int    // bytes of str, bin or ext content, all 'a'
	format Format
	value  any // what the Consume function of the kind returns
}

// arrayHeader, mapHeader and ext are the values of vectors of these kinds.
type (
	arrayHeader uint32
	mapHeader   uint32
	ext         struct {
		typ  int8
		data string
	}
)

func (v vector) bytes(t testing.TB) []byte {
	t.Helper()
	head, err := hex.DecodeString(strings.ReplaceAll(v.head, " ", ""))
	if err != nil {
		t.Fatalf("%s: %v", v.name, err)
	}
	return append(head, content(v.body)...)
}

func content(n int) string { return strings.Repeat("a", n) }

// minimal holds every format with the least and the greatest value for which it is
// the shortest.
var minimal = []vector{
	{"nil", "c0", 0, Nil, nil},
	{"false", "c2", 0, False, false},
	{"true", "c3", 0, True, true},

	{"positive fixint least", "00", 0, PositiveFixint, int64(0)},
	{"positive fixint one", "01", 0, PositiveFixint, int64(1)},
	{"positive fixint greatest", "7f", 0, PositiveFixint, int64(127)},
	{"uint 8 least", "cc 80", 0, Uint8, int64(128)},
	{"uint 8 greatest", "cc ff", 0, Uint8, int64(255)},
	{"uint 16 least", "cd 0100", 0, Uint16, int64(256)},
	{"uint 16 greatest", "cd ffff", 0, Uint16, int64(65535)},
	{"uint 32 least", "ce 00010000", 0, Uint32, int64(65536)},
	{"uint 32 greatest", "ce ffffffff", 0, Uint32, int64(4294967295)},
	{"uint 64 least", "cf 0000000100000000", 0, Uint64, int64(4294967296)},
	{"uint 64 greatest int64", "cf 7fffffffffffffff", 0, Uint64, int64(math.MaxInt64)},
	{"uint 64 above int64", "cf 8000000000000000", 0, Uint64, uint64(1 << 63)},
	{"uint 64 greatest", "cf ffffffffffffffff", 0, Uint64, uint64(math.MaxUint64)},
	{"negative fixint greatest", "ff", 0, NegativeFixint, int64(-1)},
	{"negative fixint least", "e0", 0, NegativeFixint, int64(-32)},
	{"int 8 greatest", "d0 df", 0, Int8, int64(-33)},
	{"int 8 least", "d0 80", 0, Int8, int64(-128)},
	{"int 16 greatest", "d1 ff7f", 0, Int16, int64(-129)},
	{"int 16 least", "d1 8000", 0, Int16, int64(-32768)},
	{"int 32 greatest", "d2 ffff7fff", 0, Int32, int64(-32769)},
	{"int 32 least", "d2 80000000", 0, Int32, int64(-2147483648)},
	{"int 64 greatest", "d3 ffffffff7fffffff", 0, Int64, int64(-2147483649)},
	{"int 64 least", "d3 8000000000000000", 0, Int64, int64(math.MinInt64)},

	{"float 32 zero", "ca 00000000", 0, Float32, float32(0)},
	{"float 32 negative zero", "ca 80000000", 0, Float32, float32(math.Copysign(0, -1))},
	{"float 32 one and a half", "ca 3fc00000", 0, Float32, float32(1.5)},
	{"float 32 least", "ca 00000001", 0, Float32, float32(math.SmallestNonzeroFloat32)},
	{"float 32 greatest", "ca 7f7fffff", 0, Float32, float32(math.MaxFloat32)},
	{"float 32 infinity", "ca 7f800000", 0, Float32, float32(math.Inf(1))},
	{"float 32 NaN with payload", "ca 7fc12345", 0, Float32, math.Float32frombits(0x7fc12345)},
	{"float 64 zero", "cb 0000000000000000", 0, Float64, float64(0)},
	{"float 64 negative zero", "cb 8000000000000000", 0, Float64, math.Copysign(0, -1)},
	{"float 64 minus one and a half", "cb bff8000000000000", 0, Float64, float64(-1.5)},
	{"float 64 least", "cb 0000000000000001", 0, Float64, float64(math.SmallestNonzeroFloat64)},
	{"float 64 greatest", "cb 7fefffffffffffff", 0, Float64, float64(math.MaxFloat64)},
	{"float 64 infinity", "cb fff0000000000000", 0, Float64, math.Inf(-1)},
	{"float 64 NaN with payload", "cb 7ff8000012345678", 0, Float64, math.Float64frombits(0x7ff8000012345678)},

	{"fixstr empty", "a0", 0, FixStr, ""},
	{"fixstr one", "a1", 1, FixStr, "a"},
	{"fixstr greatest", "bf", 31, FixStr, content(31)},
	{"str 8 least", "d9 20", 32, Str8, content(32)},
	{"str 8 greatest", "d9 ff", 255, Str8, content(255)},
	{"str 16 least", "da 0100", 256, Str16, content(256)},
	{"str 16 greatest", "da ffff", 65535, Str16, content(65535)},
	{"str 32 least", "db 00010000", 65536, Str32, content(65536)},

	{"bin 8 empty", "c4 00", 0, Bin8, []byte{}},
	{"bin 8 greatest", "c4 ff", 255, Bin8, []byte(content(255))},
	{"bin 16 least", "c5 0100", 256, Bin16, []byte(content(256))},
	{"bin 16 greatest", "c5 ffff", 65535, Bin16, []byte(content(65535))},
	{"bin 32 least", "c6 00010000", 65536, Bin32, []byte(content(65536))},

	{"fixarray empty", "90", 0, FixArray, arrayHeader(0)},
	{"fixarray greatest", "9f", 0, FixArray, arrayHeader(15)},
	{"array 16 least", "dc 0010", 0, Array16, arrayHeader(16)},
	{"array 16 greatest", "dc ffff", 0, Array16, arrayHeader(65535)},
	{"array 32 least", "dd 00010000", 0, Array32, arrayHeader(65536)},
	{"array 32 greatest", "dd ffffffff", 0, Array32, arrayHeader(4294967295)},
	{"fixmap empty", "80", 0, FixMap, mapHeader(0)},
	{"fixmap greatest", "8f", 0, FixMap, mapHeader(15)},
	{"map 16 least", "de 0010", 0, Map16, mapHeader(16)},
	{"map 16 greatest", "de ffff", 0, Map16, mapHeader(65535)},
	{"map 32 least", "df 00010000", 0, Map32, mapHeader(65536)},
	{"map 32 greatest", "df ffffffff", 0, Map32, mapHeader(4294967295)},

	{"ext 8 empty", "c7 00 07", 0, Ext8, ext{7, ""}},
	{"fixext 1", "d4 05", 1, FixExt1, ext{5, "a"}},
	{"fixext 2", "d5 7f", 2, FixExt2, ext{127, content(2)}},
	{"ext 8 of three", "c7 03 00", 3, Ext8, ext{0, content(3)}},
	{"fixext 4", "d6 80", 4, FixExt4, ext{-128, content(4)}},
	{"ext 8 of seven", "c7 07 fe", 7, Ext8, ext{-2, content(7)}},
	{"fixext 8", "d7 01", 8, FixExt8, ext{1, content(8)}},
	{"ext 8 of fifteen", "c7 0f 01", 15, Ext8, ext{1, content(15)}},
	{"fixext 16", "d8 01", 16, FixExt16, ext{1, content(16)}},
	{"ext 8 of seventeen", "c7 11 01", 17, Ext8, ext{1, content(17)}},
	{"ext 8 greatest", "c7 ff 01", 255, Ext8, ext{1, content(255)}},
	{"ext 16 least", "c8 0100 01", 256, Ext16, ext{1, content(256)}},
	{"ext 16 greatest", "c8 ffff 80", 65535, Ext16, ext{-128, content(65535)}},
	{"ext 32 least", "c9 00010000 7f", 65536, Ext32, ext{127, content(65536)}},

	{"timestamp 32 least", "d6 ff 00000000", 0, FixExt4, time.Unix(0, 0)},
	{"timestamp 32 greatest", "d6 ff ffffffff", 0, FixExt4, time.Unix(1<<32-1, 0)},
	{"timestamp 64 by nanoseconds", "d7 ff 00000004 00000000", 0, FixExt8, time.Unix(0, 1)},
	{"timestamp 64 by seconds", "d7 ff 00000001 00000000", 0, FixExt8, time.Unix(1<<32, 0)},
	// 999,999,999 is 3b9ac9ff, shifted by the two bits of the seconds ee6b27fc.
	{"timestamp 64 greatest", "d7 ff ee6b27ff ffffffff", 0, FixExt8, time.Unix(1<<34-1, 999_999_999)},
	{"timestamp 96 by seconds", "c7 0c ff 00000000 0000000400000000", 0, Ext8, time.Unix(1<<34, 0)},
	{"timestamp 96 before 1970", "c7 0c ff 3b9ac9ff ffffffffffffffff", 0, Ext8, time.Unix(-1, 999_999_999)},
	{"timestamp 96 greatest", "c7 0c ff 00000000 7fffffffffffffff", 0, Ext8, time.Unix(math.MaxInt64, 0)},
	{"timestamp 96 least", "c7 0c ff 00000000 8000000000000000", 0, Ext8, time.Unix(math.MinInt64, 0)},
	// 62,135,596,800 seconds lie between the year 1 and 1970.
	{"timestamp 96 of the zero time", "c7 0c ff 00000000 fffffff1886e0900", 0, Ext8, time.Time{}},
}

// wasteful holds values in formats that are longer than necessary. Other encoders
// write them, and every Consume function accepts them.
var wasteful = []vector{
	{"uint 8", "cc 00", 0, Uint8, int64(0)},
	{"uint 16", "cd 007f", 0, Uint16, int64(127)},
	{"uint 32", "ce 0000ffff", 0, Uint32, int64(65535)},
	{"uint 64", "cf 0000000000000001", 0, Uint64, int64(1)},
	{"int 8", "d0 7f", 0, Int8, int64(127)},
	{"int 8 negative", "d0 ff", 0, Int8, int64(-1)},
	{"int 16", "d1 7fff", 0, Int16, int64(32767)},
	{"int 16 negative", "d1 ffe0", 0, Int16, int64(-32)},
	{"int 32", "d2 7fffffff", 0, Int32, int64(math.MaxInt32)},
	{"int 32 negative", "d2 ffffff80", 0, Int32, int64(-128)},
	{"int 64", "d3 7fffffffffffffff", 0, Int64, int64(math.MaxInt64)},
	{"int 64 negative", "d3 ffffffffffffffff", 0, Int64, int64(-1)},
	{"str 8", "d9 00", 0, Str8, ""},
	{"str 16", "da 001f", 31, Str16, content(31)},
	{"str 32", "db 00000001", 1, Str32, "a"},
	{"bin 16", "c5 0000", 0, Bin16, []byte{}},
	{"bin 32", "c6 00000003", 3, Bin32, []byte(content(3))},
	{"array 16", "dc 0001", 0, Array16, arrayHeader(1)},
	{"array 32", "dd 00000000", 0, Array32, arrayHeader(0)},
	{"map 16", "de 000f", 0, Map16, mapHeader(15)},
	{"map 32", "df 00000001", 0, Map32, mapHeader(1)},
	{"ext 8", "c7 01 05", 1, Ext8, ext{5, "a"}},
	{"ext 16", "c8 0010 05", 16, Ext16, ext{5, content(16)}},
	{"ext 32", "c9 00000000 ff", 0, Ext32, ext{-1, ""}},
	{"timestamp 32 as ext 8", "c7 04 ff 00000001", 0, Ext8, time.Unix(1, 0)},
	{"timestamp 64 of a small second", "d7 ff 00000000 00000001", 0, FixExt8, time.Unix(1, 0)},
	{"timestamp 96 of a small second", "c7 0c ff 00000000 0000000000000001", 0, Ext8, time.Unix(1, 0)},
}
