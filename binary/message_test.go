package binary

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
)

// A message is a list of values. Writer and Reader have a method for each of
// their types.
type message []any

// These types select the methods with a special encoding.
type (
	uvarintValue uint64
	varintValue  int64
	prefixed     struct {
		prefix string
		text   string
	}
)

var prefixes = []string{"uint16", "uvarint"}

func randomMessage(r *rand.Rand) message {
	m := make(message, 1+r.IntN(12))
	for i := range m {
		m[i] = randomPart(r)
	}
	return m
}

func randomPart(r *rand.Rand) any {
	n := r.IntN(20)
	if r.IntN(10) == 0 {
		n = r.IntN(2000)
	}
	switch r.IntN(27) {
	case 0:
		return r.IntN(2) == 1
	case 1:
		return uint8(r.Uint32())
	case 2:
		return uint16(r.Uint32())
	case 3:
		return r.Uint32()
	case 4:
		return r.Uint64()
	case 5:
		return int8(r.Uint32())
	case 6:
		return int16(r.Uint32())
	case 7:
		return int32(r.Uint32())
	case 8:
		return int64(r.Uint64())
	case 9:
		return r.Float32()
	case 10:
		return r.Float64()
	case 11:
		return complex(r.Float32(), r.Float32())
	case 12:
		return complex(r.Float64(), r.Float64())
	case 13:
		return uvarintValue(r.Uint64() >> r.IntN(64))
	case 14:
		return varintValue(int64(r.Uint64()) >> r.IntN(64))
	case 15:
		return strings.Repeat("x", n)
	case 16:
		return bytes.Repeat([]byte{byte(n)}, n)
	case 17:
		return prefixed{prefixes[r.IntN(2)], strings.Repeat("p", min(n, 255))}
	}
	slices := []any{[]int8{}, []int16{}, []int32{}, []int64{}, []uint16{}, []uint32{}, []uint64{}, []float32{}, []float64{}}
	s := reflect.MakeSlice(reflect.TypeOf(slices[r.IntN(len(slices))]), n, n)
	fillRandom(r, s)
	return notNaN(s).Interface()
}

// notNaN replaces values that are not equal to themselves.
func notNaN(s reflect.Value) reflect.Value {
	for i := range s.Len() {
		if v := s.Index(i); v.CanFloat() && v.Float() != v.Float() {
			v.SetFloat(1)
		}
	}
	return s
}

// write writes m with the methods of w.
func (m message) write(w *Writer) {
	for _, v := range m {
		switch v := v.(type) {
		case bool:
			w.Bool(v)
		case uint8:
			w.Byte(v)
		case uint16:
			w.Uint16(v)
		case uint32:
			w.Uint32(v)
		case uint64:
			w.Uint64(v)
		case int8:
			w.Int8(v)
		case int16:
			w.Int16(v)
		case int32:
			w.Rune(v)
		case int64:
			w.Int64(v)
		case float32:
			w.Float32(v)
		case float64:
			w.Float64(v)
		case complex64:
			w.Complex64(v)
		case complex128:
			w.Complex128(v)
		case uvarintValue:
			w.Uvarint(uint64(v))
		case varintValue:
			w.Varint(int64(v))
		case string:
			w.String(v)
		case []byte:
			w.ByteSlice(v)
		case prefixed:
			map[string]func(string) *Writer{"uint16": w.Uint16String, "uvarint": w.UvarintString}[v.prefix](v.text)
		case []int8:
			w.Int8Slice(v)
		case []int16:
			w.Int16Slice(v)
		case []int32:
			w.Int32Slice(v)
		case []int64:
			w.Int64Slice(v)
		case []uint16:
			w.Uint16Slice(v)
		case []uint32:
			w.Uint32Slice(v)
		case []uint64:
			w.Uint64Slice(v)
		case []float32:
			w.Float32Slice(v)
		case []float64:
			w.Float64Slice(v)
		default:
			panic(fmt.Sprintf("no method for %T", v))
		}
	}
}

// reference returns the encoding of m according to encoding/binary, and the end
// of each value.
func (m message) reference(order ByteOrder) (b []byte, ends []int) {
	for _, v := range m {
		switch x := v.(type) {
		case uvarintValue:
			b = binary.AppendUvarint(b, uint64(x))
		case varintValue:
			b = binary.AppendVarint(b, int64(x))
		case string:
			b = append(b, x...)
		case prefixed:
			switch x.prefix {
			case "uint16":
				v = uint16(len(x.text))
			case "uvarint":
				b = binary.AppendUvarint(b, uint64(len(x.text)))
				v = []byte{}
			}
			b, _ = binary.Append(b, order, v)
			b = append(b, x.text...)
		default:
			b, _ = binary.Append(b, order, v)
		}
		ends = append(ends, len(b))
	}
	return b, ends
}

// read reads a message with the types of m, using the methods of r.
func (m message) read(r *Reader) message {
	got := make(message, len(m))
	for i, v := range m {
		switch v := v.(type) {
		case bool:
			got[i] = r.Bool()
		case uint8:
			got[i] = r.Byte()
		case uint16:
			got[i] = r.Uint16()
		case uint32:
			got[i] = r.Uint32()
		case uint64:
			got[i] = r.Uint64()
		case int8:
			got[i] = r.Int8()
		case int16:
			got[i] = r.Int16()
		case int32:
			got[i] = r.Rune()
		case int64:
			got[i] = r.Int64()
		case float32:
			got[i] = r.Float32()
		case float64:
			got[i] = r.Float64()
		case complex64:
			got[i] = r.Complex64()
		case complex128:
			got[i] = r.Complex128()
		case uvarintValue:
			got[i] = uvarintValue(r.Uvarint())
		case varintValue:
			got[i] = varintValue(r.Varint())
		case string:
			got[i] = r.String(len(v))
		case []byte:
			got[i] = r.ByteSlice(len(v))
		case prefixed:
			got[i] = prefixed{v.prefix, map[string]func() string{"uint16": r.Uint16String, "uvarint": r.UvarintString}[v.prefix]()}
		case []int8:
			got[i] = r.Int8Slice(len(v))
		case []int16:
			got[i] = r.Int16Slice(len(v))
		case []int32:
			got[i] = r.Int32Slice(len(v))
		case []int64:
			got[i] = r.Int64Slice(len(v))
		case []uint16:
			got[i] = r.Uint16Slice(len(v))
		case []uint32:
			got[i] = r.Uint32Slice(len(v))
		case []uint64:
			got[i] = r.Uint64Slice(len(v))
		case []float32:
			got[i] = r.Float32Slice(len(v))
		case []float64:
			got[i] = r.Float64Slice(len(v))
		}
	}
	return got
}
