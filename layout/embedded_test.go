package layout_test

import (
	"errors"
	"reflect"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
	"github.com/octet-go/octet/layout"
)

// EmbeddedHeader has a link to its own field, whatever fields surround it.
type EmbeddedHeader struct {
	Size uint8 `layout:"len=Body"`
	Body []byte
}

// TestEmbeddedNames has names in an embedded struct that the struct around it has
// too. An option means the field of its own struct.
func TestEmbeddedNames(t *testing.T) {
	type outer struct {
		EmbeddedHeader
		Body [2]byte
		Size uint8 `layout:"len=Body"`
	}
	v := outer{EmbeddedHeader{3, []byte{1, 2, 3}}, [2]byte{4, 5}, 2}
	want := "\x03\x01\x02\x03\x04\x05\x02"
	got, err := layout.Marshal(&v)
	if err != nil || string(got) != want {
		t.Errorf("% x, %v, want % x", got, err, want)
	}
	var back, ref outer
	if err := layout.Unmarshal([]byte(want), &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%+v, %v, want %+v", back, err, v)
	}
	if err := (reference.Config{}).Unmarshal([]byte(want), &ref); err != nil || !reflect.DeepEqual(ref, v) {
		t.Errorf("reference: %+v, %v, want %+v", ref, err, v)
	}
}

// EmbeddedPart is embedded by pointer.
type EmbeddedPart struct{ N uint8 }

// TestEmbeddedNil requires that the error names an embedded pointer that is nil, because
// it is not part of the path, which may be that of the message.
func TestEmbeddedNil(t *testing.T) {
	type inner struct{ *EmbeddedPart }
	type outer struct {
		A uint8
		*EmbeddedPart
		I inner
		L []inner
	}
	for want, v := range map[string]any{
		"layout: outer at offset 1: embedded pointer EmbeddedPart is nil":      outer{},
		"layout: outer.I at offset 2: embedded pointer EmbeddedPart is nil":    outer{EmbeddedPart: &EmbeddedPart{1}},
		"layout: outer.L[1] at offset 4: embedded pointer EmbeddedPart is nil": outer{1, &EmbeddedPart{1}, inner{&EmbeddedPart{2}}, []inner{{&EmbeddedPart{3}}, {}}},
	} {
		if b, err := layout.Marshal(v); !errors.Is(err, layout.ErrRange) || err.Error() != want {
			t.Errorf("got % x, %v, want %s", b, err, want)
		}
	}
}

// TestUserElements has a slice of strings with methods, which need no other length.
func TestUserElements(t *testing.T) {
	type list struct {
		Texts []reference.UserText `layout:"count=u8"`
	}
	v := list{[]reference.UserText{"ab", ""}}
	got, err := layout.Marshal(&v)
	if err != nil || string(got) != "\x02\x02ab\x00" {
		t.Errorf("%q, %v", got, err)
	}
	var back list
	if err := layout.Unmarshal(got, &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("%+v, %v", back, err)
	}
}
