package layout

import (
	"bytes"
	"reflect"
	"testing"
)

// TestIgnoredFieldsAreApart verifies that no block of numbers that are moved together
// contains a field that is not part of the message: a goroutine may use such a field
// while another one encodes or decodes the rest.
func TestIgnoredFieldsAreApart(t *testing.T) {
	type inside struct {
		A uint8
		B uint8 `layout:"-"`
		C uint16
		D uint32
	}
	type after struct {
		A, B uint32
		C    uint64 `layout:"-"`
	}
	type narrow struct {
		A uint64
		B uint32
		C uint32 `layout:"-"`
	}
	type nested struct {
		A [2]struct {
			X uint16
			Y uint8 `layout:"-"`
		}
		B uint64
	}
	type all struct {
		Inside []inside `layout:"count=u8"`
		After  []after  `layout:"count=u8"`
		Narrow []narrow `layout:"count=u8"`
		Nested []nested `layout:"count=u8"`
		Self   nested
	}
	m, err := defaults.of(reflect.TypeFor[all]())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*flat{m.encoding, m.decoding} {
		for i := range f.ops {
			switch o := &f.ops[i]; o.code {
			case opBlock:
				typ := reflect.TypeFor[all]()
				if o.x.outer != nil {
					typ = o.x.outer.typ
				}
				if hasIgnored(typ, o.off, o.off+uintptr(o.x.plan.Mem)) {
					t.Errorf("operation %d: a block of %v has %d bytes from %d on", i, typ, o.x.plan.Mem, o.off)
				}
			case opItems:
				t.Errorf("operation %d: the elements of %v are one block", i, o.x.node.typ)
			}
		}
	}
	for _, c := range []struct {
		low, high uintptr
		want      bool
	}{{0, 1, false}, {1, 2, true}, {0, 2, true}, {2, 8, false}} {
		if got := hasIgnored(reflect.TypeFor[inside](), c.low, c.high); got != c.want {
			t.Errorf("from %d to %d: %t", c.low, c.high, got)
		}
	}
}

// TestIgnoredFieldsOfZeroElements decodes slices that a zero element ends into variables whose
// elements have values in fields that are not part of the message. These values do not count,
// whether the elements are compared as words or by reflection.
func TestIgnoredFieldsOfZeroElements(t *testing.T) {
	type words struct {
		A    uint8
		Note uint32 `layout:"-"`
		note uint64 `layout:"-"`
		B    uint16
	}
	type nested struct {
		In   *words
		Note string `layout:"-"`
	}
	type message struct {
		Words  []words  `layout:"until=zero"`
		Nested []nested `layout:"until=zero"`
		End    uint8
	}
	data := []byte{1, 0, 2, 0, 0, 0, 3, 0, 4, 0, 0, 0, 9}
	used := func() *message {
		m := new(message)
		for range 8 {
			m.Words = append(m.Words, words{Note: 7, note: 8})
			m.Nested = append(m.Nested, nested{In: &words{Note: 7, note: 8}, Note: "x"})
		}
		return m
	}
	want := &message{Words: []words{{A: 1, B: 2}}, Nested: []nested{{In: &words{A: 3, B: 4}}}, End: 9}
	for way, decode := range map[string]func(m *message) error{
		"Unmarshal": func(m *message) error { return Unmarshal(data, m) },
		"Read":      func(m *message) error { return Read(bytes.NewReader(data), m) },
		"plain":     func(m *message) error { _, err := DecodePlain(&defaults, data, m); return err },
	} {
		for _, m := range []*message{new(message), used()} {
			if err := decode(m); err != nil || !reflect.DeepEqual(m, want) {
				t.Errorf("%s: %+v, %v", way, m, err)
			}
		}
	}
}
