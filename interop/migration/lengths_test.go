package migration

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack/wire"
)

type (
	smallInt int8
	numbered struct {
		I int8
		M map[uint16]int16
		L []uint16
		P *int32
		D time.Duration
	}
)

// numberMessages are integers of all formats at the bounds of all types, and floats.
func numberMessages() (list [][]byte) {
	for _, v := range []uint64{0, 1, 1 << 7, 1 << 8, 1 << 15, 1 << 16, 1 << 24, 1 << 31, 1 << 32, 1 << 53, 1 << 54, 1 << 63} {
		for _, v := range []uint64{v, v - 1, v + 1, -v, -v - 1, ^v ^ 3} {
			list = append(list, wire.AppendUint(nil, v), wire.AppendInt(nil, int64(v)), []byte{byte(wire.Int8), byte(v)})
		}
	}
	for _, f := range []float64{0, 1, 300, -1, 1e30, 0.5, math.NaN(), math.Inf(1)} {
		list = append(list, wire.AppendFloat64(nil, f), wire.AppendFloat32(nil, float32(f)))
	}
	return append(list, []byte{0xc0})
}

// TestNumbersAndLengths decodes numbers into types that do not hold them, and arrays
// and bytes into arrays and structs of other lengths, with vmihailenco/msgpack and its
// profiles. Octet decodes some more forms: the library refuses floats for integers and a
// float 64 for a float32.
func TestNumbersAndLengths(t *testing.T) {
	type message struct {
		data   []byte
		number bool
	}
	messages := map[string]message{}
	for _, m := range numberMessages() {
		messages[string(m)] = message{m, true}
		in := append([]byte("\x85\xa1I"), m...)
		in = append(append(append(in, "\xa1M\x81\x05"...), m...), "\xa1L\x92\x05\x06\xa1P"...)
		in = append(append(append(in, m...), "\xa1D"...), m...)
		messages[string(in)] = message{in, true}
	}
	for n := range 6 {
		list := wire.AppendArrayHeader(nil, uint32(n))
		for i := range n {
			list = append(list, byte(i+1))
		}
		messages[string(list)] = message{list, false}
		payload := []byte("abcdef")[:n]
		for _, b := range [][]byte{wire.AppendBin(nil, payload), wire.AppendString(nil, string(payload))} {
			messages[string(b)] = message{b, false}
		}
	}
	numbers := []func() any{
		func() any { return new(int8) }, func() any { return new(int16) }, func() any { return new(int32) }, func() any { return new(int64) },
		func() any { return new(int) }, func() any { return new(uint) }, func() any { return new(smallInt) },
		func() any { return new(uint8) }, func() any { return new(uint16) }, func() any { return new(uint32) }, func() any { return new(uint64) },
		func() any { return new(float32) }, func() any { return new(float64) }, func() any { return new(time.Duration) }, func() any { return new(numbered) },
	}
	lists := []func() any{
		func() any { return &[3]int8{7, 8, 9} }, func() any { return &[3]string{"x", "y", "z"} }, func() any { return &[2]any{7, "y"} }, func() any { return &[4]byte{7, 8, 9, 10} },
		func() any { return &[0]int{} }, func() any { return &struct{ A [2]float64 }{} }, func() any { return &point{7, 8} }, func() any { return &struct{ A, B, C any }{1, 2, 3} },
		func() any { return &[2][2]int{{1, 2}, {3, 4}} }, func() any { return &map[string][2]int{} },
	}
	for _, p := range profiles() {
		if !strings.HasPrefix(p.name, "Vmihailenco") {
			continue
		}
		_, ours := profileOf(t, p.name)
		same, refused := 0, 0
		check := func(data []byte, target func() any) {
			theirs, got := target(), target()
			_, err := catch(func() ([]byte, error) { return nil, p.unmarshal(bytes.Clone(data), theirs) })
			err2 := ours.Unmarshal(data, got)
			switch {
			case err == nil && err2 != nil:
				t.Errorf("%s: % x into %T: %v, want %v", p.name, data, got, err2, reflect.ValueOf(theirs).Elem())
			case err != nil && err2 == nil && !moreForms(data, got):
				t.Errorf("%s: % x into %T: %v, want the error %v", p.name, data, got, reflect.ValueOf(got).Elem(), err)
			case err != nil:
				refused++
			default:
				same++
				if diff := randtype.Diff(reflect.ValueOf(theirs).Elem().Interface(), reflect.ValueOf(got).Elem().Interface()); diff != "" {
					t.Errorf("%s: % x into %T: %s", p.name, data, got, diff)
				}
			}
		}
		for _, m := range messages {
			for _, target := range numbers {
				if m.number {
					check(m.data, target)
				}
			}
			for _, target := range lists {
				check(m.data, target)
			}
		}
		if same < 1000 || refused < 100 {
			t.Errorf("%s: only %d messages decoded, %d refused", p.name, same, refused)
		}
	}
}

// moreForms reports whether a message has a form that Octet decodes and the library does not:
// a float, or an array of numbers for bytes.
func moreForms(data []byte, target any) bool {
	_, isBytes := target.(*[4]byte)
	return bytes.ContainsAny(data, "\xca\xcb") || isBytes && wire.FormatOf(data[0]).Kind() == wire.KindArray
}
