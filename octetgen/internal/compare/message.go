package compare

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/layout"
)

// Codecs are what is compared with each other.
type Codecs struct {
	Codec        *layout.Codec // uses generated code
	plan, reader *layout.Codec // use none, because they have limits: one that no message reaches, and for Read the default
	oracle       reference.Config
}

// NewCodecs returns the Codecs for Options without limits, for which the oracle has the same parameters.
func NewCodecs(o layout.Options, oracle reference.Config) *Codecs {
	c := &Codecs{oracle: oracle}
	for _, set := range []struct {
		of    **layout.Codec
		limit int
	}{{&c.Codec, 0}, {&c.plan, math.MaxInt}, {&c.reader, layout.DefaultMaxMessage}} {
		var err error
		o.MaxMessage = set.limit
		if *set.of, err = layout.New(o); err != nil {
			panic(err) // a mistake in a test
		}
	}
	return c
}

// Default are the Codecs for the default Options, and Random those for random types.
var (
	Default = NewCodecs(layout.Options{}, reference.Config{})
	Random  = NewCodecs(layout.Options{Unions: []layout.UnionCoder{layout.Union[any](layout.VariantOf[*reference.VariantNumber](1),
		layout.VariantOf[reference.VariantBytes](2), layout.VariantOf[*reference.VariantBits](3), layout.VariantOf[*reference.VariantMode](7))}}, reference.RandomConfig(nil))
)

// UsedMessage fails the test if the generated code of T for package layout would not be used.
func UsedMessage[T any](t testing.TB, c *Codecs) {
	t.Helper()
	d, err := c.Codec.Outline(reflect.TypeFor[T]())
	if err != nil {
		t.Fatal(err)
	}
	m, ok := any(new(T)).(interface{ OctetLayout() layout.Generated[T] })
	if !ok {
		t.Fatalf("%T has no generated method", *new(T))
	}
	if m.OctetLayout().Fingerprint != d.Fingerprint {
		t.Fatalf("the generated code of %T is not current", *new(T))
	}
}

// CheckMessage compares the generated code of T for package layout with the plan and with the oracle: on a random value
// that can be encoded and on one that perhaps cannot, and on their messages, cut off and changed.
func CheckMessage[T any](t testing.TB, c *Codecs, seed uint64) {
	t.Helper()
	typ := reflect.TypeFor[T]()
	r := rand.New(rand.NewPCG(seed, 30))
	v, ok := c.oracle.RandomValue(r, typ)
	if !ok {
		return
	}
	value := new(T)
	reflect.ValueOf(value).Elem().Set(v)
	data := EncodeMessage(t, c, value)
	if want, err := c.oracle.Marshal(v.Interface()); err != nil || !bytes.Equal(data, want) {
		t.Fatalf("%v, seed %d: %.500s\ngot  % .200x\nthe oracle has % .200x, %v", typ, seed, show(value), data, want, err)
	}
	EncodeMessage(t, c, randtype.FromSeed(seed).Value(typ).Addr().Interface().(*T))
	spoiled := new(T)
	for range 8 {
		reflect.ValueOf(spoiled).Elem().Set(v)
		spoil(r, reflect.ValueOf(spoiled).Elem())
		EncodeMessage(t, c, spoiled)
	}
	for range 24 {
		m := bytes.Clone(data)
		switch r.IntN(3) {
		case 0:
			m = m[:r.IntN(len(m)+1)]
		case 1:
			m = append(m, make([]byte, r.IntN(4))...)
			fallthrough
		default:
			if len(m) > 0 {
				m[r.IntN(len(m))] = byte(r.IntN(256)) >> r.IntN(8)
			}
		}
		DecodeMessage[T](t, c, m)
	}
	DecodeMessage[T](t, c, data)
}

