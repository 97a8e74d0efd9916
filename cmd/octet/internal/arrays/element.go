package arrays

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/cmplx"
	"strconv"
	"strings"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// An element holds the functions for one type of elements.
type element[T array.Element] struct {
	text   func(dst []byte, v T) []byte
	parse  func(s string) (T, error)
	pack   func(dst []byte, v T) []byte
	unpack func(d *msgpack.Decoder) (T, error)
	// json is text, unless JSON needs another form.
	json func(dst []byte, v T) ([]byte, error)

	// keys appends an integer of the same order for each number, and its value, for
	// statistics. back is its inverse. NaN has no key. Complex numbers have no order:
	// keys is nil.
	keys func(list []T, keys []uint64, values []float64) ([]uint64, []float64)
	back func(key uint64) T
	// float is nil for complex numbers too.
	float func(v T) float64

	distance func(v, w T) float64
}

var errFit = errors.New("number does not fit")

func signed[T int8 | int16 | int32 | int64](bits int) *element[T] {
	sign := uint64(1) << (bits - 1)
	mask := ^uint64(0) >> (64 - bits)
	fit := func(v int64) (T, error) {
		if int64(T(v)) != v {
			return 0, fmt.Errorf("%w: %d", errFit, v)
		}
		return T(v), nil
	}
	return withText(&element[T]{
		text:  func(dst []byte, v T) []byte { return strconv.AppendInt(dst, int64(v), 10) },
		parse: func(s string) (T, error) { v, err := strconv.ParseInt(s, 10, bits); return T(v), parseError(s, err) },
		pack:  func(dst []byte, v T) []byte { return wire.AppendInt(dst, int64(v)) },
		unpack: func(d *msgpack.Decoder) (T, error) {
			v, err := d.ReadInt()
			if err != nil {
				return 0, err
			}
			return fit(v)
		},
		keys: func(list []T, keys []uint64, values []float64) ([]uint64, []float64) {
			for _, v := range list {
				keys, values = append(keys, (uint64(v)^sign)&mask), append(values, float64(v))
			}
			return keys, values
		},
		back:     func(key uint64) T { return T(key ^ sign) },
		float:    func(v T) float64 { return float64(v) },
		distance: func(v, w T) float64 { return float64(uint64(max(v, w)) - uint64(min(v, w))) },
	})
}

func unsigned[T uint8 | uint16 | uint32 | uint64](bits int) *element[T] {
	return withText(&element[T]{
		text:  func(dst []byte, v T) []byte { return strconv.AppendUint(dst, uint64(v), 10) },
		parse: func(s string) (T, error) { v, err := strconv.ParseUint(s, 10, bits); return T(v), parseError(s, err) },
		pack:  func(dst []byte, v T) []byte { return wire.AppendUint(dst, uint64(v)) },
		unpack: func(d *msgpack.Decoder) (T, error) {
			v, err := d.ReadUint()
			if err == nil && uint64(T(v)) != v {
				err = fmt.Errorf("%w: %d", errFit, v)
			}
			return T(v), err
		},
		keys: func(list []T, keys []uint64, values []float64) ([]uint64, []float64) {
			for _, v := range list {
				keys, values = append(keys, uint64(v)), append(values, float64(v))
			}
			return keys, values
		},
		back:     func(key uint64) T { return T(key) },
		float:    func(v T) float64 { return float64(v) },
		distance: func(v, w T) float64 { return float64(max(v, w) - min(v, w)) },
	})
}

func float32s() *element[float32] {
	return withText(&element[float32]{
		text: func(dst []byte, v float32) []byte { return strconv.AppendFloat(dst, float64(v), 'g', -1, 32) },
		parse: func(s string) (float32, error) {
			v, err := parseFloat(s, 32)
			return float32(v), err
		},
		pack: wire.AppendFloat32,
		unpack: func(d *msgpack.Decoder) (float32, error) {
			v, err := d.ReadFloat()
			if err == nil && v == v && float64(float32(v)) != v {
				err = fmt.Errorf("%w: float32 would round %v", errFit, v)
			}
			return float32(v), err
		},
		json: func(dst []byte, v float32) ([]byte, error) { return jsonFloat(dst, float64(v), 32) },
		keys: func(list []float32, keys []uint64, values []float64) ([]uint64, []float64) {
			for _, v := range list {
				b := math.Float32bits(v)
				if b>>31 != 0 {
					b = ^b
				} else {
					b |= 1 << 31
				}
				if v == v {
					keys, values = append(keys, uint64(b)), append(values, float64(v))
				}
			}
			return keys, values
		},
		back: func(key uint64) float32 {
			if b := uint32(key); b>>31 != 0 {
				return math.Float32frombits(b &^ (1 << 31))
			} else {
				return math.Float32frombits(^b)
			}
		},
		float:    func(v float32) float64 { return float64(v) },
		distance: func(v, w float32) float64 { return math.Abs(float64(v) - float64(w)) },
	})
}

