package reference

import (
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"
)

// Types for the tables below. The encoding of the one-letter key "A" is a1 41,
// and so on.
type (
	flat struct {
		A int
		b int
		C string
	}
	tagged struct {
		A int `msgpack:"x"`
		B int `msgpack:"-"`
		C int `msgpack:"-,"`
		D int `msgpack:",omitempty"`
		E int `msgpack:"é"`
		F int `json:"ignored"`
	}
	empties struct {
		Bool   bool           `msgpack:",omitempty"`
		Int    int            `msgpack:",omitempty"`
		Float  float64        `msgpack:",omitempty"`
		Cplx   complex64      `msgpack:",omitempty"`
		String string         `msgpack:",omitempty"`
		Ptr    *int           `msgpack:",omitempty"`
		Any    any            `msgpack:",omitempty"`
		Slice  []int          `msgpack:",omitempty"`
		Map    map[string]int `msgpack:",omitempty"`
		None   [0]int         `msgpack:",omitempty"`
	}
	always struct {
		Array  [1]int   `msgpack:",omitempty"`
		Struct struct{} `msgpack:",omitempty"`
	}
	zeros struct {
		Int   int       `msgpack:",omitzero"`
		Slice []int     `msgpack:",omitzero"`
		Array [2]int    `msgpack:",omitzero"`
		Time  time.Time `msgpack:",omitzero"`
		Own   fortyTwo  `msgpack:",omitzero"`
		Ptr   *fortyTwo `msgpack:",omitzero"`
		Any   zeroer    `msgpack:",omitzero"`
	}
	point struct{ X, Y int }
	row   struct {
		_ struct{} `msgpack:",as_array"`
		A int      `msgpack:",omitempty"`
		B *int     `msgpack:",omitzero"`
		P point
	}
	rows struct {
		P point  `msgpack:",as_array"`
		Q *point `msgpack:",as_array,omitempty"`
		R *row
	}
	Base struct{ A, B int }
	base struct{ A, B int }
	over struct {
		Base
		B string
	}
	lower struct {
		base
		C int
	}
	pointed struct {
		*Base
		C int
	}
	hiddenPointer struct {
		*base
		C int
	}
	pointedRow struct {
		_ struct{} `msgpack:",as_array"`
		*Base
		C int
	}
	inlined struct {
		One point  `msgpack:",inline"`
		Two *extra `msgpack:",inline"`
	}
	extra struct{ Z int }
	named struct {
		Base `msgpack:"base"`
		C    int
	}
	number       int
	NotAStruct   int
	ordinaries   struct{ NotAStruct }
	embedsNumber struct {
		number
		C int
	}
	tree struct {
		Left, Right *tree `msgpack:",omitempty"`
		V           int
	}
	hidden  struct{ a, b int }
	givenUp struct {
		a int
		B int `msgpack:"-"`
	}
	secret   struct{ A int }
	padded   struct{ _ [4]byte }
	nothing  struct{}
	fortyTwo int
	zeroer   interface{ IsZero() bool }
)

func (f *fortyTwo) IsZero() bool { return *f == 42 }

func (s secret) IsZero() bool { return s.A == 0 }

