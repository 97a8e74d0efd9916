package migration

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
)

// Types that reflection cannot create, for the oracle: hooks, embedded structs of all
// sorts, and every rule of omitempty.
type (
	oracleHooks struct {
		Text    textList
		Binary  binaryList
		Map     textMap
		Pointer ptrList
		Lists   []binaryList
		IP      net.IP
		Addr    netip.Addr
	}
	oracleOmitting struct {
		P  *time.Time        `msgpack:",omitempty"`
		T  time.Time         `msgpack:",omitempty"`
		F  float64           `msgpack:",omitempty"`
		I  **int             `msgpack:",omitempty"`
		S  struct{ L []int } `msgpack:",omitempty"`
		C  point             `msgpack:",omitempty"`
		CP *point            `msgpack:",omitempty"`
		Z  zeroFive          `msgpack:",omitempty"`
		ZP *zeroFive         `msgpack:",omitempty"`
		A  [2]int            `msgpack:",omitempty"`
		AF [1]float32        `msgpack:",omitempty"`
		L  []string          `msgpack:",omitempty"`
		M  map[string]any    `msgpack:",omitempty"`
		B  []byte            `msgpack:",omitempty"`
		D  time.Duration     `msgpack:",omitempty"`
		BL binaryList        `msgpack:",omitempty"`
		H  textMap           `msgpack:",omitempty"`
		N  int
	}
	oracleEmbedding struct {
		hiddenBase
		Base
		A string
		*ProfileDeeper
		B map[string]any
	}
	oracleUsed struct {
		L  []point
		M  map[string]any
		MS map[string]string
		MP map[string]*point
		P  *point
		A  [3]int8
		S  []string
		B  []byte
		St point
	}
)

var oracleLeaves = slices.Concat([]randtype.Leaf{
	leaf[oracleHooks](), leaf[oracleOmitting](), leaf[oracleEmbedding](), leaf[oracleUsed](), leaf[hiddenEmbedder](), leaf[textList](), leaf[binaryList](),
	leaf[textMap](), leaf[ptrList](), leaf[zeroFive](),
}, hookLeaves, profileLeaves)

// A disagreement is what the oracle compares.
type disagreement string

const (
	inBytes  disagreement = "bytes"
	inValue  disagreement = "value"
	inTarget disagreement = "target"
	inError  disagreement = "error"
)

// compare encodes the value that v points to with both sides, decodes the bytes of the library
// with both into new variables and into copies of an old value, and returns the first
// difference.
func (p profiled) disagrees(ours *msgpack.Codec, v reflect.Value, old func() reflect.Value) (disagreement, string) {
	want, err := catch(func() ([]byte, error) { return p.marshal(v.Interface()) })
	got, err2 := ours.Marshal(v.Interface())
	if err != nil && err2 == nil && p.refuses(err) {
		return "", ""
	}
	if (err == nil) != (err2 == nil) {
		return inError, fmt.Sprintf("encoding: octet %v, library %v", err2, err)
	}
	if err != nil {
		return "", ""
	}
	if !bytes.Equal(got, want) {
		return inBytes, fmt.Sprintf("%.200v\ngot  % .200x\nwant % .200x", v.Elem(), got, want)
	}
	fresh := func() reflect.Value { return reflect.New(v.Type().Elem()) }
	for i, target := range []func() reflect.Value{fresh, old} {
		kind := []disagreement{inValue, inTarget}[i]
		if !p.sameValues(v.Elem(), false) || kind == inTarget && (old == nil || !p.sameTargets(v.Type().Elem(), want)) {
			continue
		}
		p.decoded[kind]++
		octets, theirs := target(), target()
		before := fmt.Sprintf("%.200v", theirs.Elem())
		_, err := catch(func() ([]byte, error) { return nil, p.unmarshal(bytes.Clone(want), theirs.Interface()) })
		err2 := ours.Unmarshal(bytes.Clone(want), octets.Interface())
		if errors.Is(err, errPanic) {
			continue // a variable that the library cannot decode into
		}
		if (err == nil) != (err2 == nil) {
			return inError, fmt.Sprintf("%s: octet %v, library %v, from % .200x", kind, err2, err, want)
		}
		if err != nil {
			continue
		}
		if diff := randtype.Diff(theirs.Elem().Interface(), octets.Elem().Interface()); diff != "" {
			return kind, fmt.Sprintf("%.160s from % .60x into %.80s", diff, want, before)
		}
	}
	return "", ""
}

