package migration

import (
	"bytes"
	"encoding"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	hashicorp "github.com/hashicorp/go-msgpack/v2/codec"
	ugorjihooks "github.com/octet-go/octet/adapters/ugorji"
	vmihailencohooks "github.com/octet-go/octet/adapters/vmihailenco"
	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/profile"
	shamaton2 "github.com/shamaton/msgpack/v2"
	shamaton "github.com/shamaton/msgpack/v3"
	"github.com/ugorji/go/codec"
	vmihailencov4 "github.com/vmihailenco/msgpack/v4"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

// A profiled has Options of package profile and the library whose bytes it writes.
type profiled struct {
	name      string
	config    msgpack.Options
	marshal   func(any) ([]byte, error)
	unmarshal func([]byte, any) error
	differs   func(reflect.Type) bool // types that the documentation of the profile excepts
	decoded   map[disagreement]int    // counts of the oracle
}

func profiles() []profiled {
	byTag := func(c msgpack.Options) msgpack.Options { // the random types have tags with this key
		c.TagKeys = nil
		return c
	}
	old := new(codec.MsgpackHandle)
	old.TypeInfos = codec.NewTypeInfos([]string{"msgpack"})
	of := new(hashicorp.MsgpackHandle)
	of.TypeInfos = hashicorp.NewTypeInfos([]string{"msgpack"})
	return []profiled{
		{"Vmihailenco", withHooks(profile.Vmihailenco(), vmihailencohooks.Hooks()), vmihailenco.Marshal, vmihailenco.Unmarshal, isComplex, nil},
		{"VmihailencoV4", profile.VmihailencoV4(), vmihailencov4.Marshal, vmihailencov4.Unmarshal, isComplex, nil},
		{"Shamaton", profile.Shamaton(), shamaton.Marshal, shamaton.Unmarshal, isNamedBytes, nil},
		{"ShamatonArray", profile.ShamatonArray(), shamaton.MarshalAsArray, shamaton.UnmarshalAsArray, isNamedBytes, nil},
		{"ShamatonV2", profile.ShamatonV2(), shamaton2.Marshal, shamaton2.Unmarshal, isNamedBytes, nil},
		{"ShamatonV2Array", profile.ShamatonV2Array(), shamaton2.MarshalAsArray, shamaton2.UnmarshalAsArray, isNamedBytes, nil},
		{"Ugorji", withHooks(byTag(profile.Ugorji()), ugorjihooks.HooksWith(old)), func(v any) (b []byte, err error) {
			err = codec.NewEncoderBytes(&b, old).Encode(v)
			return b, err
		}, func(b []byte, v any) error { return codec.NewDecoderBytes(b, old).Decode(v) }, ugorjiDiffers, nil},
		{"UgorjiExt", withHooks(byTag(profile.UgorjiExt()), ugorjihooks.HooksWith(ugorjiByTag)), ugorjiMarshalByTag, ugorjiUnmarshalByTag, ugorjiDiffers, nil},
		{"Hashicorp", byTag(profile.Hashicorp()), func(v any) (b []byte, err error) {
			if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
				return []byte{0xc0}, nil // the library panics
			}
			err = hashicorp.NewEncoderBytes(&b, of).Encode(v)
			return b, err
		}, func(b []byte, v any) error { return hashicorp.NewDecoderBytes(b, of).Decode(v) }, ugorjiDiffers, nil},
	}
}

func isComplex(t reflect.Type) bool {
	return t.Kind() == reflect.Complex64 || t.Kind() == reflect.Complex128
}

// isNamedBytes reports whether t is a slice or array of a byte type with a name.
func isNamedBytes(t reflect.Type) bool {
	return (t.Kind() == reflect.Slice || t.Kind() == reflect.Array) && t.Elem().Kind() == reflect.Uint8 && t.Elem() != reflect.TypeFor[byte]()
}

func ugorjiDiffers(t reflect.Type) bool {
	// The library cannot encode an array or struct that consists of one map or pointer.
	whole := t
	switch t.Kind() {
	case reflect.Array:
		t = t.Elem()
	case reflect.Struct:
		for f := range fields(whole) {
			if f.Type.Size() == whole.Size() { // the others have no size
				t = f.Type
			}
		}
	}
	return isComplex(t) || isNamedBytes(t) || t != whole && (t.Kind() == reflect.Map || t.Kind() == reflect.Pointer)
}

