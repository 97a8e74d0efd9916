package migration

import (
	"bytes"
	"encoding/hex"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/profile"
	"github.com/ugorji/go/codec"
)

type (
	namedBase struct {
		Base `msgpack:"b"`
	}
	octetText    struct{ N int8 } // a method that only Octet knows
	myBytes      []myByte
	pointedFirst []byte
	octetBinary  struct{ N int8 }
	complexes    struct{ C complex64 }
	dashedName   struct {
		A int `msgpack:"-,"`
		B int
	}
	pointerText struct{ N int8 } // its method needs a pointer
	twice       struct {
		B string
		A int `msgpack:"B"`
	}
	embeddedInt struct {
		myInt
		Z int
	}
	embeddedHidden struct {
		*hiddenBase
		Z int
	}
	namedHidden struct {
		hiddenBase `msgpack:"h"`
		Z          int
	}
	taggedHidden struct {
		a int `msgpack:"a"` //lint:ignore U1000 the libraries ignore it
		B int
	}
	twoEmbedded struct {
		Base
		OtherBase
	}
	OtherBase      struct{ ID, Z int }
	deeperEmbedded struct {
		DeepBase
		OtherBase
	}
	DeepBase  struct{ WideBase }
	WideBase  struct{ ID, W int }
	twoHidden struct {
		FirstHidden
		OtherHidden
		A int
	}
	FirstHidden struct{ a byte }
	OtherHidden struct{ a byte }
	twoShown    struct {
		FirstShown
		OtherShown
	}
	FirstShown      struct{ N int }
	OtherShown      struct{ M int }
	embeddedOmitted struct {
		Base `msgpack:",omitempty"`
		Z    int
	}
)

func (octetText) AppendText(b []byte) ([]byte, error) { return append(b, 'o'), nil }
func (*octetText) UnmarshalText([]byte) error         { return nil }

func (octetBinary) AppendBinary(b []byte) ([]byte, error) { return append(b, 'o'), nil }
func (*octetBinary) UnmarshalBinary([]byte) error         { return nil }

func (h FirstHidden) MarshalBinary() ([]byte, error)  { return []byte{h.a}, nil }
func (h *FirstHidden) UnmarshalBinary(b []byte) error { h.a = b[0]; return nil }

func (h OtherHidden) MarshalBinary() ([]byte, error)  { return []byte{h.a}, nil }
func (h *OtherHidden) UnmarshalBinary(b []byte) error { h.a = b[0]; return nil }

func (s FirstShown) MarshalBinary() ([]byte, error)  { return []byte{byte(s.N)}, nil }
func (s *FirstShown) UnmarshalBinary(b []byte) error { s.N = int(b[0]); return nil }

func (s OtherShown) MarshalBinary() ([]byte, error)  { return []byte{byte(s.M)}, nil }
func (s *OtherShown) UnmarshalBinary(b []byte) error { s.M = int(b[0]); return nil }

func (pointedFirst) MarshalBinary() ([]byte, error) { return []byte{5}, nil }

func (*pointerText) MarshalBinary() ([]byte, error) { return []byte{5}, nil }
func (*pointerText) UnmarshalBinary([]byte) error   { return nil }