var errPanic = errors.New("panic")

// catch turns a panic of a library into an error.
func catch(f func() ([]byte, error)) (b []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errPanic
		}
	}()
	return f()
}

// TestOracle compares each profile with its library for random types with tags, embedded
// structs and methods, and for random values, by pointer, and for variables that already
// hold a value.
func TestOracle(t *testing.T) {
	const perType = 12
	types := uint64(700)
	switch {
	case testing.Short():
		types = 80
	case os.Getenv("OCTET_LONG") == "":
		types = 100
	}
	values := perType * int(randtype.Count(t, types))
	for _, p := range profiles() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			ours, err := msgpack.New(p.config)
			if err != nil {
				t.Fatal(err)
			}
			counts, shown := map[disagreement]int{}, map[string]bool{}
			count, called := 0, 0
			p.decoded = map[disagreement]int{}
			for seed := randtype.First(t, 1<<32); count < values; seed++ {
				r := randtype.FromSeed(seed, oracleLeaves...)
				typ := r.Type()
				if !p.supports(reflect.PointerTo(typ)) {
					continue
				}
				for i := range uint64(perType) {
					v := reflect.New(typ)
					v.Elem().Set(r.Value(typ))
					if !p.supportsValue(v.Elem()) {
						continue
					}
					used := reflect.New(typ).Elem()
					used.Set(randtype.FromSeed(seed+i<<40, oracleLeaves...).Value(typ))
					var old func() reflect.Value
					if p.supportsValue(used) {
						old = func() reflect.Value { return copyOf(used).Addr() }
					}
					count++
					if hooked(typ) {
						called++
					}
					kind, text := p.disagrees(ours, v, old)
					if kind == "" {
						continue
					}
					counts[kind]++
					if len(shown) < 9 && !shown[string(kind)+typ.String()] {
						shown[string(kind)+typ.String()] = true
						t.Logf("%s: seed %d, %.120v: %s: %s", p.name, seed, typ, kind, text)
					}
				}
			}
			t.Logf("%s: %d values encoded, %d of them with methods of the library, %d decoded into new variables and %d into used ones", p.name, count, called, p.decoded[inValue], p.decoded[inTarget])
			if called < values/50 && (p.calls("EncodeMsgpack") || p.calls("MarshalMsgpack") || p.calls("CodecEncodeSelf")) {
				t.Errorf("only %d values have methods", called)
			}
			if len(counts) > 0 {
				t.Errorf("%d values differ: %v", count, counts)
			}
		})
	}
}

// copyOf returns a copy of v that shares no memory with it, except by unexported fields.
func copyOf(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			c.Set(copyOf(v.Elem()))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			c.Set(copyOf(v.Elem()).Addr())
		}
	case reflect.Slice:
		if v.IsNil() {
			break
		}
		c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			c.Index(i).Set(copyOf(v.Index(i)))
		}
	case reflect.Map:
		if v.IsNil() {
			break
		}
		c.Set(reflect.MakeMap(v.Type()))
		for it := v.MapRange(); it.Next(); {
			c.SetMapIndex(copyOf(it.Key()), copyOf(it.Value()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if c.Field(i).CanSet() && v.Type() != reflect.TypeFor[time.Time]() {
				c.Field(i).Set(copyOf(v.Field(i)))
			}
		}
	}
	return c
}

// sameTargets reports whether decoding data into a variable of the type that already has a
// value has the same result with both sides, according to the documentation of the
// profile.
func (p profiled) sameTargets(t reflect.Type, data []byte) bool {
	hasNil := bytes.IndexByte(data, 0xc0) >= 0
	return !(strings.HasPrefix(p.name, "Shamaton") && hasNil) && !p.keepsParts(t, hasNil)
}

