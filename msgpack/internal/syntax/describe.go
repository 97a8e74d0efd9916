package syntax

import (
	"strconv"

	"github.com/octet-go/octet/msgpack/wire"
)

// Describe describes the value at the start of data in the terms of the
// specification, such as "str 8 of 40 bytes".
func Describe(data []byte) string { return describe(data, true) }

// DescribeArriving is Describe for a value of which more bytes may arrive. It does
// not say how many of them there are.
func DescribeArriving(data []byte) string { return describe(data, false) }

func describe(data []byte, all bool) string {
	if len(data) == 0 {
		return "end of input"
	}
	h, _, err := wire.ConsumeHeader(data)
	f := wire.FormatOf(data[0])
	switch {
	case err == wire.ErrReserved:
		return "byte c1"
	case err != nil:
		return f.String() + " with truncated header"
	}
	left := len(data) - int(h.Size)
	if !all {
		left = -1
	}
	switch f.Kind() {
	case wire.KindStr, wire.KindBin:
		return f.String() + " of " + bytesOf(h.Payload, left)
	case wire.KindExt:
		return f.String() + " of type " + strconv.Itoa(int(h.Ext)) + " and " + bytesOf(h.Payload, left)
	case wire.KindArray:
		return f.String() + " of " + Counted(uint64(h.Count), "element")
	case wire.KindMap:
		return f.String() + " of " + Counted(uint64(h.Count), "pair")
	case wire.KindInt, wire.KindFloat:
		if int(h.Payload) <= len(data)-int(h.Size) {
			return f.String() + " " + Number(data)
		}
		if !all {
			return f.String()
		}
		return f.String() + ", " + Counted(uint64(left), "byte") + " left"
	}
	return f.String()
}

// bytesOf returns the length of a payload, and how much of it is there if left is not
// negative.
func bytesOf(n uint32, left int) string {
	if left >= 0 && uint64(n) > uint64(left) {
		return Counted(uint64(n), "byte") + ", " + strconv.Itoa(left) + " left"
	}
	return Counted(uint64(n), "byte")
}

// Counted returns a number with its unit in the singular or plural, such as
// "2 bytes".
func Counted[N uint32 | uint64](n N, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.FormatUint(uint64(n), 10) + " " + thing
}

// Number returns the integer or float at the start of data as text.
func Number(data []byte) string {
	if f, _, err := wire.ConsumeFloat64(data); err == nil {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	if i, _, err := wire.ConsumeInt(data); err == nil {
		return strconv.FormatInt(i, 10)
	}
	u, _, _ := wire.ConsumeUint(data) // above the range of ConsumeInt
	return strconv.FormatUint(u, 10)
}
