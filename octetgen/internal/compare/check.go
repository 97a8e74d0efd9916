// Package compare checks code that octet-gen has written: it must do the same as the plan of the type and as the
// oracle, with every value and message. Only tests use it.
package compare

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/reference"
	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
)

var oracle = reference.MessagePack{Raw: reflect.TypeFor[msgpack.Raw](), Ext: reflect.TypeFor[msgpack.Ext]()}

// planOnly is an option that changes nothing but that plans ignore generated code.
var planOnly = []string{"msgpack"}

// codecs are pairs of Options with and without generated code. The first is that of the package functions.
var codecs = []msgpack.Options{
	{},
	{MaxDepth: 3, RejectUnknown: true},
	{ExactArrays: true, RejectDuplicates: true, AllowTrailing: true, MaxElements: 20},
}

// senders are Options of other senders, whose messages are decoded too.
var senders = []msgpack.Options{
	{TypedInts: true}, {StructAsArray: true}, {NarrowFloats: true}, {OmitZero: true}, {BytesAsStr: true}, {NilSliceAsEmpty: true, NilMapAsEmpty: true},
	{Naming: func(name string) string { return "other" + name }},
}

// compiled returns the Codec for o.
func compiled(o msgpack.Options) *msgpack.Codec {
	c, err := msgpack.New(o)
	if err != nil {
		panic(err) // a mistake in the lists above
	}
	return c
}

// Used fails the test if the generated code of T would not be used.
func Used[T any](t testing.TB) {
	t.Helper()
	of := reflect.TypeFor[T]()
	fingerprint, err := msgpack.FormOf(of, nil).Fingerprint()
	if err != nil {
		t.Fatal(err)
	}
	m, ok := any(new(T)).(interface{ OctetMsgpack() msgpack.Generated[T] })
	if !ok {
		t.Fatalf("%s has no generated method", of)
	}
	g := m.OctetMsgpack()
	if g.Fingerprint != fingerprint {
		t.Fatalf("the generated code of %s is not current", of)
	}
}

// Check compares random values and messages, and the memory that a message takes which claims more than there is.
// allocated returns how much a function allocates.
func Check[T any](t testing.TB, seed uint64, allocated func(f func()) uint64) {
	t.Helper()
	typ := reflect.TypeFor[T]()
	value := func() *T { return randtype.FromSeed(seed).Value(typ).Addr().Interface().(*T) }
	c := newComparison[T]()
	data := c.encode(t, value())
	if data == nil {
		return
	}
	messages := [][]byte{data}
	for _, o := range senders {
		if b, err := compiled(o).Marshal(value()); err == nil {
			messages = append(messages, b)
		}
	}
	r := randtype.FromSeed(seed)
	for i := range 8 {
		messages = append(messages, data[:r.Below(len(data))], changed(r, messages[i%len(messages)]))
	}
	hostile := claimed(r, data)
	for _, m := range append(messages, hostile) {
		if len(m) < 1<<12 {
			c.Message(t, m, seed)
		}
		if t.Failed() {
			t.Fatalf("seed %d, message % x", seed, m)
		}
	}
	used := allocated(func() { _ = c.without[0].Unmarshal(hostile, new(T)) })
	// What has been decoded before a value is left to the plan is decoded again.
	if again := allocated(func() { _ = c.with[0].Unmarshal(hostile, new(T)) }); again > 2*used+1<<20 {
		t.Errorf("% x\nallocated %d bytes, the plan %d", hostile, again, used)
	}
}

// changed returns data with one byte changed.
func changed(r *randtype.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	if len(data) > 0 {
		data[r.Below(len(data))] = byte(r.Bits())
	}
	return data
}

// claimed returns data with a header that claims more than there is.
func claimed(r *randtype.Rand, data []byte) []byte {
	headers := []string{"\xdd\xff\xff\xff\xff", "\xdd\x00\x00\x00\x40", "\xdf\x7f\xff\xff\xff", "\xc6\xff\xff\xff\xff", "\xdb\x00\x01\x00\x00", "\xdc\x01\x00", "\xc1"}
	at := r.Below(len(data))
	return append(append(bytes.Clone(data[:at]), headers[r.Below(len(headers))]...), data[at:]...)
}

// A Comparison has Codecs with and without generated code for a type.
type Comparison[T any] struct{ with, without []*msgpack.Codec }

func newComparison[T any]() *Comparison[T] {
	c := new(Comparison[T])
	for _, o := range codecs {
		c.with = append(c.with, compiled(o))
		o.TagKeys = planOnly
		c.without = append(c.without, compiled(o))
	}
	// The plan for what generated code leaves is compiled when it is first needed.
	for _, m := range c.with {
		_ = m.Unmarshal([]byte{0xc1}, new(T))
		_ = m.Unmarshal([]byte{0x91, 0xc1}, new([]T))
	}
	return c
}

// NewComparison returns the Comparison for T.
func NewComparison[T any]() *Comparison[T] { return newComparison[T]() }

