package syntax

import (
	"math"
	"strconv"
	"strings"

	"github.com/octet-go/octet/internal/errtext"
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
		return f.String() + " of " + errtext.Counted(h.Count, "element")
	case wire.KindMap:
		return f.String() + " of " + errtext.Counted(h.Count, "pair")
	case wire.KindInt, wire.KindFloat:
		if int(h.Payload) <= len(data)-int(h.Size) {
			return f.String() + " " + Number(data)
		}
		if !all {
			return f.String()
		}
		return f.String() + ", " + errtext.Counted(left, "byte") + " left"
	}
	return f.String()
}

// bytesOf returns the length of a payload, and how much of it is there if left is not
// negative.
func bytesOf(n uint32, left int) string {
	if left >= 0 && uint64(n) > uint64(left) {
		return errtext.Counted(n, "byte") + ", " + strconv.Itoa(left) + " left"
	}
	return errtext.Counted(n, "byte")
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

// PathTo returns the path to the value that begins at offset target. The bytes before
// target must be valid.
func PathTo(data []byte, target int) string {
	s := wire.Scanner{MaxDepth: math.MaxInt}
	var keys []int // for each container, the offset of the last key, or of some element
	for at := 0; at < target; {
		begin := at
		_, n, err := s.Next(data[at:])
		if err != nil {
			break
		}
		at += n
		at += s.Payload(data[at:])
		if d := len(s.Around()); d > 0 && s.Around()[d-1].Begun()%2 == 1 {
			keys = append(keys[:d-1], begin)
		}
	}
	_, _, _ = s.Next(nil) // begins the value at target

	var path strings.Builder
	for i, c := range s.Around() {
		switch begun := c.Begun(); {
		case c.Header.Format.Kind() == wire.KindArray:
			path.WriteString("[" + strconv.FormatUint(begun-1, 10) + "]")
		// The target is in a key, which has no name yet.
		case begun%2 == 1:
			path.WriteString("[key " + strconv.FormatUint(begun/2, 10) + "]")
		default:
			path.WriteString(KeyStep(data[keys[i]:]))
		}
	}
	return path.String()
}

// KeyStep returns the step of a path for the map key at the start of data.
func KeyStep(data []byte) string {
	if s, _, err := wire.ConsumeString(data); err == nil {
		return StringStep(string(s))
	}
	if h, _, err := wire.ConsumeHeader(data); err == nil && h.Format.Kind() == wire.KindInt {
		return "[" + Number(data) + "]"
	}
	return "[" + Describe(data) + "]"
}

// StringStep returns the step of a path for a string key. It cuts a long key, so that
// hostile input with long keys at many levels does not cause a very long path.
func StringStep(key string) string {
	if len(key) > MaxKey {
		key = key[:MaxKey] + "…"
	}
	return "[" + strconv.Quote(key) + "]"
}

// MaxKey is the maximum number of bytes of a key in the result of [StringStep].
const MaxKey = 40
