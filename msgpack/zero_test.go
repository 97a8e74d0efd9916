package msgpack_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// TestZeroCodec checks that all methods of the zero Codec and of a nil *Codec do what
// the functions of the package do.
func TestZeroCodec(t *testing.T) {
	type local struct { // not compiled by any other codec
		A int
		B []string
	}
	deep := bytes.Repeat([]byte{0x91}, msgpack.MaxDepth)
	deep = append(deep, 0xc0)
	for name, c := range map[string]*msgpack.Codec{"nil": nil, "zero": new(msgpack.Codec)} {
		t.Run(name, func(t *testing.T) {
			for range 2 { // the second time, the types are known
				for _, v := range []any{nil, 5, "s", local{1, []string{"b"}}, &local{}, map[string]any{"a": 1}, (*int)(nil), new(*int), deepSlice(msgpack.MaxDepth + 1), make(chan int)} {
					want, wantErr := msgpack.Marshal(v)
					got, err := c.Marshal(v)
					if !bytes.Equal(got, want) || said(err) != said(wantErr) {
						t.Errorf("Marshal(%T): % x, %v, want % x, %v", v, got, err, want, wantErr)
					}
					got, err = c.MarshalAppend([]byte("head"), v)
					if string(got) != "head"+string(want) || said(err) != said(wantErr) {
						t.Errorf("MarshalAppend(%T): % x, %v, want % x, %v", v, got, err, want, wantErr)
					}
					var b bytes.Buffer
					if err := c.MarshalWrite(&b, v); !bytes.Equal(b.Bytes(), want) || said(err) != said(wantErr) {
						t.Errorf("MarshalWrite(%T): % x, %v, want % x, %v", v, b.Bytes(), err, want, wantErr)
					}
					b.Reset()
					e := c.NewEncoder(&b)
					if err := e.Encode(v); said(err) != said(wantErr) || e.Flush() != nil || !bytes.Equal(b.Bytes(), want) {
						t.Errorf("Encode(%T): % x, %v, want % x, %v", v, b.Bytes(), err, want, wantErr)
					}
				}
				for _, data := range [][]byte{{}, {5}, {5, 6}, {0xc1}, []byte("\x82\xa1A\x01\xa1B\x91\xa1b"), deep, append([]byte{0x91}, deep...)} {
					var want, got local
					wantErr := msgpack.Unmarshal(data, &want)
					if err := c.Unmarshal(data, &got); said(err) != said(wantErr) || !reflect.DeepEqual(got, want) {
						t.Errorf("Unmarshal(% x): %v, %v, want %v, %v", data, got, err, want, wantErr)
					}
					if err := c.UnmarshalRead(bytes.NewReader(data), &got); said(err) != said(msgpack.UnmarshalRead(bytes.NewReader(data), &want)) || !reflect.DeepEqual(got, want) {
						t.Errorf("UnmarshalRead(% x): %v, %v, want %v, %v", data, got, err, want, wantErr)
					}
					var x, y any
					wantN, wantErr := msgpack.UnmarshalPrefix(data, &x)
					if n, err := c.UnmarshalPrefix(data, &y); n != wantN || said(err) != said(wantErr) || !reflect.DeepEqual(x, y) {
						t.Errorf("UnmarshalPrefix(% x): %v, %d, %v, want %v, %d, %v", data, y, n, err, x, wantN, wantErr)
					}
					if err, want := c.NewDecoder(bytes.NewReader(data)).Decode(&y), msgpack.NewDecoder(bytes.NewReader(data)).Decode(&x); said(err) != said(want) {
						t.Errorf("Decode(% x): %v, want %v", data, err, want)
					}
					if err, want := c.Valid(data), msgpack.Valid(data); said(err) != said(want) {
						t.Errorf("Valid(% x): %v, want %v", data, err, want)
					}
					v, err := c.ViewOf(data)
					w, want2 := msgpack.ViewOf(data)
					if said(err) != said(want2) || !bytes.Equal(v.Raw(), w.Raw()) || said(v.Decode(&got)) != said(w.Decode(&want)) {
						t.Errorf("ViewOf(% x): %v, want %v", data, err, want2)
					}
				}
				if err := c.Unmarshal([]byte{5}, 5); !errors.Is(err, msgpack.ErrTarget) {
					t.Errorf("Unmarshal into no pointer: %v", err)
				}
				if o := c.Options(); !reflect.DeepEqual(o, msgpack.Options{}) {
					t.Errorf("Options: %+v", o)
				}
				typed, err := msgpack.For[local](c)
				if b, e := typed.Append(nil, &local{}); err != nil || e != nil || len(b) != 7 {
					t.Errorf("For: % x, %v, %v", b, err, e)
				}
			}
		})
	}
}

// deepSlice returns slices nested n deep.
func deepSlice(n int) any {
	v := any([]any{})
	for range n - 1 {
		v = []any{v}
	}
	return v
}

func said(err error) string { return fmt.Sprint(err) }

// TestZeroTyped checks that the zero Typed does what the functions of the package do,
// for types of all sizes and for types that an interface holds directly.
func TestZeroTyped(t *testing.T) {
	type local struct{ A, B int }
	testZeroTyped(t, 5, -70000)
	testZeroTyped(t, "s", "a long string, longer than the one that a fixstr can hold")
	testZeroTyped(t, local{1, 2}, local{})
	testZeroTyped(t, new(int), nil)
	testZeroTyped(t, map[string]int{"a": 1}, nil)
	testZeroTyped[any](t, 5.5, nil)
	testZeroTyped(t, struct{ P *int }{new(int)}, struct{ P *int }{})
	testZeroTyped(t, make(chan int), nil)
}

