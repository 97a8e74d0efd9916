// Package wire appends and consumes MessagePack bytes, one value or header at a time.
//
// It is for code that already knows what it writes or expects: custom
// encoders, proxies, tools. To turn Go values into MessagePack use the package
// above, [github.com/octet-go/octet/msgpack]. Nothing here uses reflection,
// keeps state or trusts a length it has read, and only [Skip] allocates, for
// values nested more than 16 deep:
//
//	b = wire.AppendMapHeader(b, 1)
//	b = wire.AppendString(b, "id")
//	b = wire.AppendInt(b, 42)
//
// An Append function extends dst with one value or header, always in the
// shortest format that holds it, and returns the extended slice. A Consume
// function reads one value or header from the front of src, in any format that
// the specification allows for it, and returns it with the number of bytes it
// took; where it fails that number is 0 and the error is one of the sentinels of
// this package. Slices that a Consume function returns are parts of src, not
// copies. [Skip] passes a value of any kind, with all that it contains.
//
// # Words
//
// A value is one complete MessagePack object. A header is the first part of a
// value: its format byte, then a length and an ext type where the format has
// them. What follows the header is the payload (of a number, str, bin or ext,
// counted in bytes) or the elements (of an array or map, counted in values or
// pairs). To append or consume is to handle bytes; to marshal is to handle Go
// values, which this package does not.
//
// # The bytes
//
// Every value starts with a format byte. Lengths, counts and numbers are
// big-endian. N is a length in bytes, of an array the number of elements, of a
// map the number of key-value pairs.
//
//	format byte        name              what follows
//
//	0xxxxxxx  00..7f   positive fixint   nothing, the value is xxxxxxx
//	1000nnnn  80..8f   fixmap            N pairs, key before value
//	1001nnnn  90..9f   fixarray          N elements
//	101nnnnn  a0..bf   fixstr            N bytes
//	          c0       nil               nothing
//	          c1       (never used)      an error wherever it stands
//	          c2, c3   false, true       nothing
//	          c4 c5 c6 bin 8, 16, 32     length in 1, 2, 4 bytes, N bytes
//	          c7 c8 c9 ext 8, 16, 32     length in 1, 2, 4 bytes, type, N bytes
//	          ca, cb   float 32, 64      IEEE 754, 4 or 8 bytes
//	          cc..cf   uint 8, 16 … 64   1, 2, 4 or 8 bytes
//	          d0..d3   int 8, 16 … 64    1, 2, 4 or 8 bytes, two's complement
//	          d4..d8   fixext 1, 2 … 16  type, then 1, 2, 4, 8 or 16 bytes
//	          d9 da db str 8, 16, 32     length in 1, 2, 4 bytes, N bytes
//	          dc, dd   array 16, 32      count in 2 or 4 bytes, N elements
//	          de, df   map 16, 32        count in 2 or 4 bytes, N pairs
//	111xxxxx  e0..ff   negative fixint   nothing, the value is xxxxxxx - 32
//
// An ext type is a signed byte; negative ones belong to the specification.
// The only one it defines is the timestamp, type -1, in three payloads:
//
//	 4 bytes   seconds uint32
//	 8 bytes   nanoseconds (30 bits) << 34 | seconds (34 bits)
//	12 bytes   nanoseconds uint32, seconds int64
//
// Source: https://github.com/msgpack/msgpack/blob/master/spec.md
package wire