// encodingExceptions has a program for each exception that the documentation of the
// profiles names for encoding.
var encodingExceptions = []struct {
	profiles string // beginnings of names
	about    string
	value    any
	theirs   string // hexadecimal; empty: an error or a panic
	ours     string
}{
	{"Vmihailenco Shamaton$ ShamatonV2$ Ugorji Hashicorp", "a struct without exported fields", &private{1}, "80", ""},
	{"ShamatonArray ShamatonV2Array", "a struct without exported fields", &private{1}, "90", ""},
	{"Vmihailenco$", "an embedded struct without exported fields", &twoHidden{FirstHidden{1}, OtherHidden{2}, 3},
		"83ab466972737448696464656ec40101ab4f7468657248696464656ec40102a14103", ""},
	{"VmihailencoV4", "an embedded struct without exported fields", &twoHidden{FirstHidden{1}, OtherHidden{2}, 3},
		"83ab466972737448696464656ec40101ab4f7468657248696464656ec40102a141d30000000000000003", ""},
	{"Vmihailenco$", "an embedded struct with methods that are not promoted", &twoShown{FirstShown{1}, OtherShown{2}},
		"82aa466972737453686f776ec40101aa4f7468657253686f776ec40102", "82a14e01a14d02"},
	{"Ugorji Hashicorp", "an embedded struct without exported fields", &twoHidden{FirstHidden{1}, OtherHidden{2}, 3}, "81a14103", ""},
	{"Vmihailenco$", "a field with the name of an embedded one", &shadower{Base{1}, "a"}, "82a2494401a24944a161", "81a24944a161"},
	{"Vmihailenco$ ShamatonV2$ Hashicorp", "two fields with one name", &twice{"a", 1}, "82a142a161a14201", "81a14201"},
	{"Vmihailenco$", "fields with one name in embedded structs", &twoEmbedded{Base{1}, OtherBase{2, 3}}, "82a2494401a94f746865724261736582a2494402a15a03", "81a15a03"},
	{"Shamaton$", "a field that replaces one of an embedded struct", &deeperEmbedded{DeepBase{WideBase{1, 4}}, OtherBase{2, 3}}, "83a2494402a15704a15a03", "83a15704a2494402a15a03"},
	{"ShamatonArray", "a field that replaces one of an embedded struct", &deeperEmbedded{DeepBase{WideBase{1, 4}}, OtherBase{2, 3}}, "93020403", "93040203"},
	{"Ugorji", "two fields with one name", &twoEmbedded{Base{1}, OtherBase{2, 3}}, "82a2494401a15a03", "81a15a03"},
	{"Hashicorp", "two fields with one name", &twoEmbedded{Base{1}, OtherBase{2, 3}}, "83a2494401a2494402a15a03", "81a15a03"},
	{"Ugorji", "two fields with one name", &twice{"a", 1}, "81a142a161", "81a14201"},
	{"Vmihailenco$", "an embedded struct with a name", &namedBase{Base{1}}, "81a2494401", "81a16281a2494401"},
	{"VmihailencoV4", "an embedded struct with a name", &namedBase{Base{1}}, "81a24944d30000000000000001", "81a16281a24944d30000000000000001"},
	{"Vmihailenco$", "an embedded field that is no struct", &embeddedInt{1, 1}, "82a56d79496e74d10001a15a01", "81a15a01"},
	{"VmihailencoV4", "an embedded field that is no struct", &embeddedInt{1, 1}, "82a56d79496e74d10001a15ad30000000000000001", "81a15ad30000000000000001"},
	{"Vmihailenco$ Shamaton$ ShamatonV2$", "a tag on a field that is not exported", &taggedHidden{1, 2}, "81a14202", ""},
	{"VmihailencoV4", "a tag on a field that is not exported", &taggedHidden{1, 2}, "81a142d30000000000000002", ""},
	{"ShamatonArray ShamatonV2Array", "a tag on a field that is not exported", &taggedHidden{1, 2}, "9102", ""},
	{"Shamaton$", "omitempty on an embedded struct", &embeddedOmitted{Base{}, 1}, "81a15a01", ""},
	{"Ugorji Hashicorp", "an embedded pointer to an unexported struct", &embeddedHidden{&hiddenBase{1}, 1}, "81a15a01", "82a648696464656e01a15a01"},
	{"Ugorji", "an unexported struct with a name", &namedHidden{hiddenBase{1}, 1}, "81a15a01", "82a16881a648696464656e01a15a01"},
	{"Hashicorp", "an unexported struct with a name", &namedHidden{hiddenBase{1}, 1}, "81a15a01", "82a15a01a16881a648696464656e01"},
	{"Shamaton$ ShamatonV2$ Ugorji Hashicorp", "the method MarshalMsgpack", &marshaledStruct{1}, "81a14e01", "91d10001"},
	{"Vmihailenco$", "a big.Float", big.NewFloat(1.5), "c403312e35", "c412010a0000003500000001c000000000000000"},
	{"Vmihailenco", "a complex number", &complexes{1}, "", "81a14392ca3f800000ca00000000"},
	{"Ugorji", "a complex number", &complexes{1}, "81a143ca3f800000", "81a14392ca3f800000ca00000000"},
	{"Hashicorp", "a complex number", &complexes{1}, "80", "81a14392ca3f800000ca00000000"},
	{"Vmihailenco", "an atomic.Int64", &struct{ C atomic.Int64 }{}, "81a14380", "81a143d30000000000000000"},
	{"Vmihailenco$", "the option noinline", &notInlined{Base{1}}, "81a44261736581a2494401", ""},
	{"Vmihailenco$ Shamaton$ ShamatonV2$", "the name -", &dashedName{1, 2}, "81a14202", "82a12d01a14202"},
	{"Vmihailenco$", "methods of Octet", &octetText{1}, "81a14ed001", "c4016f"},
	{"VmihailencoV4", "methods of Octet", &octetBinary{1}, "81a14ed001", "c4016f"},
	{"Ugorji$ Hashicorp", "methods of Octet", &octetBinary{1}, "81a14e01", "a16f"},
	{"UgorjiExt", "methods of Octet", &octetBinary{1}, "81a14e01", "c4016f"},
	{"Vmihailenco", "a method that needs a pointer", map[string]pointerText{"a": {}}, "", "81a161c40105"},
	{"Vmihailenco$", "a pointer to a nil slice with methods", &struct{ P *pointedFirst }{new(pointedFirst)}, "81a150c40105", "81a150c0"},
	{"Shamaton$ ShamatonV2$", "a letter outside ASCII", &accented{1}, "80", "81a5c3896c616e01"},
	{"VmihailencoV4", "a byte type with binary methods", &[]binaryByte{1}, "c40101", "91c40162"},
	{"Shamaton UgorjiExt", "a named byte type", &myBytes{1}, "9101", "c40101"},
	{"Ugorji$ Hashicorp", "a named byte type", &myBytes{1}, "9101", "a101"},
	{"Ugorji", "an array of one map", [1]map[string]int{{"a": 1}}, "", "9181a16101"},
	{"Vmihailenco Shamaton$ ShamatonV2$ Ugorji Hashicorp", "a tag option of package msgpack", &struct {
		B bool `msgpack:",omitzero"`
	}{}, "81a142c2", "80"},
	{"Ugorji", "an empty part of a string", &struct {
		S string `msgpack:",omitempty"`
	}{"text"[1:1]}, "81a153a0", "80"},
}

