package msgpack_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// The shapes are variants of a union: a value, a pointer, a type that contains
// other shapes, and types without a map form.
type (
	shape  interface{ shape() }
	circle struct{ R int }
	square struct {
		Side int
		Name string `msgpack:",omitempty"`
	}
	group struct{ Shapes []shape }
	wide  struct { // 15 fields; with the discriminator they are 16, which need a longer header
		F0, F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12, F13 int
		In                                                         shape
	}
	hiddenShape struct{ n int }
	flatShape   struct {
		_ struct{} `msgpack:",as_array"`
		N int
	}
	length   int
	loop     struct{ Next shape }
	pinned   struct{ P *int }
	wrongTag struct {
		N int `msgpack:",nonsense"`
	}
)

func (circle) shape()         {}
func (*square) shape()        {}
func (*group) shape()         {}
func (wide) shape()           {}
func (flatShape) shape()      {}
func (length) shape()         {}
func (loop) shape()           {}
func (pinned) shape()         {}
func (wrongTag) shape()       {}
func (h *hiddenShape) shape() { h.n++ }

// shapes returns the union that most tests use.
func shapes(discriminator string) msgpack.TypeCoder {
	return msgpack.Union[shape](discriminator, msgpack.VariantOf[circle]("circle"), msgpack.VariantOf[*square]("square"),
		msgpack.VariantOf[*group](-3), msgpack.VariantOf[wide](uint32(1<<32-1)), msgpack.VariantOf[loop]("loop"),
		msgpack.VariantOf[pinned]("a tag that is longer than thirty-one bytes"))
}

func shapeCodec(t testing.TB, discriminator string) *msgpack.Codec {
	return newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{shapes(discriminator)}})
}

// A drawing has variables of the interface in many places.
type drawing struct {
	One  shape
	All  []shape
	By   map[string]shape
	Two  [2]shape
	Ptr  *shape
	Keys map[shape]int
}

const longTag = "\xd9\x2aa tag that is longer than thirty-one bytes"

// shapeCases holds shapes in array form, and in map form with the key "t".
var shapeCases = []struct {
	name          string
	shape         shape
	array, tagged string
}{
	{"nil", nil, "\xc0", "\xc0"},
	{"value", circle{1}, "\x92\xa6circle\x81\xa1R\x01", "\x82\xa1t\xa6circle\xa1R\x01"},
	{"pointer", &square{2, ""}, "\x92\xa6square\x81\xa4Side\x02", "\x82\xa1t\xa6square\xa4Side\x02"},
	{"optional field", &square{2, "n"}, "\x92\xa6square\x82\xa4Side\x02\xa4Name\xa1n", "\x83\xa1t\xa6square\xa4Side\x02\xa4Name\xa1n"},
	{"nested", &group{[]shape{circle{1}, nil, &group{}}},
		"\x92\xfd\x81\xa6Shapes\x93\x92\xa6circle\x81\xa1R\x01\xc0\x92\xfd\x81\xa6Shapes\xc0",
		"\x82\xa1t\xfd\xa6Shapes\x93\x82\xa1t\xa6circle\xa1R\x01\xc0\x82\xa1t\xfd\xa6Shapes\xc0"},
	{"long header", wide{F1: 1, F13: 13, In: loop{circle{3}}},
		"\x92\xce\xff\xff\xff\xff\x8f" + wideFields + "\x92\xa4loop\x81\xa4Next\x92\xa6circle\x81\xa1R\x03",
		"\xde\x00\x10\xa1t\xce\xff\xff\xff\xff" + wideFields + "\x82\xa1t\xa4loop\xa4Next\x82\xa1t\xa6circle\xa1R\x03"},
	{"wide in wide", wide{F1: 1, F13: 13, In: wide{F1: 1, F13: 13}},
		"\x92\xce\xff\xff\xff\xff\x8f" + wideFields + "\x92\xce\xff\xff\xff\xff\x8f" + wideFields + "\xc0",
		"\xde\x00\x10\xa1t\xce\xff\xff\xff\xff" + wideFields + "\xde\x00\x10\xa1t\xce\xff\xff\xff\xff" + wideFields + "\xc0"},
	{"one pointer", pinned{new(5)}, "\x92" + longTag + "\x81\xa1P\x05", "\x82\xa1t" + longTag + "\xa1P\x05"},
	{"one nil pointer", pinned{}, "\x92" + longTag + "\x81\xa1P\xc0", "\x82\xa1t" + longTag + "\xa1P\xc0"},
}

