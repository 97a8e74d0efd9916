package layout

import (
	"encoding/binary"
	"math"
	"math/big"
	"reflect"
	"strconv"
	"strings"
)

// wireOf returns the name of the wire form of a number of type t: "u16", "f32",
// "varint", "bool".
func wireOf(t reflect.Type, o options) string {
	if o.number != "" {
		return o.number
	}
	switch k := t.Kind(); {
	case k == reflect.Bool:
		return "bool"
	case k == reflect.Int || k == reflect.Uint:
		fail(ErrTag, "%v has no width", t)
	case isSigned(k):
		return "i" + strconv.Itoa(t.Bits())
	case isUnsigned(k):
		return "u" + strconv.Itoa(t.Bits())
	case isFloat(k):
		return "f" + strconv.Itoa(t.Bits())
	}
	fail(ErrTag, "%v is not supported", t)
	return ""
}

// wireSize returns the bytes of a wire form, if it is fixed.
func wireSize(wire string) (n int, known bool) {
	switch wire {
	case "bool":
		return 1, true
	case "varint", "zigzag", "sleb128":
		return 0, false
	}
	bits, _ := strconv.Atoi(wire[1:])
	return bits / 8, true
}

func pow2(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

// fits reports whether n is a value of bits bits.
func fits(n *big.Int, bits int, signed bool) bool {
	low, high := new(big.Int), pow2(bits)
	if signed {
		low, high = new(big.Int).Neg(pow2(bits-1)), pow2(bits-1)
	}
	return n.Cmp(low) >= 0 && n.Cmp(high) < 0
}

// toBits returns n in two's complement of bits bits.
func toBits(n *big.Int, bits int) *big.Int {
	if n.Sign() < 0 {
		n = new(big.Int).Add(n, pow2(bits))
	}
	return new(big.Int).And(n, new(big.Int).Sub(pow2(bits), big.NewInt(1)))
}

// fromBits is the opposite of toBits.
func fromBits(n *big.Int, bits int, signed bool) *big.Int {
	if signed && n.Bit(bits-1) == 1 {
		return new(big.Int).Sub(n, pow2(bits))
	}
	return n
}

// putFixed returns the size low bytes of n, which is not negative.
func putFixed(n *big.Int, size int, order string) []byte {
	out := make([]byte, size)
	n.FillBytes(out)
	if order == "le" {
		reverse(out)
	}
	return out
}

func getFixed(data []byte, order string) *big.Int {
	data = append([]byte{}, data...)
	if order == "le" {
		reverse(data)
	}
	return new(big.Int).SetBytes(data)
}

func reverse(b []byte) {
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
}

// appendNumber appends n in a wire form of integers. It fails if n does not
// fit.
func appendNumber(dst []byte, wire, order string, n *big.Int, where string, reason error) []byte {
	switch wire {
	case "varint":
		if !fits(n, 64, false) {
			fail(reason, "%s: %v is not an unsigned number of 64 bits", where, n)
		}
		return binary.AppendUvarint(dst, n.Uint64())
	case "zigzag":
		if !fits(n, 64, true) {
			fail(reason, "%s: %v is not a number of 64 bits", where, n)
		}
		return binary.AppendVarint(dst, n.Int64())
	case "sleb128":
		if !fits(n, 64, true) {
			fail(reason, "%s: %v is not a number of 64 bits", where, n)
		}
		for v := n.Int64(); ; {
			b := byte(v & 0x7f)
			v >>= 7
			if v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
				return append(dst, b)
			}
			dst = append(dst, b|0x80)
		}
	case "bool":
		wire = "u8"
	}
	bits, _ := strconv.Atoi(wire[1:])
	if !fits(n, bits, wire[0] == 'i') {
		fail(reason, "%s: %v does not fit %s", where, n, wire)
	}
	return append(dst, putFixed(toBits(n, bits), bits/8, order)...)
}

// readNumber reads an integer and returns its size.
func readNumber(data []byte, wire, order, where string) (*big.Int, int) {
	switch wire {
	case "varint", "zigzag", "sleb128":
		return readVarint(data, wire, where)
	case "bool":
		wire = "u8"
	}
	bits, _ := strconv.Atoi(wire[1:])
	if len(data) < bits/8 {
		fail(ErrTruncated, "%s: %d bytes left for %s", where, len(data), wire)
	}
	return fromBits(getFixed(data[:bits/8], order), bits, wire[0] == 'i'), bits / 8
}