// Types that reflection cannot create. They have what the profiles treat specially:
// methods, embedded structs and omitempty.
type (
	profileMethods struct {
		Text   celsius
		Binary octave
		Both   scale
		Ptr    *celsius
		List   []octave
		ByText map[celsius]int8
	}
	profileEmbedding struct {
		First int8
		Base
		Name string
		ProfileDeep
		Last []string
	}
	ProfileDeep struct {
		ProfileDeeper
		Own uint16
	}
	ProfileDeeper struct{ Deep string }
	profileNamed  struct {
		Base         `msgpack:"b"`
		*ProfileDeep `msgpack:"d,omitempty"`
		Name         string
		profileText
		ProfileDeeper `msgpack:"e,omitempty"`
	}
	profileText     struct{ Text string }
	profilePointers struct {
		*Base
		Name string
	}
	profileOmitting struct {
		I  int            `msgpack:"i,omitempty"`
		U  uint8          `msgpack:"u,omitempty"`
		S  string         `msgpack:"s,omitempty"`
		B  bool           `msgpack:"b,omitempty"`
		L  []int          `msgpack:"l,omitempty"`
		M  map[string]int `msgpack:"m,omitempty"`
		P  *int           `msgpack:"p,omitempty"`
		T  time.Time      `msgpack:"t,omitempty"`
		D  time.Duration  `msgpack:"d,omitempty"`
		By []byte         `msgpack:"by,omitempty"`
		St point          `msgpack:"st,omitempty"`
		In struct {
			A int    `msgpack:"a,omitempty"`
			B string `msgpack:"b,omitempty"`
		} `msgpack:"in,omitempty"`
		V any `msgpack:"v,omitempty"`
		A int
	}
)

var profileLeaves = []randtype.Leaf{
	leaf[profileMethods](), leaf[profileEmbedding](), leaf[profileNamed](), leaf[profilePointers](), leaf[profileOmitting](), leaf[point](), leaf[myInt](), leaf[holder](),
}

// leaf returns a Leaf whose values are random in all fields, and zero in some.
func leaf[T any]() randtype.Leaf {
	return randtype.LeafOf(func(r *randtype.Rand) (v T) {
		random := randtype.FromSeed(r.Bits()).Value(reflect.TypeFor[T]())
		if random.Kind() == reflect.Struct {
			for i := range random.NumField() {
				if r.Below(3) == 0 && random.Field(i).CanSet() {
					random.Field(i).SetZero()
				}
			}
		}
		if m, ok := random.Addr().Interface().(*profileMethods); ok { // one digit, which their methods need
			m.Text, m.Binary, m.Both = m.Text&7, m.Binary&7, m.Both&7
			m.Ptr, m.List, m.ByText = new(celsius(3)), []octave{1, 2}, map[celsius]int8{5: 1}
		}
		return random.Interface().(T)
	})
}

// supports reports whether the library and the profile encode the type in the same
// way, according to the documentation of the profile.
func (p profiled) supports(t reflect.Type) bool {
	if t == reflect.TypeFor[time.Time]() || t == reflect.TypeFor[celsius]() || t == reflect.TypeFor[octave]() || t == reflect.TypeFor[scale]() {
		return true
	}
	if method := hookOf(t); method != "" {
		return p.calls(method)
	}
	switch t {
	case reflect.TypeFor[hiddenEmbedder](), reflect.TypeFor[textList](), reflect.TypeFor[binaryList](), reflect.TypeFor[textMap](), reflect.TypeFor[ptrList](), reflect.TypeFor[net.IP]():
		return true
	case reflect.TypeFor[netip.Addr]():
		return !strings.HasPrefix(p.name, "Shamaton")
	}
	// Whether the library calls the methods of a nil value that a pointer points to depends
	// on which of the types it has seen first.
	if k := t.Kind(); k == reflect.Pointer && strings.HasPrefix(p.name, "Vmihailenco") && (t.Elem().Kind() == reflect.Slice || t.Elem().Kind() == reflect.Map) && t.NumMethod() > 0 {
		return false
	}
	if p.differs(t) {
		return false
	}
	if strings.Contains(t.PkgPath(), "randtype") {
		switch t.Name() {
		case "Octets", "Tree", "Celsius", "Level":
			return true
		case "Forest", "Dictionary": // ugorji/go/codec overflows the stack
			return !p.isOld()
		}
		return false // tags or methods that only Octet knows
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return p.supports(t.Elem())
	case reflect.Map:
		return !(p.name == "Hashicorp" && t.Key().Kind() == reflect.Pointer) && p.supports(t.Key()) && p.supports(t.Elem())
	case reflect.Struct:
		if omits, embeds := embedsPointers(t); omits && embeds && strings.HasPrefix(p.name, "Vmihailenco") {
			return false // an exception of the profile
		}
		return p.supportsFields(t, map[string]bool{})
	}
	return true
}