// optionExceptions has a program for each exception of UgorjiExt that needs an option.
var optionExceptions = []struct {
	about        string
	value        any
	handle       func(h *codec.MsgpackHandle)
	option       func(o *msgpack.Options)
	theirs, ours string
}{
	{"an empty field of an array", &struct {
		S []int `msgpack:",omitempty"`
	}{[]int{}}, func(h *codec.MsgpackHandle) { h.StructToArray = true }, func(o *msgpack.Options) { o.StructAsArray = true }, "91c0", "9190"},
	{"a nil []byte that is empty", &struct{ B []byte }{}, func(h *codec.MsgpackHandle) { h.NilCollectionToZeroLength = true },
		func(o *msgpack.Options) { o.NilSliceAsEmpty = true }, "81a142a0", "81a142c400"},
	{"a Raw of the library", &struct{ R codec.Raw }{codec.Raw{0x91, 2}}, func(h *codec.MsgpackHandle) { h.Raw = true }, func(*msgpack.Options) {}, "81a1529102", "81a152c4029102"},
	{"a RawExt of the library", &codec.RawExt{Tag: 5, Data: []byte{7}}, func(*codec.MsgpackHandle) {}, func(*msgpack.Options) {}, "d40507", "83a354616705a444617461c40107a556616c7565c0"},
	{"sorted times", map[time.Time]int{time.Unix(5, 0): 1, time.Unix(1<<35, 0): 2}, func(h *codec.MsgpackHandle) { h.Canonical = true }, func(o *msgpack.Options) { o.SortKeys = true },
		"82d6ff0000000501c70cff00000000000000080000000002", "82c70cff00000000000000080000000002d6ff0000000501"},
	{"sorted keys in interfaces", map[any]int{"": 1, uint8(200): 2}, func(h *codec.MsgpackHandle) { h.Canonical = true }, func(o *msgpack.Options) { o.SortKeys = true }, "82a001ccc802", "82ccc802a001"},
}

