package msgpack_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
)

// A number is an integer or a float in one format.
type number struct {
	name  string
	bytes []byte
	exact *big.Float // nil for NaN
	float bool       // in a float format
}

// numbers returns many integers in each format that can hold them, and many floats
// in both formats.
func numbers() (list []number) {
	integers := map[string]*big.Int{"0": new(big.Int)}
	for _, power := range []uint{0, 3, 5, 7, 8, 15, 16, 23, 24, 25, 31, 32, 52, 53, 54, 62, 63, 64} {
		for _, off := range []int64{-1, 0, 1} {
			i := new(big.Int).Lsh(big.NewInt(1), power)
			i.Add(i, big.NewInt(off))
			integers[i.String()] = i
			minus := new(big.Int).Neg(i)
			integers[minus.String()] = minus
		}
	}
	for text, i := range integers {
		for _, f := range integerFormats {
			if i.Cmp(f.min) >= 0 && i.Cmp(f.max) <= 0 {
				list = append(list, number{text + " as " + f.name, f.encode(i), new(big.Float).SetInt(i), false})
			}
		}
		if f, accuracy := new(big.Float).SetInt(i).Float64(); accuracy == big.Exact {
			list = append(list, floats(f)...)
		}
	}
	for _, f := range []float64{
		0.5, -0.5, 1.5, 255.5, math.Pi, math.Copysign(0, -1), math.MaxFloat32, math.MaxFloat64, -math.MaxFloat64,
		math.SmallestNonzeroFloat32, math.SmallestNonzeroFloat64, math.Inf(1), math.Inf(-1), math.NaN(),
		math.MaxFloat32 + 1<<102, // rounds to MaxFloat32
		math.MaxFloat32 + 1<<103, // rounds to infinity
		-math.MaxFloat32 - 1<<103,
	} {
		list = append(list, floats(f)...)
	}
	slices.SortFunc(list, func(a, b number) int { return slices.Compare(a.bytes, b.bytes) })
	return list
}

// floats returns f as a float 64, and as a float 32 if that loses nothing.
func floats(f float64) []number {
	var exact *big.Float
	if !math.IsNaN(f) {
		exact = big.NewFloat(f)
	}
	list := []number{{fmt.Sprint(f, " as float 64"), binary.BigEndian.AppendUint64([]byte{0xcb}, math.Float64bits(f)), exact, true}}
	if f32 := float32(f); float64(f32) == f || math.IsNaN(f) {
		list = append(list, number{fmt.Sprint(f, " as float 32"), binary.BigEndian.AppendUint32([]byte{0xca}, math.Float32bits(f32)), exact, true})
	}
	return list
}

type integerFormat struct {
	name     string
	min, max *big.Int
	format   int // the format byte, or -1 if the number is part of it (fixint)
	size     int
}

// encode returns i in the format, which need not be the shortest.
func (f integerFormat) encode(i *big.Int) []byte {
	bits := i.Uint64() // the absolute value
	if i.Sign() < 0 {
		bits = -bits
	}
	if f.format < 0 {
		return []byte{byte(bits)}
	}
	b := binary.BigEndian.AppendUint64(nil, bits)
	return append([]byte{byte(f.format)}, b[8-f.size:]...)
}

var integerFormats = func() (list []integerFormat) {
	list = append(list,
		integerFormat{"positive fixint", big.NewInt(0), big.NewInt(127), -1, 0},
		integerFormat{"negative fixint", big.NewInt(-32), big.NewInt(-1), -1, 0})
	for i := range 4 {
		size := 1 << i
		min, max := bounds(8*size, true)
		list = append(list, integerFormat{fmt.Sprint("int ", 8*size), min, max, 0xd0 + i, size})
		min, max = bounds(8*size, false)
		list = append(list, integerFormat{fmt.Sprint("uint ", 8*size), min, max, 0xcc + i, size})
	}
	return list
}()

// bounds returns the least and the greatest integer of the given width in bits.
func bounds(bits int, signed bool) (min, max *big.Int) {
	min, max = new(big.Int), new(big.Int)
	if signed {
		bits--
	}
	max.Lsh(big.NewInt(1), uint(bits))
	if signed {
		min.Neg(max)
	}
	return min, max.Sub(max, big.NewInt(1))
}