func testZeroTyped[T any](t *testing.T, values ...T) {
	t.Helper()
	var typed msgpack.Typed[T]
	check := func(v *T) {
		want, wantErr := msgpack.MarshalAppend([]byte("head"), v)
		for _, dst := range [][]byte{[]byte("head"), append(make([]byte, 0, 300), "head"...)} {
			if b, err := typed.Append(dst, v); !bytes.Equal(b, want) || said(err) != said(wantErr) {
				t.Errorf("Append(%T): % x, %v, want % x, %v", v, b, err, want, wantErr)
			}
		}
	}
	check(nil)
	for i := range values {
		check(&values[i])
	}
	for _, data := range [][]byte{{}, {0xc0}, {5}, {5, 6}, {0xc1}, {0xa1, 'x'}, {0x92, 1, 2}} {
		var want, got T
		wantErr := msgpack.Unmarshal(data, &want)
		if err := typed.Unmarshal(data, &got); said(err) != said(wantErr) || !reflect.DeepEqual(got, want) {
			t.Errorf("Unmarshal(% x): %v, %v, want %v, %v", data, got, err, want, wantErr)
		}
		wantN, wantErr := msgpack.UnmarshalPrefix(data, &want)
		if n, err := typed.UnmarshalPrefix(data, &got); n != wantN || said(err) != said(wantErr) || !reflect.DeepEqual(got, want) {
			t.Errorf("UnmarshalPrefix(% x): %v, %d, %v, want %v, %d, %v", data, got, n, err, want, wantN, wantErr)
		}
		// A Typed of For does the same.
		if made, err := msgpack.For[T](nil); err == nil {
			if n, err := made.UnmarshalPrefix(data, &got); n != wantN || said(err) != said(wantErr) || !reflect.DeepEqual(got, want) {
				t.Errorf("UnmarshalPrefix(% x) of For: %v, %d, %v, want %v, %d, %v", data, got, n, err, want, wantN, wantErr)
			}
			if err := made.Unmarshal(data, nil); !errors.Is(err, msgpack.ErrTarget) {
				t.Errorf("Unmarshal into nil: %v", err)
			}
		}
	}
	if err := typed.Unmarshal([]byte{5}, nil); !errors.Is(err, msgpack.ErrTarget) {
		t.Errorf("Unmarshal into nil: %v", err)
	}
}

// TestOptionsAreCopied checks that a Codec shares no slices with the Options that it
// was made from, and none with those that it returns.
func TestOptionsAreCopied(t *testing.T) {
	type small int8
	asText := func(dst []byte, v small) ([]byte, error) { return append(dst, 0xa1, 't'), nil }
	asNil := func(dst []byte, v small) ([]byte, error) { return append(dst, 0xc0), nil }
	parse := func([]byte) (small, error) { return 0, nil }
	first, second := msgpack.Override(asText, parse), msgpack.Override(asNil, parse)

	given := msgpack.Options{TagKeys: []string{"msgpack", "json"}, Types: []msgpack.TypeCoder{first}}
	c := newCodec(t, given)
	check := func(when string) {
		t.Helper()
		same := newCodec(t, c.Options()) // compiles its types with what Options returns
		for what, c := range map[string]*msgpack.Codec{"the codec": c, "its copy": same} {
			// The types are new, so that c compiles them now.
			typ := reflect.StructOf([]reflect.StructField{
				{Name: "A", Type: reflect.TypeFor[small](), Tag: `json:"name"`},
				{Name: strings.ToUpper("x" + strings.ReplaceAll(when, " ", "")), Type: reflect.TypeFor[struct{}](), Tag: `json:"-"`},
			})
			b, err := c.Marshal(reflect.Zero(typ).Interface())
			if want := "\x81\xa4name\xa1t"; err != nil || string(b) != want {
				t.Errorf("%s: %s writes %q, %v, want %q", when, what, b, err, want)
			}
		}
	}
	check("new")
	given.TagKeys[1], given.Types[0] = "yaml", second
	check("given changed")
	got := c.Options()
	if got.TagKeys[1] != "json" || len(got.Types) != 1 {
		t.Errorf("Options: %+v", got)
	}
	got.TagKeys[1], got.Types[0] = "yaml", second
	check("returned changed")

	// What New was given is returned, not what follows from it.
	given = msgpack.Options{Canonical: true, MaxDepth: 0, Compat: msgpack.Compat{SortFields: true}}
	if got := newCodec(t, given).Options(); !reflect.DeepEqual(got, given) {
		t.Errorf("got %+v, want %+v", got, given)
	}
}

// TestErrOptions checks that all errors of New are ErrOptions.
func TestErrOptions(t *testing.T) {
	type small int8
	type large int16
	coder := msgpack.ExtType(1, func(dst []byte, v small) ([]byte, error) { return dst, nil }, func([]byte) (small, error) { return 0, nil })
	for name, o := range map[string]msgpack.Options{
		"number":      {MaxDepth: -1},
		"conflict":    {Canonical: true, TypedInts: true},
		"tags":        {TagKeys: []string{""}},
		"zero coder":  {Types: []msgpack.TypeCoder{{}}},
		"coder twice": {Types: []msgpack.TypeCoder{coder, coder}},
		"ext twice": {Types: []msgpack.TypeCoder{coder,
			msgpack.ExtType(1, func(dst []byte, v large) ([]byte, error) { return dst, nil }, func([]byte) (large, error) { return 0, nil })}},
		"union": {Types: []msgpack.TypeCoder{msgpack.Union[fmt.Stringer]("t", msgpack.Variant{})}},
	} {
		if c, err := msgpack.New(o); c != nil || !errors.Is(err, msgpack.ErrOptions) || !strings.HasPrefix(err.Error(), "msgpack: invalid option: Options.") {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
}