const wideFields = "\xa2F0\x00\xa2F1\x01\xa2F2\x00\xa2F3\x00\xa2F4\x00\xa2F5\x00\xa2F6\x00\xa2F7\x00\xa2F8\x00\xa2F9\x00" +
	"\xa3F10\x00\xa3F11\x00\xa3F12\x00\xa3F13\x0d\xa2In"

func TestUnion(t *testing.T) {
	for _, c := range shapeCases {
		for form, bytes := range map[string]string{"": c.array, "t": c.tagged} {
			codec := shapeCodec(t, form)
			t.Run(c.name+"/"+form, func(t *testing.T) {
				s := c.shape
				checkShape(t, codec, &s, bytes, new(shape))
				checkShape(t, codec, []shape{s, s}, "\x92"+bytes+bytes, new([]shape))
				checkShape(t, codec, [2]shape{s, s}, "\x92"+bytes+bytes, new([2]shape))
				checkShape(t, codec, map[string]shape{"k": s}, "\x81\xa1k"+bytes, new(map[string]shape))
				checkShape(t, codec, struct{ A, B shape }{s, s}, "\x82\xa1A"+bytes+"\xa1B"+bytes, new(struct{ A, B shape }))
				if s != nil {
					checkShape(t, codec, struct{ P *shape }{&s}, "\x81\xa1P"+bytes, new(struct{ P *shape }))
				}
				if s != nil && reflect.TypeOf(s).Kind() != reflect.Pointer && c.name != "one pointer" {
					checkShape(t, codec, map[shape]bool{s: true}, "\x81"+bytes+"\xc3", new(map[shape]bool))
				}
			})
		}
	}
}

// checkShape encodes v and decodes it into a target of its type.
func checkShape(t *testing.T, c *msgpack.Codec, v any, bytes string, target any) {
	t.Helper()
	checkCodec(t, c, v, []byte(bytes))
	if err := c.Unmarshal([]byte(bytes), target); err != nil {
		t.Errorf("%q: %v", bytes, err)
		return
	}
	got := reflect.ValueOf(target).Elem().Interface()
	if p, ok := v.(*shape); ok {
		v = *p
	}
	if !reflect.DeepEqual(got, v) {
		t.Errorf("%q: got %#v, want %#v", bytes, got, v)
	}
	for n := range len(bytes) {
		again := reflect.New(reflect.TypeOf(target).Elem()).Interface()
		if err := c.Unmarshal([]byte(bytes[:n]), again); !errors.Is(err, msgpack.ErrTruncated) {
			t.Errorf("%d of %d bytes: %v", n, len(bytes), err)
		}
	}
}

// TestUnionTagAnywhere decodes maps whose discriminator is not the first key or is
// in a longer format.
func TestUnionTagAnywhere(t *testing.T) {
	c := shapeCodec(t, "t")
	pairs := []string{"\xa1t\xa6square", "\xa4Side\x02", "\xa4Name\xa1n", "\xa7unknown\x92\x81\xa1t\x01\x82\xa1a\x01\xa1t\xa1x"}
	permute(pairs, func(order []string) {
		var s shape
		data := []byte("\x84" + strings.Join(order, ""))
		if err := c.Unmarshal(data, &s); err != nil || !reflect.DeepEqual(s, &square{2, "n"}) {
			t.Errorf("%q: got %v, %v", data, s, err)
		}
		for n := range data {
			if err := c.Unmarshal(data[:n], &s); !errors.Is(err, msgpack.ErrTruncated) {
				t.Errorf("%q: %v", data[:n], err)
			}
		}
		// Nested unions, with the tag of the outer or of the inner one first.
		inner := "\x82\xa1R\x05\xd9\x01t\xa6circle"
		group := []string{"\x82\xa6Shapes\x93" + inner + string(data) + inner + "\xc4\x01t\xfd", "\x82\xa1t\xfd\xa6Shapes\x93" + inner + string(data) + inner}
		for _, g := range group {
			data := "\x82\xa6Shapes\x92" + g + g + "\xa1t\xfd"
			want := &group2{circle{5}, &square{2, "n"}, circle{5}}
			var s shape
			if err := c.Unmarshal([]byte(data), &s); err != nil || !reflect.DeepEqual(s, want.twice()) {
				t.Errorf("%q: got %v, %v", data, s, err)
			}
		}
	})
	// Several unions in a sequence. Each needs a search for its tag.
	var all []shape
	one := "\x82\xa1R\x05\xa1t\xa6circle"
	if err := c.Unmarshal(times(1000, one), &all); err != nil || len(all) != 1000 || all[0] != (circle{5}) || all[999] != (circle{5}) {
		t.Errorf("%d, %v", len(all), err)
	}
	// Nested unions with different keys.
	both := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{shapes("t"),
		msgpack.Union[comparableThing]("kind", msgpack.VariantOf[pair2]("pair"))}})
	var x comparableThing
	data := "\x83\xa1B\x82\xa1A\x82\xa4Next\xc0\xa1t\xa4loop\xa4kind\xa4pair\xa1A\x82\xa1R\x01\xa1t\xa6circle\xa4kind\xa4pair"
	want := pair2{A: circle{1}, B: pair2{A: loop{}}}
	if err := both.Unmarshal([]byte(data), &x); err != nil || !reflect.DeepEqual(x, want) {
		t.Errorf("got %+v, %v, want %+v", x, err, want)
	}
}