// spoil changes one of the fields inside of v.
func spoil(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if i := r.IntN(max(1, v.NumField())); i < v.NumField() && v.Field(i).CanSet() {
			spoil(r, v.Field(i))
		}
	case reflect.Slice:
		if n := v.Len(); n > 0 && r.IntN(3) > 0 {
			v.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, n), v.Slice(0, n-r.IntN(2))))
			if v.Len() > 0 {
				spoil(r, v.Index(r.IntN(v.Len())))
			}
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(3), 3))
	case reflect.Array:
		if v.Len() > 0 {
			spoil(r, v.Index(r.IntN(v.Len())))
		}
	case reflect.Pointer:
		if r.IntN(3) == 0 || v.IsNil() {
			v.SetZero()
			return
		}
		p := reflect.New(v.Type().Elem())
		p.Elem().Set(v.Elem())
		v.Set(p)
		spoil(r, v.Elem())
	case reflect.Interface:
		v.SetZero()
	case reflect.String:
		v.SetString(v.String() + string(rune(r.IntN(300))))
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(math.Float64frombits(r.Uint64()))
	default:
		switch n := r.Uint64() >> r.IntN(64); {
		case v.CanInt():
			v.SetInt(int64(n))
		case v.CanUint():
			v.SetUint(n)
		}
	}
}

// EncodeMessage compares the encodings of a value and returns that of the plan.
func EncodeMessage[T any](t testing.TB, c *Codecs, v *T) []byte {
	t.Helper()
	typed, err := layout.For[T](c.Codec)
	if err != nil {
		t.Fatal(err)
	}
	want, wantErr := c.plan.Marshal(v)
	for _, encode := range []func() ([]byte, error){
		func() ([]byte, error) { return c.Codec.Marshal(v) },
		func() ([]byte, error) { return c.Codec.Marshal(*v) },
		func() ([]byte, error) { b, err := c.Codec.MarshalAppend([]byte("before"), v); return b[6:], err },
		func() ([]byte, error) { return typed.Append(make([]byte, 0, len(want)), v) },
	} {
		if got, err := encode(); text(err) != text(wantErr) || !bytes.Equal(got, want) {
			t.Fatalf("%s\ngot  % .200x, %v\nwant % .200x, %v", show(v), got, err, want, wantErr)
		}
	}
	return want
}

// DecodeMessage compares what data is decoded to: in a new variable, in one that has the values of another message, and
// as one of several messages.
func DecodeMessage[T any](t testing.TB, c *Codecs, data []byte) {
	t.Helper()
	typed, err := layout.For[T](c.Codec)
	if err != nil {
		t.Fatal(err)
	}
	want := new(T)
	wantN, wantErr := c.plan.UnmarshalPrefix(data, want)
	used := new(T)
	_, _ = c.plan.UnmarshalPrefix(data, used)
	for i, got := range []*T{new(T), used} {
		n, err := typed.UnmarshalPrefix(data, got)
		sameMessageValue(t, data, n, err, wantN, wantErr)
		if err == nil && !sameValue(want, got) {
			t.Fatalf("% .200x, variable %d\ngot  %s\nwant %s", data, i, show(got), show(want))
		}
	}
	err, wantErr = c.Codec.Unmarshal(data, new(T)), c.plan.Unmarshal(data, new(T))
	sameMessageValue(t, data, 0, err, 0, wantErr)
	err, wantErr = c.Codec.Read(bytes.NewReader(data), new(T)), c.reader.Read(bytes.NewReader(data), new(T))
	sameMessageValue(t, data, 0, err, 0, wantErr)
	if wantErr == nil {
		n, err := c.Codec.At(append([]byte{1}, data...), 1, new(T))
		wantN, wantErr := c.plan.At(append([]byte{1}, data...), 1, new(T))
		sameMessageValue(t, data, n, err, wantN, wantErr)
		EncodeMessage(t, c, want)
	}
}

func sameMessageValue(t testing.TB, data []byte, n int, err error, wantN int, wantErr error) {
	t.Helper()
	if n != wantN || text(err) != text(wantErr) {
		t.Fatalf("% .200x\ngot  %d, %v\nwant %d, %v", data, n, err, wantN, wantErr)
	}
}

// sameValue reports whether two values are equal. NaNs of the same bits are.
func sameValue(a, b any) bool { return reflect.DeepEqual(a, b) || randtype.Diff(a, b) == "" }

// show returns a type and a value, cut off.
func show(v any) string { return fmt.Sprintf("%.1000s", fmt.Sprintf("%T: %+v", v, v)) }
