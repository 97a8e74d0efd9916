// Package binary turns fixed-size values and numbers into bytes and back, at the
// speed of hand-written code.
//
// It is for whoever uses encoding/binary: change the import, and the calls stay as
// they are. [Read], [Write], [Append], [Encode], [Decode] and [Size] compile each
// type once, into byte shuffles and copies; they make the same bytes, errors and
// panics by the same rules, apart from what is listed below.
//
//	err := binary.Write(w, binary.BigEndian, &header)
//
// What goes beyond encoding/binary, each for one need:
//
//   - one type over and over: [For] gives a [Codec], which looks nothing up
//   - many numbers: [AppendSlice], [PutSlice], [GetSlice], [WriteSlice], [ReadSlice],
//     [Swap], and [View] for no copy at all
//   - messages made of single values: [Writer] and [Reader]
//
// # The bytes
//
// A value is fixed-size if it is a bool, a number of a fixed size (int8 to uint64,
// float32 to complex128), or an array or struct of fixed-size values. Its wire bytes
// are its numbers in the order of their declaration, without padding:
//
//	struct {                        memory                           wire, big-endian
//		Version uint8               01 .. .. .. 44 33 22 11          01 11 22 33 44
//		Length  uint32              01 .. cd ab                      01 00 ab cd
//		Urgent  bool
//		_       uint8               a blank field: zero on the wire, never decoded
//		Port    uint16
//	}
//
// Encode, decode are said of bytes; native is the order of the machine, swapped the
// other one.
//
// # Differences from encoding/binary
//
// Decode into a []bool or []int8 takes as many bytes as the slice has elements. In
// encoding/binary it panics if there are more.
//
// Signaling NaNs keep their bits. In encoding/binary, a float32 or complex64 inside a
// struct, an array or a named type passes through float64, which makes its NaNs quiet.
//
// Data of more than 64 KiB goes in pieces. Write gives it to the writer in several
// calls, unless its memory is already what has to be written; Read has stored what
// arrived before an error. Both are one call in encoding/binary, with a buffer of
// the whole size.
//
// Slices of structs that are not fixed-size are an error, and have the size -1. In
// encoding/binary, once it has met the struct itself, an empty slice of it is fine
// and n of them have the size -n.
//
// Read returns io.ErrNoProgress for a reader that returns no bytes and no error 100
// times in a row, and an error for one that returns an impossible count. In
// encoding/binary the first keeps Read waiting for good, and the second panics.
//
// # Byte orders of one's own
//
// A [ByteOrder] that is none of the three standard ones is called through its
// methods for every number, with as many bytes as the number has. Nothing is
// allocated for it.
//
// # Memory
//
// Nothing allocates that does not return new memory. What is passed as data, and
// what a [Writer] is given, can stay on the stack; readers and writers only ever see
// memory from the heap, slices apart and those of packages bytes and strings, which
// copy and forget it.
//
// Lengths, limits and types are checked; a Reader allocates no more than about twice
// what has arrived. No input makes these functions panic.
package binary
