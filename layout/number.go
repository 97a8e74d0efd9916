package layout

import (
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/mem"
)

// form is how a number is written.
type form uint8

const (
	noForm form = iota
	integerForm
	floatForm
	varintForm
	zigzagForm
	slebForm
	octalForm
	decimalForm
	bitsForm
)

// maxVarint is the most bytes that a number of variable length takes.
const maxVarint = 10

// A number describes how a number is held in memory and written on the wire. Its
// value is a uint64: the bits of a float, 0 or 1 for a bool, the two's complement
// of a negative integer.
type number struct {
	kind memKind
	size uint8 // bytes in memory; 0 if it is in no variable

	form   form
	width  uint8 // bytes on the wire, or bits in a run; 0 if it depends on the value
	signed bool  // on the wire
	order  order

	constants []constant
	limit     uint64
	limited   bool
}

// A memKind says how the bits of a variable are read as a uint64: an intKind is
// sign-extended. The size of the variable is apart, so that named and sized types need no
// kinds of their own.
type memKind uint8

const (
	boolKind memKind = iota
	intKind
	uintKind
	floatKind
)

// kindOf returns how values of the kind are held in memory, if they are numbers.
func kindOf(k reflect.Kind) (memKind, bool) {
	switch {
	case k == reflect.Bool:
		return boolKind, true
	case k >= reflect.Int && k <= reflect.Int64:
		return intKind, true
	case k >= reflect.Uint && k <= reflect.Uint64:
		return uintKind, true
	case k == reflect.Float32 || k == reflect.Float64:
		return floatKind, true
	}
	return 0, false
}

// isPlain reports whether the bytes on the wire are those in memory, perhaps in
// reverse, and every value is valid.
func (n *number) isPlain() bool {
	return n.size == n.width && n.size > 0 && (n.form == integerForm || n.form == floatForm) && n.kind != boolKind &&
		n.signed == (n.kind == intKind) && len(n.constants) == 0 && !n.limited
}

// memBits returns the number of bits of the values that the variable can hold.
func (n *number) memBits() int {
	if n.kind == boolKind {
		return 1
	}
	if n.size == 0 {
		return 64
	}
	return int(n.size) * 8
}

// wireBits returns the number of bits of the values that the wire can hold.
func (n *number) wireBits() int {
	switch n.form {
	case integerForm:
		return int(n.width) * 8
	case bitsForm:
		return int(n.width)
	}
	return 64
}

// load returns the value of the variable at p.
func (n *number) load(p mem.Ptr) uint64 {
	v := loadUint(p, n.size)
	if n.kind == intKind {
		v = extend(v, 8*int(n.size))
	}
	return v
}

// fits reports whether v, which is signed or not, is a value of so many bits.
func fits(v uint64, signed bool, width int, toSigned bool) bool {
	negative := signed && int64(v) < 0
	switch {
	case toSigned && negative:
		return int64(v) >= -1<<(width-1)
	case toSigned:
		return v <= 1<<(width-1)-1
	case negative:
		return false
	}
	return width == 64 || v < 1<<width
}

// toWire checks that the value of the variable has a form on the wire and returns
// the bits that are written.
func (n *number) toWire(v uint64) (uint64, bool) {
	switch n.form {
	case floatForm:
		return convertFloat(v, n.size, n.width)
	case octalForm, decimalForm:
		return v, n.kind != intKind || int64(v) >= 0
	}
	return v, fits(v, n.kind == intKind, n.wireBits(), n.signed)
}

// fromWire is the inverse of toWire: v has been read, and sign-extended if the
// form is signed.
func (n *number) fromWire(v uint64) (uint64, bool) {
	if n.form == floatForm {
		return convertFloat(v, n.width, n.size)
	}
	return v, fits(v, n.signed, n.memBits(), n.kind == intKind)
}

// convertFloat changes the width of a float, in bytes. A value that is not the same in the
// smaller width does not fit.
func convertFloat(v uint64, from, to uint8) (uint64, bool) {
	switch {
	case from == 8 && to == 4:
		f := math.Float64frombits(v)
		return uint64(math.Float32bits(float32(f))), float64(float32(f)) == f || f != f
	case from == 4 && to == 8:
		return math.Float64bits(float64(math.Float32frombits(uint32(v)))), true
	}
	return v, true
}

