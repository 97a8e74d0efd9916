package migration

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	hooks "github.com/octet-go/octet/adapters/msgp"
	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/profile"
	"github.com/tinylib/msgp/msgp"
)

// generatedProfiles returns pointers to the types for which msgp generates code without
// directives that change their form.
func generatedProfiles() []any {
	return []any{
		new(generatedAll), new(generatedNumbers), new(generatedComplex), new(generatedTime), new(generatedAny), new(generatedOptional),
		new(generatedTagged), new(generatedFallback), new(generatedEmbedder), new(generatedPoints), new(generatedTree), new(generatedPointer),
		new(generatedBytes), new(generatedInts), new(generatedMap), new(generatedEmpty), new(generatedNumber),
	}
}

// TestProfileMsgp compares the profile with generated code for random values. Octet
// ignores the generated methods.
func TestProfileMsgp(t *testing.T) {
	codec, err := msgpack.New(profile.Msgp())
	if err != nil {
		t.Fatal(err)
	}
	values := uint64(1500)
	if testing.Short() {
		values = 100
	}
	values, first := randtype.Count(t, values), randtype.First(t, 0)
	for _, target := range generatedProfiles() {
		typ := reflect.TypeOf(target).Elem()
		count := uint64(0)
		for seed := first; count < values && seed < first+2*values; seed++ {
			v := randtype.FromSeed(seed).Value(typ)
			if !msgpValue(v) {
				continue
			}
			count++
			want, err := v.Addr().Interface().(msgp.Marshaler).MarshalMsg(nil)
			if err != nil {
				t.Fatalf("%v, seed %d: %v", typ, seed, err)
			}
			got, err := codec.Marshal(v.Addr().Interface())
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%v of seed %d\ngot  % .300x, %v\nwant % .300x", typ, seed, got, err, want)
			}
			used := randtype.FromSeed(seed + 1<<40).Value(typ)
			for name, target := range map[string]reflect.Value{"new": reflect.New(typ).Elem(), "used": used} {
				ours, theirs := copyOf(target).Addr(), copyOf(target).Addr()
				if err := codec.Unmarshal(want, ours.Interface()); err != nil {
					t.Fatalf("%v, seed %d, %s: %v", typ, seed, name, err)
				}
				if _, err := theirs.Interface().(msgp.Unmarshaler).UnmarshalMsg(got); err != nil {
					if name == "used" && hasInterface(typ) {
						continue // the library decodes into what an interface holds
					}
					t.Fatalf("%v, seed %d, %s: %v", typ, seed, name, err)
				}
				if hasInterface(typ) && (name == "used" || bytes.ContainsAny(want, "\xc7\xd7\xd8")) {
					continue // times and complex numbers in an interface have other types
				}
				withoutNils(ours.Elem())
				withoutNils(theirs.Elem())
				if diff := randtype.Diff(theirs.Elem().Interface(), ours.Elem().Interface()); diff != "" {
					t.Fatalf("%v, seed %d, %s: %s", typ, seed, name, diff)
				}
			}
		}
		if count < values/2 {
			t.Errorf("%v: only %d values", typ, count)
		}
	}
}

// withoutMethods has the fields of generatedByHand, and no generated methods.
type withoutMethods generatedByHand

// TestProfileMsgpByHand compares random values of fields with methods that are written by hand. The
// profile calls these methods, and Octet encodes the struct around them, as after a migration in
// which the generated code was deleted.
func TestProfileMsgpByHand(t *testing.T) {
	for name, coder := range map[string]msgpack.TypeCoder{"Hooks": hooks.Hooks(), "Marshalers": hooks.Marshalers()} {
		o := profile.Msgp()
		o.Types = append(o.Types, coder)
		codec, err := msgpack.New(o)
		if err != nil {
			t.Fatal(err)
		}
		values := uint64(4000)
		if testing.Short() {
			values = 300
		}
		for seed := range randtype.Seeds(t, values) {
			v := randtype.FromSeed(seed).Value(reflect.TypeFor[generatedByHand]())
			if !msgpValue(v) {
				t.Fatal("a value that msgp does not encode")
			}
			value := v.Addr().Interface().(*generatedByHand)
			want, err := value.MarshalMsg(nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := codec.Marshal((*withoutMethods)(value))
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s, seed %d\ngot  % .300x, %v\nwant % .300x", name, seed, got, err, want)
			}
			used := randtype.FromSeed(seed + 1<<40).Value(v.Type())
			for target, start := range map[string]reflect.Value{"new": reflect.New(v.Type()).Elem(), "used": used} {
				ours, theirs := copyOf(start).Addr().Interface().(*generatedByHand), copyOf(start).Addr().Interface().(*generatedByHand)
				if err := codec.Unmarshal(want, (*withoutMethods)(ours)); err != nil {
					t.Fatalf("%s, seed %d, %s: %v", name, seed, target, err)
				}
				if _, err := theirs.UnmarshalMsg(got); err != nil {
					t.Fatalf("%s, seed %d, %s: %v", name, seed, target, err)
				}
				withoutNils(reflect.ValueOf(ours).Elem())
				withoutNils(reflect.ValueOf(theirs).Elem())
				if diff := randtype.Diff(*theirs, *ours); diff != "" {
					t.Fatalf("%s, seed %d, %s: %s", name, seed, target, diff)
				}
			}
		}
	}
}

