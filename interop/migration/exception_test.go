package migration

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/ugorji/go/codec"
)

// A selfEmbedder embeds a struct with a field of its own name.
type (
	SelfNamed    struct{ SelfNamed int }
	selfEmbedder struct{ SelfNamed }
)

// decodingExceptions has a program for each exception that the documentation of the
// profiles names for decoding.
var decodingExceptions = []struct {
	profiles string // beginnings of names
	about    string
	data     string
	target   func() any
	theirs   string // with %+v; empty: an error
	ours     string // the same
}{
	{"Vmihailenco", "nil for a slice of strings", "\xc0", func() any { return &[]string{"old"} }, "[old]", "[]"},
	{"Vmihailenco", "nil for a type with UnmarshalMsgpack", "\xc0", func() any { return &marshaledList{7} }, "[]", "[7]"},
	{"Vmihailenco", "elements of a slice", "\x91\x81\xa1X\x05", func() any { return &[]point{{7, 7}} }, "[{X:5 Y:7}]", "[{X:5 Y:0}]"},
	{"Vmihailenco", "elements of an array", "\x91\x81\xa1X\x05", func() any { return &[1]point{{7, 7}} }, "[{X:5 Y:7}]", "[{X:5 Y:0}]"},
	{"Vmihailenco", "a field of an embedded nil pointer", "\x81\xa2ID\xc0", func() any { return &pointerEmbedder{} }, "&{ID:0}", "<nil>"},
	{"Vmihailenco", "a field with the name of its embedded struct", "\x81\xa9SelfNamed\x05", func() any { return &selfEmbedder{} }, "", "{SelfNamed:{SelfNamed:5}}"},
	{"Vmihailenco", "an interface that holds a value", "\x81\xa1V\x05", func() any { return &holder{7} }, "", "{V:5}"},
	{"Vmihailenco$", "a map with keys that are not strings in any", "\x81\x05\xc3", func() any { return new(any) }, "", "map[5:true]"},
	{"VmihailencoV4", "a map with keys that are not strings in any", "\x81\x05\xc3", func() any { return new(any) }, "map[int8]bool", "map[interface {}]interface {}"},
	{"VmihailencoV4", "a time in any", "\xd6\xff\x00\x00\x00\x01", func() any { return new(any) }, "*time.Time", "time.Time"},
	{"Shamaton", "nil for a slice", "\xc0", func() any { return &[]int{7} }, "[7]", "[]"},
	{"Shamaton", "nil for a map", "\xc0", func() any { return &map[string]int{"a": 7} }, "map[a:7]", "map[]"},
	{"Shamaton", "nil for any", "\xc0", func() any { v := any(7); return &v }, "7", "<nil>"},
	{"Shamaton", "a complex number in any", "\xd7\x80\x3f\x80\x00\x00\x00\x00\x00\x00", func() any { return new(any) }, "", "(1+0i)"},
	{"Shamaton", "elements of an array", "\x91\x80", func() any { return &[1]map[string]any{{"a": 7}} }, "[map[a:7]]", "[map[]]"},
	{"Shamaton", "a float with a fraction in an integer", "\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00", func() any { return new(int) }, "1", ""},
	{"Shamaton", "an array that is shorter than a Go array", "\x91\x01", func() any { return new([2]int) }, "[1 0]", ""},
	{"ShamatonV2", "an integer above the range", "\xcd\x01\x02", func() any { return new(uint8) }, "2", ""},
	{"ShamatonV2", "an integer below the range", "\xff", func() any { return new(uint64) }, "18446744073709551615", ""},
	{"Ugorji Hashicorp", "an integer above the range of int64", "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", func() any { return new(int64) }, "-1", ""},
	{"Ugorji Hashicorp", "an integer above the range of int64 in a float", "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", func() any { return new(float64) }, "-1", "1.8446744073709552e+19"},
	{"Ugorji Hashicorp", "an integer in a bool", "\x01", func() any { return new(bool) }, "true", ""},
	{"Ugorji", "an array in a string", "\x92ab", func() any { return new(string) }, "ab", ""},
	{"Ugorji", "an array in a key", "\x81\x91a\x01", func() any { return new(map[string]int) }, "map[a:1]", ""},
	{"Ugorji Hashicorp", "a map in a slice", "\x81\x01\x02", func() any { return new([]int) }, "[1 2]", ""},
	{"Ugorji Hashicorp", "a shorter array in a Go array", "\x91\x01", func() any { return new([2]int) }, "[1 0]", ""},
	{"Ugorji Hashicorp", "a longer array in a Go array", "\x93\x01\x02\x03", func() any { return new([2]int) }, "[1 2]", ""},
	{"Ugorji Hashicorp", "elements of a slice", "\x91\x81\xa1X\x05", func() any { return &[]point{{7, 7}} }, "[{X:5 Y:7}]", "[{X:5 Y:0}]"},
	{"Ugorji", "elements of a map", "\x81\xa1a\x81\xa1X\x05", func() any { return &map[string]*point{"a": {7, 7}} }, "map[a:5 7]", "map[a:5 0]"},
	{"Ugorji Hashicorp", "an interface that holds a value", "\x81\xa1V\x05", func() any { return &holder{7} }, "{V:5}", "{V:5}"},
	{"Hashicorp", "a map whose key is a nil pointer", "\x81\xc0\x05", func() any { return &map[*int]int{} }, "", "map[<nil>:5"},
	{"Ugorji", "nil for a Raw", "\xc0", func() any { return new(codec.Raw) }, "[192]", "[]"},
	{"Ugorji", "nil for a pointer", "\x81\xa1P\xc0", func() any { return &struct{ P *[]int }{&[]int{7}} }, "&[]", "{P:<nil>}"},
}