func TestEncodeStructs(t *testing.T) {
	testEncode(t, []encodeCase{
		{"flat", flat{1, 2, "c"}, "82 a141 01 a143 a163", nil},
		{"pointer", &flat{}, "82 a141 00 a143 a0", nil},
		{"tagged", tagged{1, 2, 3, 0, 5, 6}, "84 a178 01 a12d 03 a2c3a9 05 a146 06", nil},
		{"all empty", empties{Slice: []int{}, Map: map[string]int{}}, "80", nil},
		{"not empty", empties{Ptr: to(0), Any: 0, Slice: []int{0}}, "83 a3507472 00 a3416e79 00 a5536c696365 91 00", nil},
		{"negative zero is zero", struct {
			F float64 `msgpack:",omitempty"`
		}{math.Copysign(0, -1)}, "80", nil},
		{"never empty", always{}, "82 a54172726179 91 00 a6537472756374 80", nil},
		{"all zero", zeros{Own: 42, Ptr: to(fortyTwo(42)), Any: to(fortyTwo(42))}, "80", nil},
		{"nil in an interface with IsZero", zeros{Own: 42, Any: (*fortyTwo)(nil)}, "80", nil},
		{"not zero", zeros{Slice: []int{}, Ptr: new(fortyTwo)}, "83 a5536c696365 90 a34f776e 00 a3507472 00", nil},

		{"array form", row{P: point{1, 2}}, "93 00 c0 82 a158 01 a159 02", nil},
		{"array form by field", rows{point{1, 2}, &point{3, 4}, &row{A: 5, B: to(1)}},
			"83 a150 92 01 02 a151 92 03 04 a152 93 05 01 82 a158 00 a159 00", nil},
		{"array form of nil", rows{}, "82 a150 92 00 00 a152 c0", nil},

		{"array form in array form", struct {
			_ struct{} `msgpack:",as_array"`
			P point    `msgpack:",as_array"`
		}{P: point{1, 2}}, "91 92 01 02", nil},
		{"array form of only an embedded struct", struct {
			row
			C int
		}{}, "82 a150 82 a158 00 a159 00 a143 00", nil},

		{"shadowed", over{Base{1, 2}, "b"}, "82 a141 01 a142 a162", nil},
		{"promoted from unexported", lower{base{1, 2}, 3}, "83 a141 01 a142 02 a143 03", nil},
		{"promoted through a pointer", pointed{&Base{1, 2}, 3}, "83 a141 01 a142 02 a143 03", nil},
		{"promoted through nil", pointed{nil, 3}, "81 a143 03", nil},
		{"promoted through an unexported pointer", hiddenPointer{&base{1, 2}, 3}, "83 a141 01 a142 02 a143 03", nil},
		{"array form through nil", pointedRow{C: 3}, "93 c0 c0 03", nil},
		{"inline", inlined{point{1, 2}, &extra{3}}, "83 a158 01 a159 02 a15a 03", nil},
		{"inline nil", inlined{point{1, 2}, nil}, "82 a158 01 a159 02", nil},
		{"embedded with a name", named{Base{1, 2}, 3}, "82 a462617365 82 a141 01 a142 02 a143 03", nil},
		{"embedded number", ordinaries{5}, "81 aa4e6f7441537472756374 05", nil},
		{"embedded unexported number", embedsNumber{5, 6}, "81 a143 06", nil},
		{"recursive", tree{&tree{nil, nil, 1}, nil, 2}, "82 a44c656674 81 a156 01 a156 02", nil},
		{"methods of an embedded type are those of the outer", struct{ textOnly }{}, "a0", nil},

		{"no fields", nothing{}, "80", nil},
		{"blank fields only", padded{}, "80", nil},
		{"unexported fields only", hidden{1, 2}, "", ErrUnsupported},
		{"pointer to unexported fields only", &hidden{}, "", ErrUnsupported},
		{"nil pointer to unexported fields only", (*hidden)(nil), "c0", nil},
		{"unexported fields with a tag that omits one", givenUp{1, 2}, "80", nil},
		{"chan in a field", struct{ C chan int }{}, "", ErrUnsupported},
		{"chan in array form", struct {
			_ struct{} `msgpack:",as_array"`
			C chan int
		}{}, "", ErrUnsupported},
		{"zero of an unexported struct", struct {
			secret `msgpack:"s,omitzero"`
		}{}, "80", nil},
		{"chan in an omitted field", struct {
			C chan int `msgpack:"-"`
		}{}, "80", nil},
	})
}