type group2 [3]shape

func (g *group2) twice() *group { return &group{[]shape{&group{g[:]}, &group{g[:]}}} }

type pair2 struct {
	A shape
	B comparableThing
}

func (pair2) thing() {}

// TestUnionNil checks that a nil pointer is a variant in array form and nil in map
// form, and that a nil clears a variable.
func TestUnionNil(t *testing.T) {
	array, tagged := shapeCodec(t, ""), shapeCodec(t, "t")
	checkShape(t, array, []shape{(*square)(nil)}, "\x91\x92\xa6square\xc0", new([]shape))
	checkCodec(t, tagged, []shape{(*square)(nil)}, []byte("\x91\xc0"))
	for _, c := range []*msgpack.Codec{array, tagged} {
		s := shape(circle{1})
		if err := c.Unmarshal([]byte{0xc0}, &s); err != nil || s != nil {
			t.Errorf("got %v, %v", s, err)
		}
	}
	// The decoded value is a new one.
	old := &square{1, "old"}
	s := shape(old)
	if err := tagged.Unmarshal([]byte("\x82\xa1t\xa6square\xa4Side\x02"), &s); err != nil || *s.(*square) != (square{Side: 2}) || *old != (square{1, "old"}) {
		t.Errorf("got %v, %v, old %v", s, err, old)
	}
	// A variant that is not in an interface has no tag.
	checkCodec(t, tagged, circle{1}, []byte("\x81\xa1R\x01"))
	checkCodec(t, tagged, any(circle{1}), []byte("\x81\xa1R\x01"))
}

// TestUnionWithOptions uses the other options that affect the fields of a struct.
func TestUnionWithOptions(t *testing.T) {
	type rest struct {
		A    int            `msgpack:",required"`
		More map[string]int `msgpack:",inline"`
	}
	for name, test := range map[string]struct {
		config msgpack.Options
		bytes  string
	}{
		"StructAsArray":    {msgpack.Options{StructAsArray: true}, "\x82\xa1t\xa6circle\xa1R\x01"},
		"RejectUnknown":    {msgpack.Options{RejectUnknown: true}, "\x82\xa1t\xa6circle\xa1R\x01"},
		"RejectDuplicates": {msgpack.Options{RejectDuplicates: true}, "\x82\xa1t\xa6circle\xa1R\x01"},
		"ExactArrays":      {msgpack.Options{ExactArrays: true}, "\x82\xa1t\xa6circle\xa1R\x01"},
		"Canonical":        {msgpack.Options{Canonical: true}, "\x82\xa1t\xa6circle\xa1R\x01"},
		"OmitZero":         {msgpack.Options{OmitZero: true}, "\x82\xa1t\xa6circle\xa1R\x01"},
		"Naming":           {msgpack.Options{Naming: strings.ToLower}, "\x82\xa1t\xa6circle\xa1r\x01"},
		"TypedInts":        {msgpack.Options{TypedInts: true}, "\x82\xa1t\xa6circle\xa1R\xd3\x00\x00\x00\x00\x00\x00\x00\x01"},
	} {
		t.Run(name, func(t *testing.T) {
			test.config.Types = []msgpack.TypeCoder{shapes("t")}
			c := newCodec(t, test.config)
			checkShape(t, c, []shape{circle{1}}, "\x91"+test.bytes, new([]shape))
			var s shape
			first := len("\x82\xa1t\xa6circle")
			last := "\x82" + test.bytes[first:] + test.bytes[1:first]
			if err := c.Unmarshal([]byte(last), &s); err != nil || s != (circle{1}) {
				t.Errorf("%q: got %v, %v", last, s, err)
			}
		})
	}
	c := newCodec(t, msgpack.Options{RejectUnknown: true, Types: []msgpack.TypeCoder{shapes("t")}})
	var s shape
	checkError(t, c.Unmarshal([]byte("\x83\xa1t\xa6circle\xa1R\x01\xa1x\x01"), &s), msgpack.ErrUnknownField)
	// A required field and an inline map.
	u := msgpack.Union[anything]("t", msgpack.VariantOf[rest](1))
	c = newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{u}})
	var x anything
	data := []byte("\x83\xa1t\x01\xa1A\x02\xa1z\x03")
	if err := c.Unmarshal(data, &x); err != nil || !reflect.DeepEqual(x, anything(rest{2, map[string]int{"z": 3}})) {
		t.Errorf("got %v, %v", x, err)
	}
	checkCodec(t, c, &x, data)
	checkError(t, c.Unmarshal([]byte("\x82\xa1z\x03\xa1t\x01"), &x), msgpack.ErrMissingField)
	x = rest{1, map[string]int{"t": 5}}
	_, err := c.Marshal(&x)
	checkError(t, err, msgpack.ErrDuplicateKey)
}