// refuses reports whether an error of the library is one of those that the documentation of
// the profile names: Octet encodes these values.
func (p profiled) refuses(err error) bool {
	for name, text := range map[string]string{"Vmihailenco": "non-addressable", "ShamatonV2": "not match last index", "Ugorji": "nil pointer dereference", "Hashicorp": "interface conversion"} {
		if strings.HasPrefix(p.name, name) && strings.Contains(err.Error(), text) {
			return true
		}
	}
	return false
}

// sameValues reports whether both sides decode the encoding of v into equal values,
// according to the documentation of the profile. inAny says that v is a part of a value in
// an interface.
func (p profiled) sameValues(v reflect.Value, inAny bool) bool {
	old := p.name == "Ugorji" || p.name == "Hashicorp"
	if hookOf(v.Type()) != "" {
		return !inAny
	}
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return true
		}
		e := v.Elem()
		switch {
		case strings.HasPrefix(p.name, "Shamaton") && (e.Kind() == reflect.Complex64 || e.Kind() == reflect.Complex128):
			return false // the library does not decode it
		case p.name == "Vmihailenco" && e.Kind() == reflect.Map && e.Type().Key().Kind() != reflect.String:
			return false // the library decodes no such map
		case p.name == "VmihailencoV4" && (e.Kind() == reflect.Map && e.Type().Key().Kind() != reflect.String || e.Type() == reflect.TypeFor[time.Time]()):
			return false // a map of another type, and a *time.Time
		case (old || strings.HasPrefix(p.name, "Vmihailenco")) && (e.Type().PkgPath() != "" || e.Kind() == reflect.Struct || e.Kind() == reflect.Pointer):
			return false // the same for what these types consist of
		}
		return p.sameValues(e, true)
	case reflect.Pointer:
		return v.IsNil() || p.sameValues(v.Elem(), inAny)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if !p.sameValues(v.Index(i), inAny) {
				return false
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if !p.sameValues(it.Key(), inAny) || !p.sameValues(it.Value(), inAny) {
				return false
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			// The library makes a struct for the fields of an embedded nil pointer.
			if f.Anonymous && f.Type.Kind() == reflect.Pointer && v.Field(i).IsNil() && p.config.Compat.NilEmbedded != msgpack.EmbeddedOmitted {
				return false
			}
			if f.IsExported() && !p.sameValues(v.Field(i), inAny) {
				return false
			}
		}
	}
	return true
}

// keepsParts reports whether the library keeps parts of the values of type t that Octet
// replaces.
func (p profiled) keepsParts(t reflect.Type, hasNil bool) bool {
	if strings.Contains(t.PkgPath(), "randtype") {
		return true // may contain itself
	}
	if method := hookOf(t); method != "" {
		return hasNil && method == "MarshalMsgpack" // otherwise its method sets all of it
	}
	ugorji := strings.HasPrefix(p.name, "Ugorji") || p.name == "Hashicorp"
	switch t.Kind() {
	case reflect.Interface:
		return true // what it holds
	case reflect.Slice:
		if !strings.HasPrefix(p.name, "Shamaton") && hasParts(t.Elem()) {
			return true // its elements
		}
		return strings.HasPrefix(p.name, "Vmihailenco") && hasNil && t.Elem() == reflect.TypeFor[string]() || p.keepsParts(t.Elem(), hasNil)
	case reflect.Array:
		return hasParts(t.Elem()) || p.keepsParts(t.Elem(), hasNil)
	case reflect.Pointer:
		return hasNil && strings.HasPrefix(p.name, "Ugorji") || p.keepsParts(t.Elem(), hasNil)
	case reflect.Map:
		if ugorji && (hasParts(t.Elem()) || t.Elem().Kind() == reflect.Interface) {
			return true // its elements, and what an interface there holds
		}
		return p.keepsParts(t.Elem(), hasNil) && t.Elem() != reflect.TypeFor[any]()
	case reflect.Struct:
		for f := range fields(t) {
			if f.IsExported() && p.keepsParts(f.Type, hasNil) {
				return true
			}
		}
	}
	return false
}

// hasParts reports whether values of type t consist of others.
func hasParts(t reflect.Type) bool {
	if hookOf(t) != "" {
		return false
	}
	switch t.Kind() {
	case reflect.Struct:
		return t != reflect.TypeFor[time.Time]()
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array:
		return true
	}
	return false
}