// putFixed stores the low bytes of v.
func putFixed(b []byte, v uint64, o order) {
	for i := range b {
		at := i
		if o != little {
			at = len(b) - 1 - i
		}
		b[at] = byte(v)
		v >>= 8
	}
}

// getFixed returns the number that putFixed stored.
func getFixed(b []byte, o order) (v uint64) {
	for i := range b {
		at := i
		if o == little {
			at = len(b) - 1 - i
		}
		v = v<<8 | uint64(b[at])
	}
	return v
}

// extend returns the signed value of the low bits of v. The mask, which changes nothing,
// spares the processor a comparison in the loops.
func extend(v uint64, width int) uint64 {
	shift := uint(64-width) & 63
	return uint64(int64(v<<shift) >> shift)
}

// put stores v, which has passed toWire, in a form of fixed width. It reports
// whether the digits suffice.
func (n *number) put(b []byte, v uint64) bool {
	if n.isDigits() {
		return putDigits(b, v, n.base())
	}
	putFixed(b, v, n.order)
	return true
}

// get is the inverse of put. It reports whether there are only digits.
func (n *number) get(b []byte) (v uint64, ok bool) {
	if n.isDigits() {
		return getDigits(b, n.base())
	}
	v = getFixed(b, n.order)
	if n.signed {
		v = extend(v, len(b)*8)
	}
	return v, true
}

// putDigits stores v with leading zeros and a final NUL, or without the NUL if v needs
// all bytes for digits. It reports whether they suffice.
func putDigits(b []byte, v uint64, base uint64) bool {
	last := len(b) - 1
	b[last] = 0
	return putAllDigits(b[:last], v, base) || putAllDigits(b, v, base)
}

// putAllDigits stores v with leading zeros, and reports whether the digits suffice.
func putAllDigits(b []byte, v uint64, base uint64) bool {
	if base == 8 {
		for i := range b {
			b[len(b)-1-i] = '0' + byte(v&7)
			v >>= 3
		}
		return v == 0
	}
	for i := range b {
		b[len(b)-1-i] = '0' + byte(v%10)
		v /= 10
	}
	return v == 0
}

// getDigits reads spaces, then digits up to a NUL, a space or the end. No digits
// are 0.
func getDigits(b []byte, base uint64) (v uint64, ok bool) {
	i := 0
	for i < len(b) && b[i] == ' ' {
		i++
	}
	for ; i < len(b) && b[i] != 0 && b[i] != ' '; i++ {
		digit := uint64(b[i]) - '0'
		high, low := bits.Mul64(v, base)
		v = low + digit
		if digit >= base || high > 0 || v < low {
			return 0, false
		}
	}
	return v, true
}

// varintLen returns the number of bytes of v in a form of variable length.
func (n *number) varintLen(v uint64) int {
	switch n.form {
	case zigzagForm:
		v = v<<1 ^ uint64(int64(v)>>63)
	case slebForm:
		if int64(v) < 0 {
			v = ^v
		}
		return bits.Len64(v)/7 + 1
	}
	return varintLen(v)
}

// varintLen returns the number of bytes of an unsigned number of variable width.
func varintLen(v uint64) int { return (bits.Len64(v|1) + 6) / 7 }