// TestOptionExceptions is TestExceptionsWrite for optionExceptions.
func TestOptionExceptions(t *testing.T) {
	for _, c := range optionExceptions {
		theirs, err := withUgorji(func(h *codec.MsgpackHandle) {
			h.TypeInfos, h.WriteExt = codec.NewTypeInfos([]string{"msgpack"}), true
			c.handle(h)
		})(c.value)
		if err != nil || hex.EncodeToString(theirs) != c.theirs {
			t.Errorf("%s: the library has %x, %v, want %s", c.about, theirs, err, c.theirs)
		}
		o := profile.UgorjiExt()
		o.TagKeys = []string{"msgpack"}
		c.option(&o)
		ours, err := msgpack.New(o)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := ours.Marshal(c.value); err != nil || hex.EncodeToString(got) != c.ours {
			t.Errorf("%s: octet has %x, %v, want %s", c.about, got, err, c.ours)
		}
	}
}

// TestExceptionsWrite encodes the values of encodingExceptions with both sides, which write
// other bytes.
func TestExceptionsWrite(t *testing.T) {
	for _, c := range encodingExceptions {
		for _, p := range profiles() {
			if !named(p.name, c.profiles) {
				continue
			}
			_, ours := profileOf(t, p.name)
			theirs, err := catch(func() ([]byte, error) { return p.marshal(c.value) })
			got, err2 := ours.Marshal(c.value)
			if (err == nil) != (c.theirs != "") || hex.EncodeToString(theirs) != c.theirs {
				t.Errorf("%s: %s: the library has %x, %v, want %s", p.name, c.about, theirs, err, c.theirs)
			}
			if (err2 == nil) != (c.ours != "") || err2 == nil && hex.EncodeToString(got) != c.ours {
				t.Errorf("%s: %s: octet has %x, %v, want %s", p.name, c.about, got, err2, c.ours)
			}
			if bytes.Equal(got, theirs) && (err == nil) == (err2 == nil) {
				t.Errorf("%s: %s: no exception", p.name, c.about)
			}
		}
	}
}

