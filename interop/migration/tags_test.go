package migration

import (
	"bytes"
	"testing"

	"github.com/ugorji/go/codec"
	vmihailenco "github.com/vmihailenco/msgpack/v5"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/profile"
)

// TagsInner is embedded in the types of TestTags.
type TagsInner struct{ X, Y int }

// TestTags compares the bytes of types with tags of other libraries with those of
// the types that octet-migrate makes of them.
func TestTags(t *testing.T) {
	inner := TagsInner{1, 2}
	ugorji := func(v any) (b []byte, err error) {
		err = codec.NewEncoderBytes(&b, new(codec.MsgpackHandle)).Encode(v)
		return b, err
	}
	for _, c := range []struct {
		name          string
		marshal       func(any) ([]byte, error)
		config        msgpack.Options
		before, after any
	}{
		{"promoted in spite of its name", vmihailenco.Marshal, profile.Vmihailenco(), struct {
			TagsInner `msgpack:"inner,omitempty"`
			Z         int
		}{inner, 3}, struct {
			TagsInner `msgpack:",inline"`
			Z         int
		}{inner, 3}},
		{"promoted pointer", vmihailenco.Marshal, profile.Vmihailenco(), struct {
			*TagsInner `msgpack:"inner"`
		}{&inner}, struct {
			*TagsInner `msgpack:",inline"`
		}{&inner}},
		{"noinline", vmihailenco.Marshal, profile.Vmihailenco(), struct {
			TagsInner `msgpack:",noinline"`
		}{inner}, struct {
			TagsInner `msgpack:"TagsInner"`
		}{inner}},
		{"inline on a field", vmihailenco.Marshal, profile.Vmihailenco(), struct {
			In TagsInner `msgpack:",inline"`
		}{inner}, struct {
			In TagsInner `msgpack:""`
		}{inner}},
		{"unknown option", vmihailenco.Marshal, profile.Vmihailenco(), struct {
			A int `msgpack:"a,string"`
		}{1}, struct {
			A int `msgpack:"a"`
		}{1}},
		{"as_array", vmihailenco.Marshal, profile.Vmihailenco(), struct {
			_msgpack struct{} `msgpack:",as_array"`
			A, B     int
		}{A: 1}, struct {
			_    struct{} `msgpack:",as_array"`
			A, B int
		}{A: 1}},
		{"toarray", ugorji, profile.Ugorji(), struct {
			_struct bool `codec:",toarray"`
			A, B    int
		}{A: 1}, struct {
			_       struct{} `codec:",as_array"`
			_struct bool     `codec:",toarray"`
			A, B    int
		}{A: 1}},
	} {
		want, err := c.marshal(c.before)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		ours, err := msgpack.New(c.config)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ours.Marshal(c.after); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: % x, %v, want % x", c.name, got, err, want)
		}
		if got, err := c.marshal(c.before); err == nil {
			if same, _ := ours.Marshal(c.before); bytes.Equal(got, same) {
				t.Errorf("%s: the type need not be rewritten", c.name)
			}
		}
	}
	before := &generatedTuple{1, "b"}
	want, err := before.MarshalMsg(nil)
	if err != nil {
		t.Fatal(err)
	}
	ours, err := msgpack.New(profile.Msgp())
	if err != nil {
		t.Fatal(err)
	}
	got, err := ours.Marshal(struct {
		_ struct{} `msgpack:",as_array"`
		A int
		B string
	}{A: 1, B: "b"})
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("tuple: % x, %v, want % x", got, err, want)
	}
}
