// Package wire appends and consumes MessagePack bytes, one value or header at a time.
//
// It is for code that already knows what it writes or expects, such as custom
// encoders, proxies and tools. To encode Go values, use package
// [github.com/octet-go/octet/msgpack]. The functions use no reflection, keep no
// state and do not trust the lengths that they read. Only [Skip] allocates, for
// values nested more than 16 levels deep. Two types do the same for input that
// arrives in chunks: a [Scanner] reads the headers of values one after another, a
// [Splitter] finds only where values end.
//
//	b = wire.AppendMapHeader(b, 1)
//	b = wire.AppendString(b, "id")
//	b = wire.AppendInt(b, 42)
//
// An Append function appends one value or header to dst, in the shortest format
// that can hold it, and returns the extended slice. A Consume function reads one
// value or header from the start of src, in any format that the specification
// allows, and returns it with the number of bytes that it has read. On error, that
// number is 0 and the error is one of the sentinels of this package. Slices that a
// Consume function returns are parts of src, not copies. [Skip] skips a value of
// any kind, including its elements.
//
// # Words
//
// A value is one complete MessagePack object. It begins with a header: the format
// byte, then a length and an ext type if the format has them. The header is
// followed by the payload of a number, str, bin or ext, which is counted in bytes,
// or by the elements of an array or map, which are counted in values or pairs.
// Append and Consume functions handle bytes. Package msgpack marshals and unmarshals
// Go values.
//
// # The bytes
//
// Every value begins with a format byte. Lengths, counts and numbers are
// big-endian. N is a length in bytes, the number of elements of an array, or the
// number of pairs of a map.
//
//	format byte        name              what follows
//
//	0xxxxxxx  00..7f   positive fixint   nothing, the value is xxxxxxx
//	1000nnnn  80..8f   fixmap            N pairs, key before value
//	1001nnnn  90..9f   fixarray          N elements
//	101nnnnn  a0..bf   fixstr            N bytes
//	          c0       nil               nothing
//	          c1       (never used)      always an error
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
// An ext type is a signed byte. Negative types are reserved for the specification,
// which defines only one, the timestamp. Its type is -1, and it has three payloads:
//
//	 4 bytes   seconds uint32
//	 8 bytes   nanoseconds (30 bits) << 34 | seconds (34 bits)
//	12 bytes   nanoseconds uint32, seconds int64
//
// Source: https://github.com/msgpack/msgpack/blob/master/spec.md
package wire