// in returns n as a value of type t. ok is false if t cannot hold it.
func (n number) in(t reflect.Type) (v reflect.Value, ok bool) {
	v = reflect.New(t).Elem()
	if k := t.Kind(); k == reflect.Float32 || k == reflect.Float64 {
		return v, n.inFloat(v)
	}
	if n.exact == nil || !n.exact.IsInt() {
		return v, false
	}
	i, _ := n.exact.Int(nil)
	min, max := bounds(t.Bits(), v.CanInt())
	if i.Cmp(min) < 0 || i.Cmp(max) > 0 {
		return v, false
	}
	if v.CanInt() {
		v.SetInt(i.Int64())
	} else {
		v.SetUint(i.Uint64())
	}
	return v, true
}

// inFloat sets v to n. It returns false if n is an integer that v cannot represent
// exactly, or out of range.
func (n number) inFloat(v reflect.Value) (ok bool) {
	if n.exact == nil {
		v.SetFloat(math.NaN())
		return true
	}
	f, accuracy := n.exact.Float64()
	if v.Kind() == reflect.Float32 {
		var f32 float32
		f32, accuracy = n.exact.Float32()
		if math.IsInf(float64(f32), 0) && !n.exact.IsInf() {
			return false
		}
		f = float64(f32)
	}
	v.SetFloat(f)
	return n.float || accuracy == big.Exact
}

// numberPlaces holds the places for which numbers have loops of their own.
var numberPlaces = []string{
	"alone", "slice", "array", "map by string", "map by bool", "map key", "first field", "last field", "long names",
	"optional fields", "array form", "inlined pointer",
}

// TestDecodeNumbers decodes many numbers in every format into every numeric type.
// The result must be exact, or an error.
func TestDecodeNumbers(t *testing.T) {
	targets := []any{
		int(0), int8(0), int16(0), int32(0), int64(0), uint(0), uint8(0), uint16(0), uint32(0), uint64(0),
		float32(0), float64(0), myInt16(0), myUint64(0), myFloat32(0),
	}
	all := numbers()
	if len(all) < 400 {
		t.Fatalf("only %d numbers", len(all))
	}
	for _, p := range places {
		if !slices.Contains(numberPlaces, p.name) {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			for _, target := range targets {
				typ := reflect.TypeOf(target)
				if !p.takes(typ) {
					continue
				}
				for _, n := range all {
					checkNumber(t, p, n, typ)
				}
			}
		})
	}
}

func checkNumber(t *testing.T, p place, n number, typ reflect.Type) {
	data := unhex(t, p.message(inHex(string(n.bytes))))
	got := reflect.New(p.typ(typ))
	err := msgpack.Unmarshal(data, got.Interface())
	v, ok := n.in(typ)
	if !ok {
		if e := checkError(t, err, msgpack.ErrRange); e == nil || int(e.Offset) != len(unhex(t, p.before)) {
			t.Errorf("%s into %v: %v", n.name, typ, err)
		}
		return
	}
	if err != nil {
		t.Errorf("%s into %v: %v", n.name, typ, err)
		return
	}
	if diff := randtype.Diff(p.around(v).Interface(), got.Elem().Interface()); diff != "" {
		t.Errorf("%s into %v%s", n.name, typ, diff)
	}
}

// TestNaNsKeepTheirBits checks floats whose bits a conversion would change.
func TestNaNsKeepTheirBits(t *testing.T) {
	for _, bits := range []uint64{0x7ff0000000000001, 0xfff0000000000001, 0x7ff8000000000000, 0x7fffffffffffffff} {
		v := struct {
			AtLeastSixteenBytesLong float64
			F                       float64
			S                       []float64
		}{math.Float64frombits(bits), math.Float64frombits(bits), []float64{math.Float64frombits(bits)}}
		got := v
		transfer(t, &v, &got)
		for _, f := range append(got.S, got.F, got.AtLeastSixteenBytesLong) {
			if math.Float64bits(f) != bits {
				t.Errorf("%x became %x", bits, math.Float64bits(f))
			}
		}
	}
	for _, bits := range []uint32{0x7f800001, 0xff800001, 0x7fc00000, 0x7fffffff} {
		v := struct {
			AtLeastSixteenBytesLong float32
			F                       float32
			S                       []float32
		}{math.Float32frombits(bits), math.Float32frombits(bits), []float32{math.Float32frombits(bits)}}
		got := v
		transfer(t, &v, &got)
		for _, f := range append(got.S, got.F, got.AtLeastSixteenBytesLong) {
			if math.Float32bits(f) != bits {
				t.Errorf("%x became %x", bits, math.Float32bits(f))
			}
		}
	}
}

// transfer encodes from and decodes the message into the variable that to points
// to.
func transfer(t *testing.T, from, to any) {
	t.Helper()
	data, err := msgpack.Marshal(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := msgpack.Unmarshal(data, to); err != nil {
		t.Fatal(err)
	}
}
