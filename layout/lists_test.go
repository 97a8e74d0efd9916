package layout

import (
	"reflect"
	"slices"
	"testing"
)

type (
	listPadded struct {
		Items []listItem `layout:"count=u8"`
	}
	listItem struct {
		A uint8
		_ uint8
		B uint16
	}
	listPartly struct {
		Items []listPart `layout:"count=u8"`
	}
	listPart struct {
		_    uint16
		Text string `layout:"prefix=u8"`
	}
	listFlags struct {
		Flag  bool  `layout:"bits=1"`
		Other uint8 `layout:"bits=7"`
		_     uint8
		Len   uint8  `layout:"len=Flag..Text"`
		Text  string `layout:"if=Flag"`
	}
	listBits struct {
		Len   uint16     `layout:"bits=11,len=Items"`
		Kind  uint8      `layout:"bits=5"`
		Items []listText `layout:"until=end"`
	}
	listText struct {
		Text string `layout:"prefix=u8"`
	}
	listFixed struct {
		Name string `layout:"fixed=16,max=12"`
	}
	listVarints struct {
		Len   uint32     `layout:"varint,len=ID..Items"`
		ID    int32      `layout:"varint"`
		Count uint32     `layout:"varint,count=Items"`
		Items []listName `layout:"until=end"`
	}
	listName struct {
		Name string `layout:"prefix=varint"`
	}
	listSigned struct {
		Len   int32 `layout:"len=Len..Items"`
		Items []listName
	}
	listTree struct {
		Value uint8
		Next  *listTree `layout:"if=Value"`
	}
	listUnion struct {
		Kind uint8
		Body any `layout:"switch=Kind"`
	}
	listNumber      struct{ N uint8 } // of one byte, which has no order
	listSignedLimit struct {
		A int8  `layout:"bits=5,max=9"`
		B int16 `layout:"bits=11,max=2000"`
	}
)

// TestLists compares the operations of types that a slower form could do as well, so that no
// result would tell.
func TestLists(t *testing.T) {
	c, err := New(Options{Unions: []UnionCoder{Union[any](VariantOf[listNumber](1), VariantOf[*listText](2), KeepUnknown())}})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name               string
		v                  any
		encoding, decoding []opcode
	}{
		{"blank bytes between numbers of elements", listPadded{}, []opcode{opItems}, []opcode{opItems}},
		{"blank bytes before a text", listPartly{}, []opcode{opSeq, opWord, opText, opNext}, []opcode{opSeq, opSpace, opText, opAppend}},
		{"a number for a condition, in a word", listFlags{}, []opcode{opRoom, opNote, opWord, opIf, opText, opPatch}, nil},
		{"a length in bits", listBits{}, []opcode{opRoom, opEdge, opWord, opSeq, opText, opNext, opPatch}, nil},
		{"lengths, counts and numbers of variable width", listVarints{}, []opcode{opVarint, opEdge, opVarint, opVarint, opSeq, opText, opNext, opPatch}, nil},
		{"a signed length", listSigned{}, []opcode{opRoom, opWord, opSeq, opText, opNext, opPatch}, nil},
		{"limits of signed numbers", listSignedLimit{}, []opcode{opRoom, opWord}, nil},
		{"a limit beside a fixed length", listFixed{}, []opcode{opFixed}, []opcode{opFixed}},
		{"the outermost struct of a recursive type", listTree{}, []opcode{opRoom, opNote, opCopy1, opIf, opDeref, opCall, opBack}, []opcode{opRoom, opValue, opIf, opDeref, opCall, opBack}},
		{"variants", listUnion{}, []opcode{opRoom, opWord, opUnion, opRoom, opCopy1, opBack, opText, opBack, opUnknown, opBack}, nil},
	} {
		m, err := c.of(reflect.TypeOf(test.v))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		for _, d := range []struct {
			what string
			list *flat
			want []opcode
		}{{"encoding", m.encoding, test.encoding}, {"decoding", m.decoding, test.decoding}} {
			var got []opcode
			for _, o := range d.list.ops {
				if got = append(got, o.code); o.code == opVarint && d.what == "encoding" && o.size == 0 {
					t.Errorf("%s: encoding leaves the loop for %s", test.name, o.x.path)
				}
			}
			if got = got[:len(got)-1]; d.want != nil && !slices.Equal(got, d.want) {
				t.Errorf("%s: %s has the operations %v, want %v", test.name, d.what, got, d.want)
			}
		}
	}
	m, _ := c.of(reflect.TypeFor[listUnion]())
	for _, o := range m.encoding.ops {
		if o.code == opUnion && len(o.x.cases) != 2 {
			t.Errorf("the loop begins %d variants, want those by value and by pointer", len(o.x.cases))
		}
	}
}

// TestDepth counts levels of recursive structs, of which the outermost is no call.
func TestDepth(t *testing.T) {
	for _, n := range []int{maxDepth, maxDepth + 1} {
		b, v := make([]byte, n), new(listTree)
		for i := range b[:n-1] {
			b[i], v = 1, &listTree{1, v}
		}
		var got listTree
		if err := Unmarshal(b, &got); (err == nil) != (n == maxDepth) {
			t.Errorf("decoding %d levels: %v", n, err)
		}
		if _, err := Marshal(v); (err == nil) != (n == maxDepth) {
			t.Errorf("encoding %d levels: %v", n, err)
		}
	}
}
