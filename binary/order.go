package binary

import "encoding/binary"

// A ByteOrder specifies how to convert byte slices into 16-, 32-, or 64-bit
// unsigned integers. It is the standard library's own type, so that values of
// either package work with the other.
type ByteOrder = binary.ByteOrder

// An AppendByteOrder specifies how to append 16-, 32-, or 64-bit unsigned integers
// to a byte slice. It is the standard library's own type.
type AppendByteOrder = binary.AppendByteOrder

// The standard byte orders, each a [ByteOrder] and an [AppendByteOrder].
var (
	LittleEndian = binary.LittleEndian // the lowest byte first
	BigEndian    = binary.BigEndian    // the highest byte first
	NativeEndian = binary.NativeEndian // that of the machine
)

// endian is what the byte order of a call means on this machine.
type endian uint8

const (
	native  endian = iota // bytes go as they lie in memory
	swapped               // the bytes of each number are reversed
	custom                // a user's own ByteOrder, which has to be called
)

// bigHost is whether the machine is big-endian.
var bigHost = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// endianOf returns what order means here. Only the standard values themselves
// are known: a type that embeds one of them may have methods of its own.
func endianOf(order ByteOrder) endian {
	switch order {
	case LittleEndian:
		return little()
	case BigEndian:
		return swapped - little()
	case NativeEndian:
		return native
	}
	return custom
}

// little returns what little-endian means here.
func little() endian {
	if bigHost {
		return swapped
	}
	return native
}