// appendVarint appends v in a form of variable length.
func (n *number) appendVarint(b []byte, v uint64) []byte {
	switch n.form {
	case zigzagForm:
		v = v<<1 ^ uint64(int64(v)>>63)
	case slebForm:
		for s := int64(v); ; {
			c := byte(s & 0x7f)
			s >>= 7
			if s == 0 && c&0x40 == 0 || s == -1 && c&0x40 != 0 {
				return append(b, c)
			}
			b = append(b, c|0x80)
		}
	}
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// getVarint reads a number of variable length. It returns a length of 0 if b ends
// before the number, and -1 if the number does not fit 64 bits.
func (n *number) getVarint(b []byte) (v uint64, length int) {
	for i, c := range b {
		if i == maxVarint {
			return 0, -1
		}
		part := uint64(c & 0x7f)
		if i == maxVarint-1 && !n.lastByte(c) {
			return 0, -1
		}
		v |= part << (7 * i)
		if c < 0x80 {
			switch n.form {
			case zigzagForm:
				v = v>>1 ^ -(v & 1)
			case slebForm:
				if i < maxVarint-1 {
					v = extend(v, 7*(i+1))
				}
			}
			return v, i + 1
		}
	}
	return 0, 0
}

// lastByte reports whether c can be the tenth byte, of which one bit counts.
func (n *number) lastByte(c byte) bool {
	if n.form == slebForm {
		return c == 0 || c == 0x7f
	}
	return c <= 1
}

// fitsWire reports whether v, which is not negative, has a form on the wire.
func (n *number) fitsWire(v uint64) bool {
	if n.isDigits() {
		return true
	}
	return fits(v, false, n.wireBits(), n.signed)
}

// checkLimit returns an error if v is greater than the maximum.
func (n *number) checkLimit(v uint64, pos int) *Error {
	if n.limited && v > n.limit && (n.kind != intKind || int64(v) >= 0) {
		return failure(pos, ErrLimit, "%s exceeds the maximum %d", n.text(v), n.limit)
	}
	return nil
}

// isConstant reports whether v is one of the constants.
func (n *number) isConstant(v uint64) bool {
	return slices.ContainsFunc(n.constants, func(c constant) bool { return c.value == v })
}

// text returns the value of the variable for errors.
func (n *number) text(v uint64) string {
	if n.kind == floatKind {
		if n.size == 4 {
			return fmt.Sprint(math.Float32frombits(uint32(v)))
		}
		return fmt.Sprint(math.Float64frombits(v))
	}
	return constant{value: v}.text(n.kind == intKind)
}

// wireText is like text for a value that has not been converted.
func (n *number) wireText(v uint64) string {
	if n.form == floatForm {
		return fmt.Sprint(math.Float64frombits(v))
	}
	return constant{value: v}.text(n.signed)
}

// describe returns the form for errors, such as "u24".
func (n *number) describe() string {
	sign := "u"
	if n.signed {
		sign = "i"
	}
	switch n.form {
	case floatForm:
		return fmt.Sprintf("f%d", int(n.width)*8)
	case varintForm:
		return "varint"
	case zigzagForm:
		return "zigzag"
	case slebForm:
		return "sleb128"
	case octalForm:
		return errtext.Counted(int(n.width), "octal digit")
	case decimalForm:
		return errtext.Counted(int(n.width), "decimal digit")
	case bitsForm:
		return errtext.Counted(int(n.width), "bit")
	}
	if n.kind == boolKind {
		return "a bool"
	}
	return fmt.Sprintf("%s%d", sign, int(n.width)*8)
}

// notConstant returns the error for a value that is none of the constants.
func (n *number) notConstant(v uint64, pos int) *Error {
	want := ""
	for i, c := range n.constants {
		if i > 0 {
			want += " or "
		}
		want += c.text(n.kind == intKind)
	}
	return failure(pos, ErrConst, "found %s, want %s", n.text(v), want)
}

// loadUint returns the unsigned number of size bytes at p, or 0 if size is 0.
func loadUint(p mem.Ptr, size uint8) uint64 {
	switch size {
	case 1:
		return uint64(mem.Load8(p, 0))
	case 2:
		return uint64(mem.LoadNative16(p, 0))
	case 4:
		return uint64(mem.LoadNative32(p, 0))
	case 8:
		return mem.LoadNative64(p, 0)
	}
	return 0
}

// storeUint stores an unsigned number of size bytes, if size is not 0.
func storeUint(p mem.Ptr, size uint8, v uint64) {
	switch size {
	case 1:
		mem.Store8(p, 0, byte(v))
	case 2:
		mem.StoreNative16(p, 0, uint16(v))
	case 4:
		mem.StoreNative32(p, 0, uint32(v))
	case 8:
		mem.StoreNative64(p, 0, v)
	}
}