type anything interface{} // a named interface that every type implements

// TestUnionOfAnything uses variants of all kinds, in array form.
func TestUnionOfAnything(t *testing.T) {
	c := newCodec(t, msgpack.Options{
		Types: []msgpack.TypeCoder{extOf(1, celsiusText, celsiusFrom), extOf(2, sharedText, sharedFrom), msgpack.Union[anything]("",
			msgpack.VariantOf[int](0), msgpack.VariantOf[string](1), msgpack.VariantOf[[]int](2), msgpack.VariantOf[map[string]int](3),
			msgpack.VariantOf[*int](4), msgpack.VariantOf[celsius](5), msgpack.VariantOf[*shared](6), msgpack.VariantOf[appenderP](7),
			msgpack.VariantOf[[1]*int](8), msgpack.VariantOf[**int](9), msgpack.VariantOf[*anything](10), msgpack.VariantOf[[]anything](11),
			msgpack.VariantOf[flatShape](12))}})
	var inner anything = 7
	for bytes, v := range map[string]anything{
		"\x92\x00\x05":                 5,
		"\x92\x01\xa1s":                "s",
		"\x92\x02\x92\x01\x02":         []int{1, 2},
		"\x92\x02\xc0":                 []int(nil),
		"\x92\x03\x81\xa1k\x01":        map[string]int{"k": 1},
		"\x92\x04\x09":                 new(9),
		"\x92\x04\xc0":                 (*int)(nil),
		"\x92\x05\xd4\x01\x31":         celsius(1),
		"\x92\x06\xc7\x03\x02red":      red,
		"\x92\x07\xcc\xc8":             appenderP{200},
		"\x92\x08\x91\x03":             [1]*int{new(3)},
		"\x92\x09\x04":                 new(new(4)),
		"\x92\x0a\x92\x00\x07":         &inner,
		"\x92\x0b\x92\x92\x00\x01\xc0": []anything{1, nil},
		"\x92\x0c\x91\x05":             flatShape{N: 5},
	} {
		checkShape(t, c, struct{ V anything }{v}, "\x81\xa1V"+bytes, new(struct{ V anything }))
	}
	var v anything
	if err := c.Unmarshal([]byte("\x92\x06\xc7\x03\x02red"), &v); err != nil || v != anything(red) {
		t.Errorf("a pointer with functions: %v, %v", v, err)
	}
}