// embedsPointers reports whether a field of a struct, or of the structs embedded in it, has
// the option omitempty, and whether one of them is an embedded pointer.
func embedsPointers(t reflect.Type) (omits, embeds bool) {
	for f := range fields(t) {
		omits = omits || strings.Contains(f.Tag.Get("msgpack"), ",omitempty")
		embedded := f.Type
		if f.Anonymous && f.Type.Kind() == reflect.Pointer {
			embeds, embedded = true, f.Type.Elem()
		}
		if f.Anonymous && embedded.Kind() == reflect.Struct && embedded != t {
			o, e := embedsPointers(embedded)
			omits, embeds = omits || o, embeds || e
		}
	}
	return omits, embeds
}

// isOld reports whether the library is ugorji/go/codec, or was made of it.
func (p profiled) isOld() bool { return strings.HasPrefix(p.name, "Ugorji") || p.name == "Hashicorp" }

// supportsFields collects the names of all fields in names, because the libraries write
// two fields with one name. The version 3 of shamaton/msgpack does as Octet does, unless
// both are fields of the same struct: it writes the second in the place of the first.
func (p profiled) supportsFields(t reflect.Type, names map[string]bool) bool {
	if t.NumField() > 0 && t.Field(0).Name == "_" {
		return false // an option of Octet
	}
	exported := t.NumField() == 0
	here := map[string]bool{} // names of fields of t itself
	for f := range fields(t) {
		tag, options, _ := strings.Cut(f.Tag.Get("msgpack"), ",")
		name := tag
		if name == "" {
			name = f.Name
		}
		ascii := strings.IndexFunc(f.Name, func(r rune) bool { return r > '~' }) < 0
		exported = exported || f.IsExported() && !(f.Anonymous && f.Type.Kind() == reflect.Struct && f.Type.NumField() == 0)
		switch {
		case f.Tag.Get("msgpack") == "-", !f.IsExported():
			continue
		case !ascii && strings.HasPrefix(p.name, "Shamaton"), tag == "-", options != "" && options != "omitempty":
			return false
		case here[name], names[name] && p.name != "Shamaton" && p.name != "ShamatonArray", f.Anonymous && tag != "" && strings.HasPrefix(p.name, "Vmihailenco"):
			return false
		case f.Anonymous && tag == "" && f.Type.Kind() == reflect.Struct:
			names[name] = strings.HasPrefix(p.name, "Vmihailenco") // it decodes a field of this name as the struct
			if !p.supportsFields(f.Type, names) {
				return false
			}
			continue
		case !p.supports(f.Type):
			return false
		}
		names[name], here[name] = true, true
	}
	return exported
}

// supportsValue checks the types of the values in interfaces. It also leaves one entry
// in each map, because the libraries do not sort them in the same way.
func (p profiled) supportsValue(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return true
		}
		held := reflect.New(v.Elem().Type()).Elem()
		held.Set(v.Elem())
		ok := p.supports(held.Type()) && p.supportsValue(held)
		v.Set(held)
		return ok
	case reflect.Pointer:
		return v.IsNil() || p.supportsValue(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if !p.supportsValue(v.Index(i)) {
				return false
			}
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for i, key := range keys {
			if i > 0 {
				v.SetMapIndex(key, reflect.Value{})
				continue
			}
			k, e := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			elem := v.MapIndex(key)
			if !elem.IsValid() { // a key that contains NaN
				return false
			}
			k.Set(key)
			e.Set(elem)
			if !p.supportsValue(k) || !p.supportsValue(e) || k.Kind() == reflect.Interface && k.IsNil() || !staysKey(k) || p.isLost(k) {
				return false
			}
			v.SetMapIndex(key, e)
		}
		return v.Len() <= 1 // a key that contains NaN stays
	case reflect.Struct:
		if t, ok := v.Interface().(time.Time); ok {
			if t.IsZero() { // the libraries do not call a zero time in another zone zero
				v.SetZero()
			}
			return true
		}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && !p.supportsValue(v.Field(i)) {
				return false
			}
		}
	}
	return true
}