// TestExceptions decodes the same message into the same variable with both sides, and the
// results are different.
func TestExceptions(t *testing.T) {
	for _, c := range decodingExceptions {
		for _, p := range profiles() {
			if !named(p.name, c.profiles) {
				continue
			}
			_, ours := profileOf(t, p.name)
			data := []byte(c.data)
			theirs, got := c.target(), c.target()
			_, err := catch(func() ([]byte, error) { return nil, p.unmarshal(bytes.Clone(data), theirs) })
			if (err != nil) != (c.theirs == "") || err == nil && !strings.Contains(text(theirs), c.theirs) {
				t.Errorf("%s: %s: the library has %s, %v, want %s", p.name, c.about, text(theirs), err, c.theirs)
			}
			ourErr := ours.Unmarshal(data, got)
			if (ourErr != nil) != (c.ours == "") || !strings.Contains(text(got), c.ours) {
				t.Errorf("%s: %s: octet has %s, %v, want %s", p.name, c.about, text(got), ourErr, c.ours)
			}
			if err == nil && ourErr == nil && randtype.Diff(reflect.ValueOf(theirs).Elem().Interface(), reflect.ValueOf(got).Elem().Interface()) == "" {
				t.Errorf("%s: %s: no exception", p.name, c.about)
			}
		}
	}
}

// named reports whether a name begins with one of the words, or is one that ends in $.
func named(name, words string) bool {
	for word := range strings.FieldsSeq(words) {
		if exact, ok := strings.CutSuffix(word, "$"); ok && name == exact || !ok && strings.HasPrefix(name, word) {
			return true
		}
	}
	return false
}

// text describes what a pointer points to, with the type of what an interface holds.
func text(p any) string {
	v := reflect.ValueOf(p).Elem()
	s := sprint(v)
	if v.Kind() == reflect.Interface && !v.IsNil() {
		s += " " + v.Elem().Type().String()
	}
	return s
}

// sprint formats a value with what the pointers in it point to.
func sprint(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Map:
		var b strings.Builder
		b.WriteString("map[")
		for it := v.MapRange(); it.Next(); {
			e := it.Value()
			if e.Kind() == reflect.Pointer {
				b.WriteString(fmt.Sprint(it.Key()) + ":" + strings.Trim(fmt.Sprint(e.Elem()), "{}"))
				continue
			}
			b.WriteString(fmt.Sprint(it.Key()) + ":" + fmt.Sprintf("%+v", e))
		}
		return b.String() + "]"
	case reflect.Struct:
		if f := v.Field(0); f.Kind() == reflect.Pointer && !f.IsNil() {
			return fmt.Sprintf("&%+v", f.Elem())
		}
	}
	return fmt.Sprintf("%+v", v)
}