// TestUnionTags uses tags of named types and at the bounds of their types, and
// decodes them from every format.
func TestUnionTags(t *testing.T) {
	type name string
	type level int8
	c := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{msgpack.Union[shape]("",
		msgpack.VariantOf[circle](name("c")), msgpack.VariantOf[*square](level(-128)), msgpack.VariantOf[loop](int64(-1<<63)),
		msgpack.VariantOf[wide](int64(1<<63-1)), msgpack.VariantOf[*group](""))}})
	checkShape(t, c, []shape{circle{1}}, "\x91\x92\xa1c\x81\xa1R\x01", new([]shape))
	checkShape(t, c, []shape{&square{}}, "\x91\x92\xd0\x80\x81\xa4Side\x00", new([]shape))
	checkShape(t, c, []shape{loop{}}, "\x91\x92\xd3\x80\x00\x00\x00\x00\x00\x00\x00\x81\xa4Next\xc0", new([]shape))
	checkShape(t, c, []shape{&group{}}, "\x91\x92\xa0\x81\xa6Shapes\xc0", new([]shape))
	var s shape // the same tags in other formats
	for _, tag := range []string{"\xd3\xff\xff\xff\xff\xff\xff\xff\x80", "\xd1\xff\x80"} {
		if err := c.Unmarshal([]byte("\x92"+tag+"\x81\xa4Side\x05"), &s); err != nil || *s.(*square) != (square{Side: 5}) {
			t.Errorf("%q: %v, %v", tag, s, err)
		}
	}
	if err := c.Unmarshal([]byte("\x92\xcf\x7f\xff\xff\xff\xff\xff\xff\xff\x80"), &s); err != nil || s != (wide{}) {
		t.Errorf("%v, %v", s, err)
	}
	if err := c.Unmarshal([]byte("\x92\xc6\x00\x00\x00\x01c\x80"), &s); err != nil || s != (circle{}) {
		t.Errorf("%v, %v", s, err)
	}
}

func TestUnionAllocations(t *testing.T) {
	skipIfInstrumented(t)
	for _, form := range []string{"", "t"} {
		c := shapeCodec(t, form)
		v := &drawing{One: circle{1}, All: []shape{&square{1, "n"}, circle{2}, pinned{}}, Two: [2]shape{wide{}, nil}}
		data, err := c.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(100, func() { data, _ = c.MarshalAppend(data[:0], v) }); n != 0 {
			t.Errorf("%q: MarshalAppend: %v allocations", form, n)
		}
		one, err := c.Marshal(&v.One)
		if err != nil {
			t.Fatal(err)
		}
		var s shape
		if n := testing.AllocsPerRun(100, func() { err = c.Unmarshal(one, &s) }); n != 1 || err != nil {
			t.Errorf("%q: Unmarshal: %v allocations, %v", form, n, err)
		}
	}
}

// The shapes of the examples.
type (
	Figure interface{ Area() float64 }
	Disc   struct {
		Radius float64 `msgpack:"radius"`
	}
	Box struct {
		Width  float64 `msgpack:"width"`
		Height float64 `msgpack:"height"`
	}
)

func (d Disc) Area() float64 { return 3 * d.Radius * d.Radius }
func (b *Box) Area() float64 { return b.Width * b.Height }

func ExampleUnion() {
	codec, err := msgpack.New(msgpack.Options{Types: []msgpack.TypeCoder{
		msgpack.Union[Figure]("type", msgpack.VariantOf[Disc]("disc"), msgpack.VariantOf[*Box]("box")),
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := codec.Marshal([]Figure{Disc{1}, &Box{2, 3}})
	fmt.Println(len(data), err)

	var loose []map[string]any // what another program sees
	fmt.Println(msgpack.Unmarshal(data, &loose), loose)

	var figures []Figure
	err = codec.Unmarshal(data, &figures)
	fmt.Println(err, figures[0].Area(), figures[1].Area())
	// Output:
	// 69 <nil>
	// <nil> [map[radius:1 type:disc] map[height:3 type:box width:2]]
	// <nil> 3 6
}

func ExampleVariantOf() {
	// Tags that are numbers and no discriminator give the shortest form.
	codec, err := msgpack.New(msgpack.Options{Types: []msgpack.TypeCoder{
		msgpack.Union[Figure]("", msgpack.VariantOf[Disc](1), msgpack.VariantOf[*Box](2)),
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := codec.Marshal([]Figure{Disc{1}})
	fmt.Printf("%q, %v\n", data, err)

	var figures []Figure
	err = codec.Unmarshal([]byte("\x91\x92\x03\x80"), &figures)
	fmt.Println(err, errors.Is(err, msgpack.ErrVariant))
	// Output:
	// "\x91\x92\x01\x81\xa6radius\xcb?\xf0\x00\x00\x00\x00\x00\x00", <nil>
	// msgpack: unmarshal [0] at offset 2: found tag 3, want msgpack_test.Figure: not a variant of the union true
}