// isLost reports whether a key cannot be decoded, because an interface in it gets another
// type that is no key: a struct becomes a map, what MarshalText returns a []byte and, in some
// profiles, a str, too.
func (p profiled) isLost(k reflect.Value) bool {
	text := p.config.Compat.AnyText == msgpack.AnyTextBytes
	switch k.Kind() {
	case reflect.Interface:
		_, text := k.Interface().(encoding.TextMarshaler)
		_, binary := k.Interface().(encoding.BinaryMarshaler)
		return text || binary || k.Elem().Kind() == reflect.Struct
	case reflect.Array:
		for i := range k.Len() {
			if e := k.Index(i); text && e.Kind() == reflect.Interface || p.isLost(e) {
				return true
			}
		}
	case reflect.Struct:
		for i := range k.NumField() {
			if e := k.Field(i); text && e.Kind() == reflect.Interface || e.CanInterface() && p.isLost(e) {
				return true
			}
		}
	}
	return false
}

// same checks that both sides encode v to the same bytes and decode them.
func (p profiled) same(t *testing.T, ours *msgpack.Codec, v reflect.Value) {
	t.Helper()
	want, err := p.marshal(v.Interface())
	if err != nil {
		t.Errorf("%v: the library cannot encode %v", v.Type(), err)
		return
	}
	got, err := ours.Marshal(v.Interface())
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v\nof %.300v\ngot  % .300x, %v\nwant % .300x", v.Type(), v, got, err, want)
		return
	}
	exact := isExact(v.Type())
	for side, unmarshal := range map[string]func([]byte, any) error{"octet": ours.Unmarshal, "the library": p.unmarshal} {
		back := reflect.New(v.Type())
		if side == "the library" && !exact {
			continue // what it decodes depends on its own rules for any, nil and omitted fields
		}
		if err := unmarshal(bytes.Clone(want), back.Interface()); err != nil {
			t.Errorf("%s cannot decode %v from % .300x: %v", side, v.Type(), want, err)
			return
		}
		if !exact {
			continue
		}
		if diff := randtype.Diff(v.Interface(), back.Elem().Interface()); diff != "" {
			t.Errorf("%s: %v from % .300x: %s", side, v.Type(), want, diff)
		}
	}
}

// isExact reports whether all values of the type are decoded to equal values.
func isExact(t reflect.Type) bool {
	if strings.Contains(t.PkgPath(), "randtype") {
		return false // may contain itself
	}
	switch t.Kind() {
	case reflect.Interface:
		return false
	case reflect.Slice, reflect.Array:
		return isExact(t.Elem())
	case reflect.Pointer:
		return !slices.Contains([]reflect.Kind{reflect.Pointer, reflect.Slice, reflect.Map}, t.Elem().Kind()) &&
			t.Elem() != reflect.TypeFor[time.Time]() && isExact(t.Elem())
	case reflect.Map:
		return isKey(t.Key()) && isExact(t.Elem())
	case reflect.Struct:
		if t == reflect.TypeFor[time.Time]() {
			return true
		}
		for f := range fields(t) {
			if strings.Contains(f.Tag.Get("msgpack"), ",") || f.Tag.Get("msgpack") == "-" || f.Anonymous && f.Type.Kind() == reflect.Pointer || !isExact(f.Type) {
				return false
			}
		}
	}
	return true
}

// TestProfiles compares each profile with its library for random values of random
// types.
func TestProfiles(t *testing.T) {
	const perType = 20
	types := uint64(500)
	switch {
	case testing.Short():
		types = 30
	case os.Getenv("OCTET_LONG") == "":
		types = 60
	}
	types = randtype.Count(t, types)
	for _, p := range profiles() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			config := p.config
			config.MaxDepth = 10_000 // the libraries have no limit, and random trees can be deep
			ours, err := msgpack.New(config)
			if err != nil {
				t.Fatal(err)
			}
			count, kinds := 0, map[reflect.Kind]int{}
			for seed := randtype.First(t, 0); len(kinds) == 0 || uint64(sum(kinds)) < types; seed++ {
				r := randtype.FromSeed(seed, profileLeaves...)
				typ := r.Type()
				if !p.supports(typ) {
					continue
				}
				kinds[typ.Kind()]++
				for range perType {
					v := r.Value(typ)
					if !p.supportsValue(v) {
						continue
					}
					count++
					if p.same(t, ours, v); t.Failed() {
						t.Fatalf("seed %d", seed)
					}
				}
			}
			t.Logf("%d values of %d types, %d of them structs", count, sum(kinds), kinds[reflect.Struct])
			if uint64(count) < types*perType*9/10 || uint64(kinds[reflect.Struct]) < types/9 {
				t.Errorf("only %d values, %d structs", count, kinds[reflect.Struct])
			}
		})
	}
}

func sum(counts map[reflect.Kind]int) (n int) {
	for c := range maps.Values(counts) {
		n += c
	}
	return n
}