func float64s() *element[float64] {
	return withText(&element[float64]{
		text:   func(dst []byte, v float64) []byte { return strconv.AppendFloat(dst, v, 'g', -1, 64) },
		parse:  func(s string) (float64, error) { return parseFloat(s, 64) },
		pack:   wire.AppendFloat64,
		unpack: (*msgpack.Decoder).ReadFloat,
		json:   func(dst []byte, v float64) ([]byte, error) { return jsonFloat(dst, v, 64) },
		keys: func(list []float64, keys []uint64, values []float64) ([]uint64, []float64) {
			for _, v := range list {
				b := math.Float64bits(v)
				if b>>63 != 0 {
					b = ^b
				} else {
					b |= 1 << 63
				}
				if v == v {
					keys, values = append(keys, b), append(values, v)
				}
			}
			return keys, values
		},
		back: func(key uint64) float64 {
			if key>>63 != 0 {
				return math.Float64frombits(key &^ (1 << 63))
			}
			return math.Float64frombits(^key)
		},
		float:    func(v float64) float64 { return v },
		distance: func(v, w float64) float64 { return math.Abs(v - w) },
	})
}

func bools() *element[bool] {
	return withText(&element[bool]{
		text: strconv.AppendBool,
		parse: func(s string) (bool, error) {
			v, err := strconv.ParseBool(s)
			return v, parseError(s, err)
		},
		pack:   wire.AppendBool,
		unpack: (*msgpack.Decoder).ReadBool,
		keys: func(list []bool, keys []uint64, values []float64) ([]uint64, []float64) {
			for _, v := range list {
				n := 0
				if v {
					n = 1
				}
				keys, values = append(keys, uint64(n)), append(values, float64(n))
			}
			return keys, values
		},
		back: func(key uint64) bool { return key != 0 },
		float: func(v bool) float64 {
			if v {
				return 1
			}
			return 0
		},
		distance: func(_, _ bool) float64 { return 1 },
	})
}

// complexes are text in JSON and MessagePack, which have no complex numbers.
func complexes[T complex64 | complex128](bits int) *element[T] {
	text := func(dst []byte, v T) []byte { return appendComplex(dst, complex128(v), bits) }
	parse := func(s string) (T, error) {
		v, err := parseComplex(s, bits)
		return T(v), err
	}
	return &element[T]{
		text:  text,
		parse: parse,
		json: func(dst []byte, v T) ([]byte, error) {
			return append(text(append(dst, '"'), v), '"'), nil
		},
		pack: func(dst []byte, v T) []byte { return wire.AppendString(dst, string(text(nil, v))) },
		unpack: func(d *msgpack.Decoder) (T, error) {
			s, err := d.ReadString()
			if err != nil {
				return 0, err
			}
			return parse(s)
		},
		distance: func(v, w T) float64 { return cmplx.Abs(complex128(v) - complex128(w)) },
	}
}

func appendComplex(dst []byte, v complex128, bits int) []byte {
	s := strconv.FormatComplex(v, 'g', -1, bits)
	return append(dst, s[1:len(s)-1]...) // without parentheses
}

// withText makes text the form in JSON, if there is no other.
func withText[T array.Element](e *element[T]) *element[T] {
	if e.json == nil {
		e.json = func(dst []byte, v T) ([]byte, error) { return e.text(dst, v), nil }
	}
	return e
}

func jsonFloat(dst []byte, v float64, bits int) ([]byte, error) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return dst, fmt.Errorf("JSON cannot represent NaN or infinity: found %v", v)
	}
	return strconv.AppendFloat(dst, v, 'g', -1, bits), nil
}

// parseFloat parses a float. It rounds a fraction, but not an integer.
func parseFloat(s string, bits int) (float64, error) {
	v, err := strconv.ParseFloat(s, bits)
	if err = parseError(s, err); err != nil {
		return 0, err
	}
	if roundsInteger(s, v) {
		return 0, fmt.Errorf("%w: float%d would round %.40s; --type int64 or uint64 may hold it", errFit, bits, s)
	}
	return v, nil
}

// parseComplex parses a complex number. It rounds like parseFloat.
func parseComplex(s string, bits int) (complex128, error) {
	v, err := strconv.ParseComplex(s, bits)
	if err = parseError(s, err); err != nil {
		return 0, err
	}
	text, imaginary := strings.CutSuffix(strings.Trim(s, "()"), "i")
	end := len(text) // of the real part
	if imaginary {   // it ends at the last sign that is not that of an exponent
		for end--; end > 0 && (text[end] != '+' && text[end] != '-' || text[end-1] == 'e' || text[end-1] == 'E'); end-- {
		}
	}
	if roundsInteger(text[:end], real(v)) || roundsInteger(text[end:], imag(v)) {
		return 0, fmt.Errorf("%w: complex%d would round %.40s", errFit, bits, s)
	}
	return v, nil
}

// roundsInteger reports whether s is an integer that differs from v.
func roundsInteger(s string, v float64) bool {
	const always = 7 // an integer with so many digits fits float32
	digits := strings.TrimLeft(strings.TrimLeft(s, "+-"), "0")
	if len(digits) <= always || strings.Trim(digits, "0123456789") != "" {
		return false
	}
	want, _ := new(big.Int).SetString(s, 10)
	got, _ := big.NewFloat(v).Int(nil)
	return got.Cmp(want) != 0
}

// parseError returns a short error for a number that cannot be parsed. The underscores and hexadecimal digits
// that package strconv accepts are those of Go's literals.
func parseError(s string, err error) error {
	switch {
	case err == nil && !strings.ContainsAny(s, "_xX"):
		return nil
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("%w: %.40s", errFit, s)
	}
	return fmt.Errorf("not a valid element: %.40q", s)
}