// exceptionPrograms names the program for each exception in the documentation of the profiles,
// by the beginning of its text.
var exceptionPrograms = map[string]string{
	"Structs without exported fields":               "a struct without exported fields",
	"An embedded struct with exported fields and":   "an embedded struct with methods that are not promoted",
	"An embedded struct without exported fields":    "an embedded struct without exported fields",
	"A field with the name of a field of an":        "a field with the name of an embedded one",
	"Of two fields with one name":                   "two fields with one name",
	"Of fields with one name in two embedded":       "fields with one name in embedded structs",
	"A field that replaces one of the same name":    "a field that replaces one of an embedded struct",
	"An embedded struct whose tag has a name":       "an embedded struct with a name",
	"An embedded field of an unexported type":       "an embedded field that is no struct",
	"Tags on fields that are not exported":          "a tag on a field that is not exported",
	"The option omitempty on an embedded struct":    "omitempty on an embedded struct",
	"An embedded pointer to an unexported struct":   "an embedded pointer to an unexported struct",
	"An embedded unexported struct whose tag":       "an unexported struct with a name",
	"Types with a method MarshalMsgpack":            "the method MarshalMsgpack",
	"Fields with the tag option allownil":           "allownil",
	"Fields with the tag option flatten":            "flatten",
	"A struct of another file with omitempty":       "a struct of another file",
	"Slices and arrays whose elements have the":     "elements of type uint8",
	"Functions and channels are errors":             "a map with integers as keys",
	"The types of package sync/atomic":              "an atomic.Int64",
	"A big.Float":                                   "a big.Float",
	"Complex numbers are arrays":                    "a complex number",
	"The tag options noinline":                      "the option noinline",
	"The name -":                                    "the name -",
	"Types with only the method":                    "methods of Octet",
	"A type whose methods need a pointer":           "a method that needs a pointer",
	"A pointer to a nil slice or map":               "a pointer to a nil slice with methods",
	"Fields whose names begin with a letter":        "a letter outside ASCII",
	"Slices and arrays of a named byte type":        "a named byte type",
	"Arrays and structs that consist of one":        "an array of one map",
	"The tag options of package msgpack":            "a tag option of package msgpack",
	"An empty string that is part":                  "an empty part of a string",
	"In a struct that is an array, an empty field":  "an empty field of an array",
	"Values of the types codec.Raw":                 "a Raw of the library",
	"With SortKeys, map keys that are times":        "sorted keys in interfaces",
	"With NilSliceAsEmpty, a nil []byte":            "a nil []byte that is empty",
	"Maps whose keys are not strings":               "a map with keys that are not strings in any",
	"The elements that a slice":                     "elements of a slice",
	"A value in an interface is replaced":           "an interface that holds a value",
	"nil is passed to the method UnmarshalMsgpack":  "nil for a type with UnmarshalMsgpack",
	"nil sets a slice of strings":                   "nil for a slice of strings",
	"nil for a field of an embedded nil pointer":    "a field of an embedded nil pointer",
	"nil sets a slice, map, pointer":                "nil for a slice",
	"The elements of an array":                      "elements of an array",
	"Complex numbers are decoded into":              "a complex number in any",
	"nil sets a Raw that is the whole message":      "nil for a Raw",
	"nil sets a pointer to nil":                     "nil for a pointer",
	"A map whose key is a nil pointer":              "a map whose key is a nil pointer",
	"A field with the name of the embedded struct ": "a field with the name of its embedded struct",
	"A float with a fraction is":                    "a float with a fraction in an integer",
	"An array that is shorter than a Go array":      "an array that is shorter than a Go array",
	"An integer out of range":                       "an integer above the range",
	"An integer above the range of int64":           "an integer above the range of int64",
	"A bool cannot be decoded":                      "an integer in a bool",
	"A field _struct":                               "toarray", // of TestTags
}

// TestExceptionsHavePrograms requires a program for each exception in the documentation of
// the profiles.
func TestExceptionsHavePrograms(t *testing.T) {
	programs := map[string]bool{"toarray": true}
	for _, c := range encodingExceptions {
		programs[c.about] = true
	}
	for _, c := range decodingExceptions {
		programs[c.about] = true
	}
	for _, c := range optionExceptions {
		programs[c.about] = true
	}
	for _, c := range msgpExceptions {
		programs[c.about] = true
	}
	f, err := parser.ParseFile(token.NewFileSet(), "../../msgpack/profile/profile.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		for line := range strings.Lines(fn.Doc.Text()) {
			bullet, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
			if !ok {
				continue
			}
			found := ""
			for beginning, about := range exceptionPrograms {
				if strings.HasPrefix(bullet, beginning) {
					used[beginning], found = true, about
				}
			}
			if !programs[found] {
				t.Errorf("%s: no program for %q", fn.Name, bullet)
			}
		}
	}
	for beginning := range exceptionPrograms {
		if !used[beginning] {
			t.Errorf("no exception %q", beginning)
		}
	}
}