func TestDecodeStructs(t *testing.T) {
	testDecode(t, []decodeCase{
		{"by name", "82 a143 a163 a141 01", new(flat), flat{A: 1, C: "c"}, nil},
		{"names in bin", "81 c40141 01", new(flat), flat{A: 1}, nil},
		{"case matters", "81 a161 01", new(flat), flat{}, nil},
		{"others keep their values", "81 a141 01", &flat{5, 6, "7"}, flat{1, 6, "7"}, nil},
		{"unknown names", "83 a178 93010203 a141 01 a17a 8101 02", new(flat), flat{A: 1}, nil},
		{"unknown kinds of keys", "84 01 02 90 03 c0 04 a141 05", new(flat), flat{A: 5}, nil},
		{"last duplicate wins", "82 a141 01 a141 02", new(flat), flat{A: 2}, nil},
		{"nil", "c0", &flat{1, 2, "3"}, flat{}, nil},
		{"nil field", "81 a141 c0", &flat{1, 2, "3"}, flat{0, 2, "3"}, nil},
		{"by position", "92 01 a163", new(flat), flat{A: 1, C: "c"}, nil},
		{"by position, fewer", "91 01", &flat{5, 6, "7"}, flat{1, 6, "7"}, nil},
		{"by position, none", "90", &flat{5, 6, "7"}, flat{5, 6, "7"}, nil},
		{"by position, more", "94 01 a163 91c3 05", new(flat), flat{A: 1, C: "c"}, nil},
		{"array form from a map", "81 a141 01", new(row), row{A: 1}, nil},
		{"map form from an array", "92 01 02", new(point), point{1, 2}, nil},
		{"tagged", "84 a178 01 a12d 03 a142 02 a2c3a9 05", new(tagged), tagged{A: 1, C: 3, E: 5}, nil},
		{"int into struct", "01", new(flat), nil, ErrMismatch},
		{"str into struct", "a141", new(flat), nil, ErrMismatch},
		{"field of another kind", "81 a141 c3", new(flat), nil, ErrMismatch},

		{"shadowed", "81 a142 a162", new(over), over{B: "b"}, nil},
		{"promoted", "82 a141 01 a143 03", new(lower), lower{base{A: 1}, 3}, nil},
		{"pointer allocated", "81 a142 02", new(pointed), pointed{Base: &Base{B: 2}}, nil},
		{"pointer not needed", "81 a143 02", new(pointed), pointed{C: 2}, nil},
		{"nil does not allocate the pointer", "81 a142 c0", new(pointed), pointed{}, nil},
		{"nil below an existing pointer", "81 a142 c0", &pointed{Base: &Base{1, 2}}, pointed{Base: &Base{1, 0}}, nil},
		{"pointer not needed by position", "93 c0 c0 03", new(pointedRow), pointedRow{C: 3}, nil},
		{"unexported pointer", "81 a142 02", new(hiddenPointer), nil, ErrUnsupported},
		{"existing unexported pointer", "81 a142 02", &hiddenPointer{base: &base{1, 1}}, hiddenPointer{base: &base{1, 2}}, nil},
		{"unexported pointer not needed", "82 a142 c0 a143 02", new(hiddenPointer), hiddenPointer{C: 2}, nil},
		{"inline", "83 a158 01 a159 02 a15a 03", new(inlined), inlined{point{1, 2}, &extra{3}}, nil},
		{"embedded with a name", "82 a462617365 81 a142 02 a141 05", new(named), named{Base{B: 2}, 0}, nil},
		{"recursive", "82 a44c656674 81 a156 01 a156 02", new(tree), tree{&tree{nil, nil, 1}, nil, 2}, nil},

		{"no fields", "81 01 02", new(nothing), nothing{}, nil},
		{"unexported fields only", "80", new(hidden), nil, ErrUnsupported},
		{"nil into unexported fields only", "c0", new(hidden), nil, ErrUnsupported},
		{"nil into pointer to unexported fields only", "c0", new(*hidden), (*hidden)(nil), nil},
		{"chan in a field", "81 a143 01", new(struct{ C chan int }), nil, ErrUnsupported},
		{"chan in a missing field", "80", new(struct{ C chan int }), struct{ C chan int }{}, nil},
	})
}

// TestUnexportedWithName checks an embedded struct of an unexported type. Reflection
// can set its fields but cannot replace it.
func TestUnexportedWithName(t *testing.T) {
	type inner struct{ A int }
	type outer struct {
		inner `msgpack:"in"`
	}
	testEncode(t, []encodeCase{{"encoded", outer{inner{5}}, "81 a2696e 81 a141 05", nil}})
	testDecode(t, []decodeCase{
		{"decoded", "81 a2696e 81 a141 05", new(outer), outer{inner{5}}, nil},
		{"nil", "81 a2696e c0", new(outer), nil, ErrUnsupported},
	})
	type silent struct {
		textOnly `msgpack:"x"`
		// Fields with these names hide the promoted methods, which would
		// otherwise be methods of the whole struct.
		MarshalText, UnmarshalText int `msgpack:"-"`
	}
	testEncode(t, []encodeCase{{"encoded by methods", silent{}, "", ErrUnsupported}})
	testDecode(t, []decodeCase{{"decoded by methods", "81 a178 a0", new(silent), nil, ErrUnsupported}})
}

