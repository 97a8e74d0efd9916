package msgpack_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

type aliased struct {
	Name string `msgpack:"name,alias=old,alias=older,required"`
	Age  int    `msgpack:"age,omitempty,alias=a very long name that does not fit into the words of a key"`
	Next *aliased
}

// TestAliases decodes fields by their aliases, which are never written.
func TestAliases(t *testing.T) {
	long := "a very long name that does not fit into the words of a key"
	for _, message := range []map[string]any{
		{"name": "x", "age": 3},
		{"old": "x", "age": 3},
		{"older": "x", long: 3},
		{"older": "x", long: 3, "unknown": []int{1, 2}},
	} {
		var got aliased
		if err := msgpack.Unmarshal(marshal(t, message), &got); err != nil || got.Name != "x" || got.Age != 3 {
			t.Errorf("%v: got %+v, %v", message, got, err)
		}
	}
	// The last value wins, whatever name it has.
	data := append([]byte{0x82, 0xa4}, "name\xa1x\xa3old\xa1y"...)
	var got aliased
	if err := msgpack.Unmarshal(data, &got); err != nil || got.Name != "y" {
		t.Errorf("got %+v, %v, want the name y", got, err)
	}
	if err := msgpack.Unmarshal([]byte{0x81, 0xa3, 'a', 'g', 'e', 1}, &got); !errors.Is(err, msgpack.ErrMissingField) {
		t.Errorf("no name and no alias: got %v", err)
	}
	if b := marshal(t, aliased{Name: "x"}); strings.Contains(string(b), "old") {
		t.Errorf("an alias was written: %q", b)
	}
	// An array has no keys, so its length is that of the fields.
	exact, err := msgpack.New(msgpack.Options{ExactArrays: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := exact.Unmarshal([]byte{0x93, 0xa1, 'z', 1, 0xc0}, &got); err != nil || got.Name != "z" {
		t.Errorf("array form: got %+v, %v", got, err)
	}
}

// TestAliasInInlineMap refuses an alias among the other keys, because the decoder would put
// its value into the field.
func TestAliasInInlineMap(t *testing.T) {
	v := struct {
		A    int            `msgpack:"a,alias=b,alias=c"`
		More map[string]int `msgpack:",inline"`
	}{1, map[string]int{"d": 2}}
	if _, err := msgpack.Marshal(v); err != nil {
		t.Error(err)
	}
	for _, key := range []string{"a", "b", "c"} {
		v.More = map[string]int{key: 2}
		b, err := msgpack.Marshal(v)
		if e := checkError(t, err, msgpack.ErrDuplicateKey); e != nil && e.Path != "More[\""+key+"\"]" {
			t.Errorf("%s: % x, path %s", key, b, e.Path)
		}
	}
}

// TestAliasErrors requires errors for aliases and integers as keys that have no clear
// meaning.
func TestAliasErrors(t *testing.T) {
	type base struct {
		ID int `msgpack:"id"`
	}
	for name, v := range map[string]any{
		"alias of another name": struct {
			A int `msgpack:",alias=B"`
			B int
		}{},
		"alias twice": struct {
			A int `msgpack:",alias=x"`
			B int `msgpack:",alias=x"`
		}{},
		"its own name": struct {
			A int `msgpack:"a,alias=a"`
		}{},
		"name of a promoted field": struct {
			base
			A int `msgpack:",alias=id"`
		}{},
		"empty alias": struct {
			A int `msgpack:",alias="`
		}{},
		"alias without a name": struct {
			A int `msgpack:",alias"`
		}{},
		"alias of an embedded struct": struct {
			base `msgpack:",alias=x"`
		}{},
		"not an integer": struct {
			A int `msgpack:"a,keyasint"`
		}{},
		"no name": struct {
			A int `msgpack:",keyasint"`
		}{},
		"too large": struct {
			A int `msgpack:"18446744073709551616,keyasint"`
		}{},
		"alias is not an integer": struct {
			A int `msgpack:"1,keyasint,alias=x"`
		}{},
		"mixed": struct {
			A int `msgpack:"1,keyasint"`
			B int
		}{},
		"the same integer": struct {
			A int `msgpack:"1,keyasint"`
			B int `msgpack:"01,keyasint"`
		}{},
		"beside an inline map": struct {
			A int            `msgpack:"1,keyasint"`
			B map[string]int `msgpack:",inline"`
		}{},
	} {
		if b, err := msgpack.Marshal(v); !errors.Is(err, msgpack.ErrUnsupported) {
			t.Errorf("%s: got % x, %v", name, b, err)
		}
	}
}

type integerKeyed struct {
	Name  string         `msgpack:"1,keyasint"`
	Age   int            `msgpack:"-2,keyasint,omitempty"`
	Deep  *integerKeyed  `msgpack:"300,keyasint,omitempty"`
	Large map[string]int `msgpack:"18446744073709551615,keyasint,alias=7,omitempty"`
}

func (integerKeyed) String() string { return "" }

// TestIntegerKeys encodes structs with integers as keys, and decodes keys of every
// width.
func TestIntegerKeys(t *testing.T) {
	v := integerKeyed{"x", 5, &integerKeyed{Name: "y"}, map[string]int{"a": 1}}
	want := "84" + "01a178" + "fe05" + "cd012c" + "8101a179" + "cfffffffffffffffff" + "81a16101"
	b := marshal(t, v)
	if got := fmt.Sprintf("%x", b); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var back integerKeyed
	if err := msgpack.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("got %+v, %v", back, err)
	}
	// Every width, in an order that is not declared, several times, so that the order
	// is learned.
	keys := func(v int64) [][]byte {
		return [][]byte{wire.AppendInt(nil, v), {0xd0, byte(v)}, {0xd1, byte(v >> 8), byte(v)},
			{0xd2, byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}, append([]byte{0xd3}, fmt.Append(nil)...)}
	}
	for range 3 {
		for _, one := range append(keys(1)[:4], []byte{0xcc, 1}, []byte{0xcd, 0, 1}, []byte{0xce, 0, 0, 0, 1}, []byte{0xcf, 0, 0, 0, 0, 0, 0, 0, 1}, []byte{0xd3, 0, 0, 0, 0, 0, 0, 0, 1}) {
			for _, two := range keys(-2)[:4] {
				data := []byte{0x85}
				data = append(append(data, two...), 9)
				data = append(data, "\xa11\xa1n"...) // the name 1 is not the number 1
				data = append(append(data, one...), "\xa1z"...)
				data = append(data, 0x07, 0x81, 0xa1, 'b', 2)
				data = append(data, 0x63, 0xc0) // unknown
				var got integerKeyed
				want := integerKeyed{Name: "z", Age: 9, Large: map[string]int{"b": 2}}
				if err := msgpack.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("% x: got %+v, %v", data, got, err)
				}
			}
		}
	}
	for n := range b {
		if err := msgpack.Unmarshal(b[:n], &back); !errors.Is(err, msgpack.ErrTruncated) {
			t.Errorf("% x: got %v", b[:n], err)
		}
	}
	// A struct with names does not take numbers.
	var named struct {
		A int `msgpack:"1"`
	}
	if err := msgpack.Unmarshal([]byte{0x81, 1, 5}, &named); err != nil || named.A != 0 {
		t.Errorf("got %+v, %v", named, err)
	}
	canonical, err := msgpack.New(msgpack.Options{Canonical: true})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := canonical.Marshal(v); err != nil || !strings.HasPrefix(fmt.Sprintf("%x", got), "84fe05"+"01a178"+"cd012c") {
		t.Errorf("canonical: got %x, %v", got, err)
	}
	strict, err := msgpack.New(msgpack.Options{RejectUnknown: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := strict.Unmarshal([]byte{0x81, 0x05, 0x01}, &back); !errors.Is(err, msgpack.ErrUnknownField) || !strings.Contains(err.Error(), "5") {
		t.Errorf("unknown number: got %v", err)
	}
}

// TestIntegerKeysInUnions requires an error for a variant whose keys are integers,
// because the key of its tag is a name.
func TestIntegerKeysInUnions(t *testing.T) {
	_, err := msgpack.New(msgpack.Options{Types: []msgpack.TypeCoder{msgpack.Union[fmt.Stringer]("kind", msgpack.VariantOf[integerKeyed]("n"))}})
	if !errors.Is(err, msgpack.ErrUnsupported) && !errors.Is(err, msgpack.ErrOptions) {
		t.Errorf("got %v", err)
	}
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	b, err := msgpack.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
