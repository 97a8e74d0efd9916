package msgpack_test

import (
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

type (
	Exported struct {
		A int
		B string
	}
	unexported struct {
		A int
		C string
	}
	Deep   struct{ Middle }
	Middle struct {
		*Inner
		M int
	}
	Inner struct {
		X int
		Y string
	}
	Quantity   int
	Cycle      struct{ *Cycle2 }
	Cycle2     struct{ *Cycle }
	Left       struct{ Same, L int }
	Right      struct{ Same, R int }
	TaggedSame struct {
		Z int `msgpack:"Same"`
	}
)

func TestEmbedded(t *testing.T) {
	type shadowing struct {
		Exported
		A string
	}
	type twins struct {
		Left
		Right
	}
	type taggedTwin struct {
		Left
		TaggedSame
	}
	type twice struct {
		Deep
		Middle
	}
	type self struct {
		*Cycle
		A int
	}
	testStructs(t, []structCase{
		{"struct", struct{ Exported }{Exported{1, "b"}}, "\x82\xa1A\x01\xa1B\xa1b", nil},
		{"fields in declared order", struct {
			Z int
			Exported
			Y int
		}{1, Exported{2, "b"}, 3}, "\x84\xa1Z\x01\xa1A\x02\xa1B\xa1b\xa1Y\x03", nil},
		{"pointer", struct{ *Exported }{&Exported{1, "b"}}, "\x82\xa1A\x01\xa1B\xa1b", nil},
		{"nil pointer", struct {
			*Exported
			Z int
		}{nil, 1}, "\x81\xa1Z\x01", nil},
		{"unexported type", struct{ unexported }{unexported{1, "c"}}, "\x82\xa1A\x01\xa1C\xa1c", nil},
		{"through several", Deep{Middle{&Inner{1, "y"}, 2}}, "\x83\xa1X\x01\xa1Y\xa1y\xa1M\x02", nil},
		{"through several to a nil", Deep{Middle{nil, 2}}, "\x81\xa1M\x02", nil},
		{"shadowed by the outer", shadowing{Exported{1, "b"}, "a"}, "\x82\xa1B\xa1b\xa1A\xa1a", shadowing{Exported{B: "b"}, "a"}},
		{"two fields with one name", twins{Left{1, 2}, Right{3, 4}}, "\x82\xa1L\x02\xa1R\x04", twins{Left{L: 2}, Right{R: 4}}},
		{"two fields with one name, one of them tagged", taggedTwin{Left{1, 2}, TaggedSame{3}}, "\x82\xa1L\x02\xa4Same\x03", taggedTwin{Left{L: 2}, TaggedSame{3}}},
		{"the shallower of two", twice{Deep{Middle{&Inner{1, "y"}, 2}}, Middle{&Inner{3, "z"}, 4}}, "\x83\xa1X\x03\xa1Y\xa1z\xa1M\x04",
			twice{Deep{Middle{nil, 0}}, Middle{&Inner{3, "z"}, 4}}},
		{"with a name", struct {
			Exported `msgpack:"e"`
		}{Exported{1, "b"}}, "\x81\xa1e\x82\xa1A\x01\xa1B\xa1b", nil},
		{"pointer with a name", struct {
			*Exported `msgpack:"e"`
		}{&Exported{1, "b"}}, "\x81\xa1e\x82\xa1A\x01\xa1B\xa1b", nil},
		{"nil pointer with a name", struct {
			*Exported `msgpack:"e"`
		}{}, "\x81\xa1e\xc0", nil},
		{"left out", struct {
			Exported `msgpack:"-"`
			Z        int
		}{Exported{1, "b"}, 2}, "\x81\xa1Z\x02", struct {
			Exported `msgpack:"-"`
			Z        int
		}{Z: 2}},
		{"not a struct", struct{ Quantity }{5}, "\x81\xa8Quantity\x05", nil},
		{"pointer to a type that is not a struct", struct{ *Quantity }{new(Quantity(5))}, "\x81\xa8Quantity\x05", nil},
		{"a type that contains itself", self{nil, 1}, "\x81\xa1A\x01", nil},
		{"inlined", struct {
			In Exported `msgpack:",inline"`
		}{Exported{1, "b"}}, "\x82\xa1A\x01\xa1B\xa1b", nil},
		{"inlined pointer", struct {
			In *Exported `msgpack:",inline"`
		}{&Exported{1, "b"}}, "\x82\xa1A\x01\xa1B\xa1b", nil},
		{"inlined nil pointer", struct {
			In *Exported `msgpack:",inline"`
		}{}, "\x80", nil},
		{"embedded and inlined", struct {
			Exported `msgpack:",inline"`
		}{Exported{1, "b"}}, "\x82\xa1A\x01\xa1B\xa1b", nil},
		{"embedded through inlined", struct {
			In Middle `msgpack:",inline"`
		}{Middle{&Inner{1, "y"}, 2}}, "\x83\xa1X\x01\xa1Y\xa1y\xa1M\x02", nil},
	})
}

// TestEmbeddedPointers decodes into embedded pointers, nil ones and others.
func TestEmbeddedPointers(t *testing.T) {
	var fresh Deep
	if err := msgpack.Unmarshal([]byte("\x81\xa1X\x05"), &fresh); err != nil || fresh.Inner == nil || fresh.X != 5 {
		t.Errorf("got %+v, %v", fresh, err)
	}
	inner := &Inner{1, "y"}
	there := Deep{Middle{inner, 2}}
	if err := msgpack.Unmarshal([]byte("\x81\xa1X\x05"), &there); err != nil || there.Inner != inner || *inner != (Inner{5, "y"}) {
		t.Errorf("got %+v, %v", there, err)
	}
	// A key of another field, an unknown key or a nil does not allocate the struct.
	for _, data := range []string{"\x81\xa1M\x05", "\x81\xa1N\x05", "\x81\xa1X\xc0", "\x82\xa1Y\xc0\xa1M\x05", "\x80"} {
		var v Deep
		if err := msgpack.Unmarshal([]byte(data), &v); err != nil || v.Inner != nil {
			t.Errorf("%q: got %+v, %v", data, v.Inner, err)
		}
	}
	// A nil sets a field of an existing struct.
	if err := msgpack.Unmarshal([]byte("\x81\xa1X\xc0"), &there); err != nil || inner.X != 0 {
		t.Errorf("got %+v, %v", inner, err)
	}
	// Two fields behind one pointer share the allocated struct.
	var two Deep
	if err := msgpack.Unmarshal([]byte("\x83\xa1X\x01\xa1M\x02\xa1Y\xa1y"), &two); err != nil || *two.Inner != (Inner{1, "y"}) || two.M != 2 {
		t.Errorf("got %+v, %v", two.Inner, err)
	}
}

// TestEmbeddedUnexportedPointer decodes through a nil pointer that other packages
// cannot set.
func TestEmbeddedUnexportedPointer(t *testing.T) {
	type outer struct {
		*unexported
		Z int
	}
	checkEncode(t, outer{&unexported{1, "c"}, 2}, []byte("\x83\xa1A\x01\xa1C\xa1c\xa1Z\x02"))
	checkEncode(t, outer{nil, 2}, []byte("\x81\xa1Z\x02"))

	v := outer{unexported: &unexported{1, "c"}}
	if err := msgpack.Unmarshal([]byte("\x81\xa1A\x05"), &v); err != nil || v.A != 5 || v.C != "c" {
		t.Errorf("got %+v, %v", v, err)
	}
	v = outer{}
	err := msgpack.Unmarshal([]byte("\x82\xa1Z\x01\xa1A\x05"), &v)
	if e := checkError(t, err, msgpack.ErrUnsupported); e != nil && (e.Path != "A" || e.Offset != 6) {
		t.Errorf("got %v", e)
	}
	if err := msgpack.Unmarshal([]byte("\x81\xa1Z\x05"), &v); err != nil || v.Z != 5 {
		t.Errorf("got %+v, %v", v, err)
	}
	if err := msgpack.Unmarshal([]byte("\x81\xa1A\xc0"), &v); err != nil || v.unexported != nil {
		t.Errorf("nil: got %+v, %v", v, err)
	}
}

// TestEmbeddedMethods checks that promoted methods encode the whole struct.
func TestEmbeddedMethods(t *testing.T) {
	type stamped struct {
		time.Time
		Note string
	}
	v := stamped{time.Unix(5, 0).UTC(), "lost"}
	text, err := v.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	checkEncode(t, v, append([]byte{0xc4, byte(len(text))}, text...))
	var back stamped
	if err := msgpack.Unmarshal(append([]byte{0xc4, byte(len(text))}, text...), &back); err != nil || !back.Equal(v.Time) {
		t.Errorf("got %v, %v", back, err)
	}
	// A tag does not change that.
	tagged := struct {
		time.Time `msgpack:"t"`
	}{v.Time}
	checkEncode(t, tagged, append([]byte{0xc4, byte(len(text))}, text...))
}

type (
	ownBinary struct {
		time.Time // which has AppendBinary
		Note      string
	}
	ownText struct {
		appendsText
		Note string
	}
	appendsText struct{}
	deeper      struct{ ownText }     // both methods are promoted
	asDeep      struct{ appendsBoth } // and here from the same type
	appendsBoth struct{}
)

func (o ownBinary) MarshalBinary() ([]byte, error) { return []byte(o.Note), nil }
func (appendsText) AppendText(dst []byte) ([]byte, error) {
	return append(dst, "appended"...), nil
}
func (appendsBoth) AppendText(dst []byte) ([]byte, error) { return append(dst, "appended"...), nil }
func (appendsBoth) MarshalText() ([]byte, error)          { return []byte("marshaled"), nil }
func (o ownText) MarshalText() ([]byte, error)            { return []byte(o.Note), nil }

// TestOwnMarshalMethods has types whose Append method is that of a struct that is embedded deeper than the one with the Marshal method.
func TestOwnMarshalMethods(t *testing.T) {
	checkEncode(t, ownBinary{time.Unix(5, 0), "n"}, []byte("\xc4\x01n"))
	checkEncode(t, []ownText{{Note: "n"}}, []byte("\x91\xa1n"))
	checkEncode(t, deeper{ownText{Note: "n"}}, []byte("\xa1n"))
	checkEncode(t, asDeep{}, []byte("\xa8appended"))
}