// encode compares the encodings of a value and returns that of the plan.
func (c *Comparison[T]) encode(t testing.TB, v *T) []byte {
	t.Helper()
	var data []byte
	for i, plan := range c.without {
		want, wantErr := plan.Marshal(v)
		typed, err := msgpack.For[T](c.with[i])
		if err != nil {
			t.Fatal(err)
		}
		encode := []func() ([]byte, error){
			func() ([]byte, error) { return c.with[i].Marshal(v) },
			func() ([]byte, error) { return c.with[i].MarshalAppend(make([]byte, 0, len(want)), v) },
			func() ([]byte, error) { return typed.Append(nil, v) },
		}
		for _, f := range encode {
			got, err := f()
			if !sameFault(err, wantErr, plan, v) || !sameMessage(got, want) {
				t.Errorf("%T: %.500s\ngot  % .100x, %v\nwant % .100x, %v", v, fmt.Sprint(v), got, err, want, wantErr)
			}
		}
		// Around the value: an array, a map and a struct that have no generated code.
		around := []any{[]T{*v, *v}, map[string]*T{"a": v}, struct{ X, Y any }{v, *v}, struct {
			A int
			X T
		}{1, *v}}
		for _, a := range around {
			got, err := c.with[i].Marshal(a)
			want, wantErr := plan.Marshal(a)
			if !sameFault(err, wantErr, plan, a) || !sameMessage(got, want) {
				t.Errorf("%T: %.500s\ngot  % .100x, %v\nwant % .100x, %v", a, fmt.Sprint(a), got, err, want, wantErr)
			}
		}
		if i == 0 && wantErr == nil {
			data = want
		}
	}
	if oracles, err := oracle.Marshal(v); err == nil && !sameMessage(data, oracles) {
		t.Errorf("%T: %.500s\ngot  % .100x\nthe oracle has % .100x", v, fmt.Sprint(v), data, oracles)
	}
	return data
}

// sameFault reports whether err is want, the error of plan for v. Of several faults in a
// map, either may be found first, so the plan tries again.
func sameFault(err, want error, plan *msgpack.Codec, v any) bool {
	for range 50 {
		if keyless(err) == keyless(want) {
			return true
		}
		if err == nil || want == nil {
			return false
		}
		_, want = plan.Marshal(v)
	}
	return false
}

// sameMessage reports whether two messages are equal, except for the order in maps.
func sameMessage(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	a, err := oracle.SortMaps(a)
	if err != nil {
		return false
	}
	b, err = oracle.SortMaps(b)
	return err == nil && bytes.Equal(a, b)
}

// keyless returns the text of an error. Of an error in a map, it is only the reason, because the order in which a map is
// encoded varies.
func keyless(err error) string {
	s := text(err)
	if strings.Contains(s, "[") {
		s = s[strings.LastIndex(s, ": "):]
	}
	return s
}

// text returns the text of an error, with the path and the offset.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Message compares what data is decoded to: in variables that are zero or that have random values.
func (c *Comparison[T]) Message(t testing.TB, data []byte, seed uint64) {
	t.Helper()
	typ := reflect.TypeFor[T]()
	for i, plan := range c.without {
		same(t, data, func(v *T) error { return c.with[i].Unmarshal(data, v) }, func(v *T) error { return plan.Unmarshal(data, v) },
			func() *T { return new(T) })
		same(t, data, func(v *T) error { return c.with[i].UnmarshalRead(bytes.NewReader(data), v) }, func(v *T) error { return plan.UnmarshalRead(bytes.NewReader(data), v) },
			func() *T { return randtype.FromSeed(seed + 1).Value(typ).Addr().Interface().(*T) })
	}
	// As an element of a used slice.
	list := append([]byte{0x92}, append(bytes.Clone(data), data...)...)
	same(t, list, func(v *[]T) error { return c.with[0].Unmarshal(list, v) }, func(v *[]T) error { return c.without[0].Unmarshal(list, v) },
		func() *[]T {
			r := randtype.FromSeed(seed + 2)
			list := []T{r.Value(typ).Interface().(T), r.Value(typ).Interface().(T)}[:1]
			return &list
		})
	want := new(T)
	oracleErr, got := oracle.Unmarshal(data, want), new(T)
	err := c.with[0].Unmarshal(data, got)
	if (err == nil) != (oracleErr == nil) {
		t.Errorf("% .100x\nerror %v\nthe oracle has %v", data, err, oracleErr)
	} else if err == nil {
		if diff := randtype.Diff(want, got); diff != "" {
			t.Errorf("% .100x\nnot what the oracle decodes: %s", data, diff)
		}
	}
}

// same decodes into two equal variables.
func same[V any](t testing.TB, data []byte, with, without func(*V) error, variable func() *V) {
	t.Helper()
	got, want := variable(), variable()
	gotErr, wantErr := with(got), without(want)
	if text(gotErr) != text(wantErr) {
		t.Errorf("%T: % .100x\nerror %v\nwant  %v", got, data, gotErr, wantErr)
	}
	if diff := randtype.Diff(want, got); diff != "" && wantErr == nil {
		t.Errorf("%T: % .100x\n%s", got, data, fmt.Sprint(diff))
	}
}