// readVarint collects groups of seven bits, the lowest first. Groups that do not
// fit 64 bits are an error.
func readVarint(data []byte, wire, where string) (*big.Int, int) {
	n := new(big.Int)
	for i, b := range data {
		if i == 10 {
			fail(ErrRange, "%s: more than 10 bytes", where)
		}
		n.Or(n, new(big.Int).Lsh(big.NewInt(int64(b&0x7f)), uint(7*i)))
		if b&0x80 != 0 {
			continue
		}
		if wire == "sleb128" {
			n = fromBits(n, 7*(i+1), true)
			if !fits(n, 64, true) {
				fail(ErrRange, "%s: %v does not fit 64 bits", where, n)
			}
			return n, i + 1
		}
		if !fits(n, 64, false) {
			fail(ErrRange, "%s: %v does not fit 64 bits", where, n)
		}
		if wire == "zigzag" {
			half := new(big.Int).Rsh(n, 1)
			if n.Bit(0) == 1 {
				half.Not(half)
			}
			n = half
		}
		return n, i + 1
	}
	if len(data) >= 10 {
		fail(ErrRange, "%s: more than 10 bytes", where)
	}
	fail(ErrTruncated, "%s: number has no last byte", where)
	return nil, 0
}

// appendDigits appends n as digits with leading zeros and a final NUL. A number that
// needs all bytes for digits has no NUL.
func appendDigits(dst []byte, o options, n *big.Int, where string) []byte {
	text := n.Text(o.base)
	if n.Sign() < 0 || len(text) > o.digits {
		fail(ErrRange, "%s: %v does not fit %d digits", where, n, o.digits)
	}
	if len(text) == o.digits {
		return append(dst, text...)
	}
	dst = append(dst, strings.Repeat("0", o.digits-1-len(text))...)
	return append(append(dst, text...), 0)
}

// readDigits reads spaces, then digits up to a NUL, a space or the end. No digit
// at all is 0.
func readDigits(data []byte, o options, where string) *big.Int {
	text := strings.TrimLeft(string(data), " ")
	if i := strings.IndexAny(text, "\x00 "); i >= 0 {
		text = text[:i]
	}
	if strings.Trim(text, "0123456789"[:o.base]) != "" {
		fail(ErrRange, "%s: %q is not a number", where, data)
	}
	n, ok := new(big.Int).SetString("0"+text, o.base)
	if !ok {
		fail(ErrRange, "%s: %q is not a number", where, data)
	}
	return n
}

// numberOf returns the value of an integer or bool.
func numberOf(v reflect.Value) *big.Int {
	switch k := v.Kind(); {
	case k == reflect.Bool && v.Bool():
		return big.NewInt(1)
	case k == reflect.Bool:
		return new(big.Int)
	case isSigned(k):
		return big.NewInt(v.Int())
	}
	return new(big.Int).SetUint64(v.Uint())
}

// setNumber stores n in v. It fails if v cannot hold n.
func setNumber(v reflect.Value, n *big.Int, where string) {
	switch k := v.Kind(); {
	case k == reflect.Bool:
		if !fits(n, 1, false) {
			fail(ErrRange, "%s: %v is not a bool", where, n)
		}
		v.SetBool(n.Sign() != 0)
	case !fits(n, v.Type().Bits(), isSigned(k)):
		fail(ErrRange, "%s: %v does not fit %v", where, n, v.Type())
	case isSigned(k):
		v.SetInt(n.Int64())
	default:
		v.SetUint(n.Uint64())
	}
}

func appendFloat(dst []byte, wire, order string, f float64, where string) []byte {
	if wire == "f64" {
		return append(dst, putFixed(new(big.Int).SetUint64(math.Float64bits(f)), 8, order)...)
	}
	if n := float64(float32(f)); n != f && f == f {
		fail(ErrRange, "%s: %v is not a float32", where, f)
	}
	return append(dst, putFixed(new(big.Int).SetUint64(uint64(math.Float32bits(float32(f)))), 4, order)...)
}

func readFloat(data []byte, wire, order, where string) (float64, int) {
	size, _ := wireSize(wire)
	if len(data) < size {
		fail(ErrTruncated, "%s: %d bytes left for %s", where, len(data), wire)
	}
	n := getFixed(data[:size], order).Uint64()
	if size == 4 {
		return float64(math.Float32frombits(uint32(n))), size
	}
	return math.Float64frombits(n), size
}
