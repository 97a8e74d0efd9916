package layout_test

import (
	"bytes"
	"encoding"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
	"github.com/octet-go/octet/internal/reference/randtype"
)

// spoil changes a random part of the value: numbers become larger, strings and slices get another length, pointers and
// interfaces become nil. Some results cannot be encoded.
func spoil(r *rand.Rand, v reflect.Value) {
	var places []reflect.Value
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		if _, ok := reflect.New(v.Type()).Interface().(encoding.BinaryUnmarshaler); ok {
			return // its methods decide what can be encoded
		}
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					walk(v.Field(i))
				}
			}
			return
		case reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
			return
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Interface:
			if !v.IsNil() && v.Elem().Kind() == reflect.Pointer {
				walk(v.Elem().Elem())
			}
		}
		if v.CanSet() {
			places = append(places, v)
		}
	}
	walk(v)
	if len(places) == 0 {
		return
	}
	v = places[r.IntN(len(places))]
	bits := r.Uint64() >> r.IntN(64)
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(bits))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(bits)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(bits))
	case reflect.String:
		v.SetString(v.String() + []string{"\x00", "\xff", " ", "0", strings.Repeat("x", 300)}[r.IntN(5)])
	case reflect.Slice:
		length := []int{0, v.Len() + 1, 300}[r.IntN(3)]
		longer := reflect.MakeSlice(v.Type(), length, length)
		reflect.Copy(longer, v)
		if v.Set(longer); length == 0 {
			v.SetZero()
		}
	case reflect.Pointer, reflect.Interface:
		v.SetZero()
	}
}

// TestOracleRefuses compares with the reference on values of which some cannot be encoded.
func TestOracleRefuses(t *testing.T) {
	c, ref := oracle(t)
	n := uint64(200)
	if testing.Short() || os.Getenv("OCTET_LONG") == "" {
		n = 100
	}
	n = randtype.Count(t, n)
	refused := 0
	for seed := range randtype.Seeds(t, n) {
		r := rand.New(rand.NewPCG(seed, 8))
		typ := reference.RandomType(r)
		if strings.Contains(typ.String(), "if=more") {
			continue // the reference refuses a zero before a value that is not, which this package writes
		}
		for range 10 {
			v, ok := ref.RandomValue(r, typ)
			if !ok {
				break
			}
			pointer := reflect.New(typ)
			pointer.Elem().Set(v)
			faults := 1 + r.IntN(2)
			for range faults {
				spoil(r, pointer.Elem())
			}
			want, wantErr := ref.Marshal(pointer.Elem().Interface())
			got, gotErr := c.Marshal(pointer.Interface())
			if (gotErr == nil) != (wantErr == nil) || gotErr == nil && !bytes.Equal(got, want) || gotErr != nil && faults == 1 && !sameReason(gotErr, wantErr) {
				// Of two faults, either may be found first.
				t.Fatalf("seed %d: %v\nvalue %s\ngot  % x, %v\nwant % x, %v", seed, typ, dump(pointer.Elem()), got, gotErr, want, wantErr)
			}
			if gotErr != nil {
				refused++
			}
		}
	}
	if refused < int(n)/2 {
		t.Errorf("only %d values were refused", refused)
	}
}