// TestFieldRules checks which fields a struct has, by the names that it is encoded
// with.
func TestFieldRules(t *testing.T) {
	type (
		A struct{ X, Y int }
		B struct{ X int }
		C struct{ A }
		T struct {
			X int `msgpack:"X"`
		}
		D  struct{ A }
		L1 struct {
			A
			X string
		}
		L2 struct{ L1 }
		R  struct {
			*R
			X int
		}
	)
	for _, c := range []struct {
		name  string
		value any
		want  []string // the field names in order
	}{
		{"tie of two", struct {
			A
			B
		}{}, []string{"Y"}},
		{"tie broken by a tag", struct {
			A
			T
		}{}, []string{"Y", "X"}},
		{"tie of two tags", struct {
			T
			U struct {
				Z int `msgpack:"X"`
			} `msgpack:",inline"`
		}{}, nil},
		{"a tie hides deeper fields", struct {
			B
			C
			U struct{ X int } `msgpack:",inline"`
		}{}, []string{"Y"}},
		{"depth has precedence over a tag", struct {
			T
			X string
		}{}, []string{"X"}},
		{"twice on one level", struct {
			C
			D
		}{}, nil},
		{"twice on two levels", struct {
			A
			C
		}{}, []string{"X", "Y"}},
		{"two levels", L2{}, []string{"Y", "X"}},
		{"embeds itself", R{}, []string{"X"}},
		{"a name from a tag is another name", struct {
			A
			X int `msgpack:"x"`
		}{}, []string{"X", "Y", "x"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := fieldsOf(reflect.TypeOf(c.value))
			var names []string
			for _, f := range s.fields {
				names = append(names, f.name)
			}
			if err != nil || fmt.Sprint(names) != fmt.Sprint(c.want) {
				t.Errorf("got %v, %v, want %v", names, err, c.want)
			}
		})
	}
}

func TestTagErrors(t *testing.T) {
	type empty struct{}
	for _, c := range []struct {
		name  string
		value any
	}{
		{"unknown option", struct {
			A int `msgpack:"a,omitted"`
		}{}},
		{"empty option", struct {
			A int `msgpack:"a,"`
		}{}},
		{"space before an option", struct {
			A int `msgpack:"a, omitempty"`
		}{}},
		{"inline on an int", struct {
			A int `msgpack:",inline"`
		}{}},
		{"inline on a map", struct {
			A map[string]int `msgpack:",inline"`
		}{}},
		{"inline with a name", struct {
			A Base `msgpack:"a,inline"`
		}{}},
		{"inline with another option", struct {
			A *Base `msgpack:",inline,omitempty"`
		}{}},
		{"inline on a pointer to a pointer", struct {
			A **Base `msgpack:",inline"`
		}{}},
		{"inline on unexported fields only", struct {
			A hidden `msgpack:",inline"`
		}{}},
		{"as_array on a slice", struct {
			A []Base `msgpack:",as_array"`
		}{}},
		{"as_array on a promoted struct", struct {
			Base `msgpack:",as_array"`
		}{}},
		{"omitempty on a promoted struct", struct {
			*Base `msgpack:",omitempty"`
		}{}},
		{"option on an unexported field", struct {
			A int
			b int `msgpack:",omitempty"`
		}{}},
		{"name of an unexported field", struct {
			A int
			b int `msgpack:"b"`
		}{}},
		{"empty tag of an unexported field", struct {
			A int
			b int `msgpack:""`
		}{}},
		{"unknown option on a blank field", struct {
			_ empty `msgpack:",as_array,omitted"`
		}{}},
		{"name on a blank field", struct {
			_ empty `msgpack:"a"`
		}{}},
		{"omitempty on a blank field", struct {
			_ empty `msgpack:",omitempty"`
		}{}},
		{"inline on a blank field", struct {
			_ empty `msgpack:",inline"`
		}{}},
		{"as_array on padding", struct {
			_ [4]byte `msgpack:",as_array"`
		}{}},
		{"duplicate name", struct {
			A int `msgpack:"x"`
			B int `msgpack:"x"`
		}{}},
		{"in an embedded struct", struct {
			Faulty
		}{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			testEncode(t, []encodeCase{{"encoded", c.value, "", ErrUnsupported}})
			testDecode(t, []decodeCase{{"decoded", "80", newOf(c.value), nil, ErrUnsupported}})
		})
	}
}

type Faulty struct {
	A int `msgpack:",wrong"`
}
