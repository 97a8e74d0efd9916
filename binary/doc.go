// Package binary translates between numbers and bytes. It is a replacement for
// encoding/binary that is as fast as hand-written code.
//
// To use it in a program that imports encoding/binary, change the import; the
// calls stay the same. [Read], [Write], [Append], [Encode], [Decode] and [Size]
// compile each type once, into byte shuffles and copies. They produce the same
// bytes, errors and panics as encoding/binary, except for the differences
// listed below.
//
//	err := binary.Write(w, binary.BigEndian, &header)
//
// These functions and types have no counterpart in encoding/binary:
//
//   - [For] returns a [Typed] for one type, which avoids the lookup of the type
//     in each call.
//   - [AppendSlice], [GetSlice], [WriteSlice] and [ReadSlice] convert many
//     numbers, and [View] uses bytes as numbers without copying.
//   - [Writer] and [Reader] encode and decode messages one value at a time.
//
// # The bytes
//
// A value is fixed-size if it is a bool, a number of a fixed size (int8 to
// uint64, float32 to complex128), or an array or struct of fixed-size values.
// Its encoding, also called its wire bytes, consists of its numbers in the
// order of their declaration, without padding:
//
//	struct {                        memory                           wire, big-endian
//		Version uint8               01 .. .. .. 44 33 22 11          01 11 22 33 44
//		Length  uint32              01 .. cd ab                      01 00 ab cd
//		Urgent  bool
//		_       uint8               a blank field: zero on the wire, never decoded
//		Port    uint16
//	}
//
// The byte order of the machine is called native; the opposite order is called
// swapped.
//
// # Differences from encoding/binary
//
// Decode into a []bool or []int8 consumes as many bytes as the slice has
// elements. In encoding/binary, it panics if buf has more bytes.
//
// Signaling NaNs keep their bits. In encoding/binary, a float32 or complex64 in
// a struct, an array or a named type is converted through float64, which makes
// its NaNs quiet.
//
// Data of more than 64 KiB is processed in pieces. Write may call the Write
// method of the writer several times, unless the memory of the data equals its
// encoding. After an error, Read has stored the values that arrived before it.
// In encoding/binary, both use one call and a buffer of the whole size.
//
// The error of Decode for a buffer that is too small is [ErrTruncated]. Its text
// is that of encoding/binary, but it also matches io.ErrUnexpectedEOF.
//
// A slice or array of structs that are not fixed-size is an error, and its size
// is -1. In encoding/binary, after a call with the struct itself, an empty one
// is accepted and one of n structs has the size -n.
//
// Read returns io.ErrNoProgress if the reader returns no bytes and no error 100
// times in a row, and an error if the reader returns an invalid count. In
// encoding/binary, Read never returns in the first case and panics in the
// second.
//
// # Custom byte orders
//
// A [ByteOrder] other than the three standard ones is supported. Its methods
// are called for every number, with exactly as many bytes as the number has.
// The calls do not allocate.
//
// # Memory
//
// Only functions that return new memory allocate. The data argument, and what
// is passed to a [Writer], can stay on the stack. Readers and writers only
// receive heap memory. There are two exceptions: slices that the caller passes,
// and the types of packages bytes and strings, which copy the bytes and do not
// retain them.
//
// Lengths, limits and types are checked. In total, a Reader allocates at most
// about five times the number of bytes that have arrived, because it doubles the
// memory of a value while its bytes arrive. No input makes these functions panic.
package binary
