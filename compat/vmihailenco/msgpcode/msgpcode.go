// Package msgpcode has the first bytes of the formats of MessagePack, under the names that
// package github.com/vmihailenco/msgpack/v5/msgpcode gives them. They are variables, as
// they are there. Programs that need no other package should use
// github.com/octet-go/octet/msgpack/wire.
package msgpcode

// The first bytes of single formats, and the bounds and masks of those whose first byte
// also has a length or a number.
var (
	Nil   byte = 0xc0
	False byte = 0xc2
	True  byte = 0xc3

	PosFixedNumHigh byte = 0x7f
	NegFixedNumLow  byte = 0xe0
	Uint8           byte = 0xcc
	Uint16          byte = 0xcd
	Uint32          byte = 0xce
	Uint64          byte = 0xcf
	Int8            byte = 0xd0
	Int16           byte = 0xd1
	Int32           byte = 0xd2
	Int64           byte = 0xd3
	Float           byte = 0xca
	Double          byte = 0xcb

	FixedStrLow  byte = 0xa0
	FixedStrHigh byte = 0xbf
	FixedStrMask byte = 0x1f
	Str8         byte = 0xd9
	Str16        byte = 0xda
	Str32        byte = 0xdb
	Bin8         byte = 0xc4
	Bin16        byte = 0xc5
	Bin32        byte = 0xc6

	FixedArrayLow  byte = 0x90
	FixedArrayHigh byte = 0x9f
	FixedArrayMask byte = 0x0f
	Array16        byte = 0xdc
	Array32        byte = 0xdd
	FixedMapLow    byte = 0x80
	FixedMapHigh   byte = 0x8f
	FixedMapMask   byte = 0x0f
	Map16          byte = 0xde
	Map32          byte = 0xdf

	FixExt1  byte = 0xd4
	FixExt2  byte = 0xd5
	FixExt4  byte = 0xd6
	FixExt8  byte = 0xd7
	FixExt16 byte = 0xd8
	Ext8     byte = 0xc7
	Ext16    byte = 0xc8
	Ext32    byte = 0xc9
)

// IsFixedNum reports whether c is a whole integer: a fixint of either sign.
func IsFixedNum(c byte) bool { return int8(c) >= -32 }

// IsFixedMap reports whether c is the header of a fixmap.
func IsFixedMap(c byte) bool { return c&0xf0 == 0x80 }

// IsFixedArray reports whether c is the header of a fixarray.
func IsFixedArray(c byte) bool { return c&0xf0 == 0x90 }

// IsFixedString reports whether c is the header of a fixstr.
func IsFixedString(c byte) bool { return c&0xe0 == 0xa0 }

// IsString reports whether c begins a str.
func IsString(c byte) bool { return IsFixedString(c) || 0xd9 <= c && c <= 0xdb }

// IsBin reports whether c begins a bin.
func IsBin(c byte) bool { return 0xc4 <= c && c <= 0xc6 }

// IsFixedExt reports whether c begins an ext whose length is fixed.
func IsFixedExt(c byte) bool { return 0xd4 <= c && c <= 0xd8 }

// IsExt reports whether c begins an ext.
func IsExt(c byte) bool { return IsFixedExt(c) || 0xc7 <= c && c <= 0xc9 }