// hasInterface reports whether a struct has a field of an interface type.
func hasInterface(t reflect.Type) bool {
	for f := range fields(t) {
		if f.Type.Kind() == reflect.Interface {
			return true
		}
	}
	return false
}

// numbers are the values of type json.Number.
var numbers = []json.Number{"", "0", "127", "128", "-32", "-33", "40000", "-70000", "3000000000", "9223372036854775807", "9223372036854775808", "1.5", "-0.1", "1e100", "3.0"}

// msgpValue leaves one entry in each map, makes a number of each json.Number, and reports whether
// msgp encodes all values in interfaces.
func msgpValue(v reflect.Value) bool {
	if v.Type() == reflect.TypeFor[json.Number]() {
		v.SetString(string(numbers[v.Len()%len(numbers)]))
	}
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return true
		}
		held := reflect.New(v.Elem().Type()).Elem()
		held.Set(v.Elem())
		switch held.Interface().(type) {
		case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float32, float64, complex64, complex128, string, []byte, time.Time,
			[]any, map[string]any, map[string]string:
		default:
			return false
		}
		// The library writes nil slices in interfaces as nil.
		if (held.Kind() == reflect.Slice || held.Kind() == reflect.Map) && held.IsNil() {
			return false
		}
		ok := msgpValue(held)
		v.Set(held)
		return ok
	case reflect.Pointer:
		return v.IsNil() || msgpValue(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if !msgpValue(v.Index(i)) {
				return false
			}
		}
	case reflect.Map:
		for i, key := range v.MapKeys() {
			e := reflect.New(v.Type().Elem()).Elem()
			if i > 0 {
				v.SetMapIndex(key, reflect.Value{})
				continue
			}
			e.Set(v.MapIndex(key))
			if !msgpValue(e) {
				return false
			}
			v.SetMapIndex(key, e)
		}
	case reflect.Struct:
		if at, ok := v.Interface().(time.Time); ok {
			if at.IsZero() {
				v.SetZero()
			}
			return true
		}
		for i := range v.NumField() {
			if !msgpValue(v.Field(i)) {
				return false
			}
		}
	}
	return true
}

// msgpExceptions has a program for each exception that the documentation of the profile
// names.
var msgpExceptions = []struct {
	about        string
	value        msgp.Marshaler
	theirs, ours string // hexadecimal
}{
	{"allownil", &generatedAllow{}, "81a173c0", "81a17390"},
	{"flatten", &generatedFlat{GeneratedBase{1}, "n"}, "82a2494401a44e616d65a16e", "82ad47656e65726174656442617365" + "81a2494401a44e616d65a16e"},
	{"elements of type uint8", &generatedOctetSlice{[]byte{5}, [2]byte{6, 7}}, "82a1569105a141920607", "82a156c40105a141c4020607"},
	{"a map with integers as keys", &generatedIntKeys{map[int]int{5: 6}, 7}, "81a14e07", "82a14d810506a14e07"},
	{"an embedded field of an unexported type", &generatedHidden{N: 7}, "82ad67656e657261746564496e747381a15690a14e07", "81a14e07"},
	{"a struct of another file", &generatedElsewhere{N: 1}, "82a15481a156c70cff00000000fffffff1886e0900a14e01", "81a14e01"},
}

// TestExceptionsMsgp encodes the values of msgpExceptions with both sides, which write other
// bytes.
func TestExceptionsMsgp(t *testing.T) {
	codec, err := msgpack.New(profile.Msgp())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range msgpExceptions {
		theirs, err := c.value.MarshalMsg(nil)
		if err != nil || hex.EncodeToString(theirs) != c.theirs {
			t.Errorf("%s: generated code has %x, %v, want %s", c.about, theirs, err, c.theirs)
		}
		if ours, err := codec.Marshal(c.value); err != nil || hex.EncodeToString(ours) != c.ours || c.ours == c.theirs {
			t.Errorf("%s: octet has %x, %v, want %s", c.about, ours, err, c.ours)
		}
	}
}
