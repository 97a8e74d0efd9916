package msgpack_test

import (
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

func TestTagNames(t *testing.T) {
	testStructs(t, []structCase{
		{"name", struct {
			A int `msgpack:"b"`
		}{1}, "\x81\xa1b\x01", nil},
		{"other keys of a tag", struct {
			A int `json:"x" msgpack:"b" xml:"y"`
		}{1}, "\x81\xa1b\x01", nil},
		{"only other keys", struct {
			A int `json:"x"`
		}{1}, "\x81\xa1A\x01", nil},
		{"empty", struct {
			A int `msgpack:""`
		}{1}, "\x81\xa1A\x01", nil},
		{"option without a name", struct {
			A int `msgpack:",omitempty"`
		}{1}, "\x81\xa1A\x01", nil},
		{"left out", struct {
			A int `msgpack:"-"`
			B int
		}{0, 1}, "\x81\xa1B\x01", nil},
		{"dash for a name", struct {
			A int `msgpack:"-,"`
		}{1}, "\x81\xa1-\x01", nil},
		{"dash for a name, and an option", struct {
			A int `msgpack:"-,omitempty"`
		}{1}, "\x81\xa1-\x01", nil},
		{"any characters", struct {
			A int `msgpack:"a b\"é"`
		}{1}, "\x81\xa6a b\"é\x01", nil},
		{"name of another field", struct {
			A int `msgpack:"B"`
			B int `msgpack:"A"`
		}{1, 2}, "\x82\xa1B\x01\xa1A\x02", nil},
		{"two fields with one name, one of them tagged", struct {
			A int `msgpack:"B"`
			B int
		}{1, 0}, "\x81\xa1B\x01", nil},
		{"everything left out", struct {
			a int
			B int `msgpack:"-"`
		}{0, 0}, "\x80", nil},
	})
}

// A zeroer has a method that reports whether it is zero.
type zeroer struct{ N int }

func (z zeroer) IsZero() bool { return z.N < 0 }

type pointerZeroer struct{ N int }

func (z *pointerZeroer) IsZero() bool { return z.N < 0 }

type zeroInterface interface{ IsZero() bool }

// TestOmit tests, for values of every kind, which options omit them.
func TestOmit(t *testing.T) {
	one := 1
	for _, c := range []struct {
		name                string
		value               any
		omitEmpty, omitZero bool
	}{
		{"false", false, true, true},
		{"true", true, false, false},
		{"int 0", 0, true, true},
		{"int 1", 1, false, false},
		{"int8 0", int8(0), true, true},
		{"int8 -1", int8(-1), false, false},
		{"int16 0", int16(0), true, true},
		{"int16 256", int16(256), false, false},
		{"int32 0", int32(0), true, true},
		{"int32 65536", int32(65536), false, false},
		{"int64 0", int64(0), true, true},
		{"int64 2^32", int64(1 << 32), false, false},
		{"uint 0", uint(0), true, true},
		{"uint8 0", uint8(0), true, true},
		{"uint16 256", uint16(256), false, false},
		{"uint32 65536", uint32(65536), false, false},
		{"uint64 2^32", uint64(1 << 32), false, false},
		{"float32 0", float32(0), true, true},
		{"float32 1", float32(1), false, false},
		{"float64 0", 0.0, true, true},
		{"float64 -0", math.Copysign(0, -1), true, true},
		{"float64 1", 1.0, false, false},
		{"NaN", math.NaN(), false, false},
		{"complex64 0", complex64(0), true, true},
		{"complex64 i", complex64(complex(0, 1)), false, false},
		{"complex128 0", complex(0, 0), true, true},
		{"complex128 1", complex(1, 0), false, false},
		{"empty string", "", true, true},
		{"string", "a", false, false},
		{"string of zeros", "\x00", false, false},
		{"nil bytes", []byte(nil), true, true},
		{"empty bytes", []byte{}, true, false},
		{"bytes", []byte{0}, false, false},
		{"byte array of zeros", [2]byte{}, false, true},
		{"byte array", [2]byte{0, 1}, false, false},
		{"empty byte array", [0]byte{}, true, true},
		{"nil slice", []int(nil), true, true},
		{"empty slice", []int{}, true, false},
		{"slice", []int{0}, false, false},
		{"empty array", [0]int{}, true, true},
		{"array of zeros", [2]int{}, false, true},
		{"array", [2]int{0, 1}, false, false},
		{"nil map", map[string]int(nil), true, true},
		{"empty map", map[string]int{}, true, false},
		{"map", map[string]int{"": 0}, false, false},
		{"empty struct", struct{}{}, false, true},
		{"struct of zeros", struct{ A, B int }{}, false, true},
		{"struct", struct{ A, B int }{0, 1}, false, false},
		{"nil pointer", (*int)(nil), true, true},
		{"pointer to zero", new(int), false, false},
		{"pointer to a nil pointer", new(*int), false, false},
		{"pointer", &one, false, false},
		{"zero time", time.Time{}, false, true},
		{"zero time in another zone", time.Time{}.In(time.FixedZone("east", 3600)), false, true},
		{"time of 1970", time.Unix(0, 0), false, false},
		{"nil Raw", msgpack.Raw(nil), true, true},
		{"empty Raw", msgpack.Raw{}, true, false},
		{"Raw", msgpack.Raw{0xc0}, false, false},
		{"zero Ext", msgpack.Ext{}, false, true},
		{"Ext", msgpack.Ext{Data: []byte{}}, false, false},
		{"IsZero returns false for 0", zeroer{0}, false, false},
		{"IsZero returns true", zeroer{-1}, false, true},
		{"IsZero of the pointer returns false for 0", pointerZeroer{0}, false, false},
		{"IsZero of the pointer returns true", pointerZeroer{-1}, false, true},
		{"nil pointer with IsZero", (*zeroer)(nil), true, true},
		{"pointer with IsZero, false", &zeroer{0}, false, false},
		{"pointer with IsZero, true", &zeroer{-1}, false, true},
		{"pointer with IsZero of the pointer, true", &pointerZeroer{-1}, false, true},
		{"text of 0", temperature(0), true, true},
	} {
		typ := reflect.TypeOf(c.value)
		checkOmit(t, c.name, typ, c.value, c.omitEmpty, c.omitZero)
	}
	// The type of a value in an interface differs from the type of the field.
	anys, zeroers := reflect.TypeFor[any](), reflect.TypeFor[zeroInterface]()
	checkOmit(t, "nil interface", anys, nil, true, true)
	checkOmit(t, "interface with 0", anys, 0, false, false)
	checkOmit(t, "interface with a nil pointer", anys, (*int)(nil), false, false)
	checkOmit(t, "interface without IsZero, which is not called", anys, zeroer{-1}, false, false)
	checkOmit(t, "nil interface with IsZero", zeroers, nil, true, true)
	checkOmit(t, "interface with IsZero, which returns false for 0", zeroers, zeroer{0}, false, false)
	checkOmit(t, "interface with IsZero, which returns true", zeroers, zeroer{-1}, false, true)
	checkOmit(t, "interface with IsZero of a nil pointer", zeroers, (*zeroer)(nil), false, true)
	checkOmit(t, "interface with IsZero of a pointer, which returns true", zeroers, &pointerZeroer{-1}, false, true)
}

// checkOmit encodes the value in a field of the given type with every option.
func checkOmit(t *testing.T, name string, typ reflect.Type, value any, omitEmpty, omitZero bool) {
	t.Run(name, func(t *testing.T) {
		for options, omitted := range map[string]bool{
			"": false, ",omitempty": omitEmpty, ",omitzero": omitZero, ",omitempty,omitzero": omitEmpty || omitZero,
			",omitempty,omitzero,required": false,
		} {
			v := reflect.New(reflect.StructOf([]reflect.StructField{
				text("A", ""), {Name: "V", Type: typ, Tag: reflect.StructTag(`msgpack:"` + options + `"`)}, text("Z", ""),
			}))
			if value != nil {
				v.Elem().Field(1).Set(reflect.ValueOf(value))
			}
			got, err := msgpack.Marshal(v.Interface())
			if err != nil {
				t.Fatal(err)
			}
			var there map[string]msgpack.Raw
			if err := msgpack.Unmarshal(got, &there); err != nil {
				t.Fatal(err)
			}
			if _, ok := there["V"]; ok == omitted || len(there) != 3 != omitted {
				t.Errorf("tag %q: is in % x: %v", options, got, ok)
			}
		}
	})
}

// TestOmitRequired requires that a struct with required fields can be decoded again, whatever would omit
// them.
func TestOmitRequired(t *testing.T) {
	type inner struct {
		A int       `msgpack:",required,omitempty"`
		T time.Time `msgpack:",required,omitzero"`
	}
	type behind struct {
		P *int `msgpack:",required"`
		Q int  `msgpack:",omitempty"`
	}
	type outer struct {
		S string  `msgpack:",required"`
		I inner   `msgpack:",inline"`
		B *behind `msgpack:",inline"`
		L []inner
	}
	for _, o := range []msgpack.Options{
		{}, {OmitEmpty: true}, {OmitZero: true}, {OmitEmpty: true, OmitZero: true}, {OmitEmpty: true, Canonical: true},
		{OmitEmpty: true, Compat: msgpack.Compat{Empty: msgpack.EmptyNested}}, {OmitEmpty: true, Compat: msgpack.Compat{NilEmbedded: msgpack.EmbeddedNilPlain}},
	} {
		c, err := msgpack.New(o)
		if err != nil {
			t.Fatal(err)
		}
		data, err := c.Marshal(outer{L: []inner{{}}})
		if err != nil {
			t.Fatal(err)
		}
		var got outer
		if err := c.Unmarshal(data, &got); err != nil || got.B != nil {
			t.Errorf("%+v: % x: %+v, %v", o, data, got, err)
		}
		d, err := msgpack.FormOf(reflect.TypeFor[outer](), c).Describe()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range d.Fields {
			if f.Required && (f.OmitEmpty || f.OmitZero || f.OmitNil || f.Nil != (f.Name == "P")) {
				t.Errorf("%+v: described as %+v", o, f)
			}
		}
	}
}

// TestOmitInEmbedded uses optional fields behind embedded pointers.
func TestOmitInEmbedded(t *testing.T) {
	type inner struct {
		A int `msgpack:",omitempty"`
		B int
	}
	type outer struct {
		In  *inner `msgpack:",inline"`
		Sub inner
		P   *inner `msgpack:",omitempty"`
	}
	checkEncode(t, outer{}, []byte("\x81\xa3Sub\x81\xa1B\x00"))
	checkEncode(t, outer{In: &inner{}}, []byte("\x82\xa1B\x00\xa3Sub\x81\xa1B\x00"))
	checkEncode(t, outer{In: &inner{1, 2}, Sub: inner{3, 4}, P: &inner{}},
		[]byte("\x84\xa1A\x01\xa1B\x02\xa3Sub\x82\xa1A\x03\xa1B\x04\xa1P\x81\xa1B\x00"))
}

// TestInvalidTags uses tags that are invalid on their field. The errors of both
// directions name the type, the field and the reason.
func TestInvalidTags(t *testing.T) {
	type inner struct{ A int }
	for _, c := range []struct {
		name  string
		value any
		path  string
		found string // at the end of the type
	}{
		{"unknown option", struct {
			A int `msgpack:"a,omitemtpy"`
		}{}, "A", `(unknown option "omitemtpy")`},
		{"option of another library", struct {
			A int `msgpack:",string"`
		}{}, "A", `(unknown option "string")`},
		{"empty option", struct {
			A int `msgpack:"a,"`
		}{}, "A", `(empty option in tag "a,")`},
		{"two commas", struct {
			A int `msgpack:"a,,omitempty"`
		}{}, "A", `(empty option in tag "a,,omitempty")`},
		{"space before an option", struct {
			A int `msgpack:"a, omitempty"`
		}{}, "A", `(unknown option " omitempty")`},
		{"as_array on a slice", struct {
			A []inner `msgpack:",as_array"`
		}{}, "A", `(option "as_array" on []msgpack_test.inner, which is not a struct or pointer to struct)`},
		{"as_array on an int", struct {
			A int `msgpack:",as_array"`
		}{}, "A", `(option "as_array" on int, which is not a struct or pointer to struct)`},
		{"as_array on a pointer to a pointer", struct {
			A **inner `msgpack:",as_array"`
		}{}, "A", `(option "as_array" on **msgpack_test.inner, which is not a struct or pointer to struct)`},
		{"inline on a map", struct {
			A map[int]int `msgpack:",inline"`
		}{}, "A", `(option "inline" on map[int]int, which is not a struct or pointer to struct)`},
		{"inline with a name", struct {
			A inner `msgpack:"a,inline"`
		}{}, "A", `(option "inline" on a field with the name "a")`},
		{"inline and omitempty", struct {
			A inner `msgpack:",inline,omitempty"`
		}{}, "A", `(option "omitempty" on a struct whose fields are promoted)`},
		{"omitzero on an embedded struct", struct {
			Exported `msgpack:",omitzero"`
		}{}, "Exported", `(option "omitzero" on a struct whose fields are promoted)`},
		{"omitempty on a blank field", struct {
			_ struct{} `msgpack:",omitempty"`
			A int
		}{}, "_", `(option "omitempty" on a blank field)`},
		{"name on a blank field", struct {
			_ struct{} `msgpack:"a"`
			A int
		}{}, "_", `(name "a" on a blank field)`},
		{"as_array on a blank int", struct {
			_ int `msgpack:",as_array"`
			A int
		}{}, "_", `(option "as_array" on a blank field that is not a struct{})`},
		{"option on an unexported field", struct {
			a int `msgpack:",omitempty"`
			B int
		}{}, "a", `(tag ",omitempty" on an unexported field)`},
		{"name of an unexported field", struct {
			a int `msgpack:"a"`
			B int
		}{}, "a", `(tag "a" on an unexported field)`},
		{"unknown option on a blank field", struct {
			_ struct{} `msgpack:",as_array,oops"`
			A int
		}{}, "_", `(unknown option "oops")`},
		{"two tags with one name", struct {
			A int `msgpack:"n"`
			B int `msgpack:"n"`
		}{}, "B", `(name "n" is also the name of field A)`},
		{"inline without exported fields", struct {
			A time.Time `msgpack:",inline"`
		}{}, "A", `(option "inline" on time.Time, which has only unexported fields)`},
		{"in an inlined struct", struct {
			In struct {
				A int `msgpack:",oops"`
			} `msgpack:",inline"`
		}{}, "In.A", `(unknown option "oops")`},
	} {
		t.Run(c.name, func(t *testing.T) {
			typ := reflect.TypeOf(c.value)
			_, err := msgpack.Marshal(c.value)
			if e := checkError(t, err, msgpack.ErrUnsupported); e != nil && (e.Path != c.path || e.Found != typ.String()+" "+c.found) {
				t.Errorf("got  %s: %s\nwant %s: %s", e.Path, e.Found, c.path, typ.String()+" "+c.found)
			}
			err = msgpack.Unmarshal([]byte{0x80}, reflect.New(typ).Interface())
			if e := checkError(t, err, msgpack.ErrUnsupported); e != nil && (e.Path != c.path || e.Want != typ.String()+" "+c.found) {
				t.Errorf("got  %s: %s\nwant %s: %s", e.Path, e.Want, c.path, typ.String()+" "+c.found)
			}
			// The same inside another type, with the path from there.
			_, err = msgpack.Marshal(reflect.Append(reflect.New(reflect.SliceOf(typ)).Elem(), reflect.ValueOf(c.value)).Interface())
			if e := checkError(t, err, msgpack.ErrUnsupported); e != nil && e.Path != "[0]."+c.path {
				t.Errorf("got path %s, want [0].%s", e.Path, c.path)
			}
		})
	}
}
