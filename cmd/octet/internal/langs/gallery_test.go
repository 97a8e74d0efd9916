package langs

import (
	"go/format"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// The types of the gallery have everything that a schema can say.
type (
	Gallery struct {
		Flag    bool                 `msgpack:"flag"`
		Small   int8                 `msgpack:"small"`
		ID      uint64               `msgpack:"id,required,alias=old id"`
		Ratio   float32              `msgpack:"ratio"`
		Exact   msgpack.Number       `msgpack:"exact"`
		Name    string               `msgpack:"name"`
		Data    []byte               `msgpack:"data"`
		Hash    [4]byte              `msgpack:"hash"`
		At      time.Time            `msgpack:"at"`
		Until   *time.Time           `msgpack:"until,omitempty"`
		Address netip.Addr           `msgpack:"address"`
		Ext     msgpack.Ext          `msgpack:"ext"`
		Any     any                  `msgpack:"any"`
		Raw     msgpack.Raw          `msgpack:"raw"`
		Point   complex64            `msgpack:"point"`
		Tags    map[string]struct{}  `msgpack:"tags,set"`
		Scores  map[string][]*int32  `msgpack:"scores"`
		ByID    map[uint16]Home      `msgpack:"by_id,omitempty"`
		Flags   map[bool]string      `msgpack:"flags"`
		Pairs   msgpack.Pairs        `msgpack:"pairs"`
		Home    *Home                `msgpack:"home"`
		Rows    []Row                `msgpack:"rows,omitempty"`
		Sparse  Sparse               `msgpack:"sparse"`
		Node    Node                 `msgpack:"class"`
		Forest  Forest               `msgpack:"größe (日本)"`
		Book    Book                 `msgpack:"2 \"quoted\" \\"`
		Shape   Shape                `msgpack:"shape"`
		Figures []Figure             `msgpack:"figures"`
		Loose   Loose                `msgpack:"loose"`
		Inner   struct{ X, Y int16 } `msgpack:"from_message"`
		Empty   struct{}             `msgpack:"-,"`
	}
	Home struct {
		Zip   string `msgpack:"zip,omitempty"`
		Floor int32  `msgpack:"floor,omitzero"`
	}
	Row struct {
		_    struct{} `msgpack:",as_array"`
		X, Y float64
		Home *Home
	}
	Sparse struct {
		A string `msgpack:"1,keyasint"`
		B *Home  `msgpack:"-5,keyasint,omitempty"`
	}
	Node struct {
		Value int   `msgpack:"value"`
		Next  *Node `msgpack:"next,omitempty"`
		List  []Node
	}
	Forest  []Forest
	Book    map[string]Chapter
	Chapter struct {
		Parts Book
	}
	Loose struct {
		Known string           `msgpack:"known"`
		Rest  map[string]*Home `msgpack:",inline"`
	}

	Shape  interface{ area() }
	Circle struct {
		Radius float64 `msgpack:"radius"`
	}
	Square struct {
		Side int32 `msgpack:"side"`
	}
	Figure  interface{ outline() }
	Polygon struct {
		Points [][2]int32
	}
	Sides int
)

func (Circle) area()     {}
func (Square) area()     {}
func (Polygon) outline() {}
func (Sides) outline()   {}

// galleryCodec returns the codec of the gallery.
func galleryCodec(t testing.TB) *msgpack.Codec {
	t.Helper()
	c, err := msgpack.New(msgpack.Options{Types: []msgpack.TypeCoder{
		msgpack.Union[Shape]("type", msgpack.VariantOf[Circle]("circle"), msgpack.VariantOf[Square](2)),
		msgpack.Union[Figure]("", msgpack.VariantOf[Polygon]("polygon"), msgpack.VariantOf[Sides](-1)),
	}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// galleryValue returns a value of the gallery in which nothing is empty.
func galleryValue() *Gallery {
	seven, until := int32(7), time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
	return &Gallery{
		Flag: true, Small: -1, ID: 1 << 63, Ratio: 0.5, Exact: "\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00", Name: "Ada \"\u2028", Data: []byte{0, 255}, Hash: [4]byte{1, 2, 3, 4},
		At: until.Add(5 * time.Millisecond), Until: &until, Address: netip.AddrFrom4([4]byte{10, 0, 0, 1}), Ext: msgpack.Ext{Type: 5, Data: []byte{1}},
		Any: []any{int64(1), "a", nil}, Raw: msgpack.Raw{0x91, 0xc3}, Point: complex(1, -2.5), Tags: map[string]struct{}{"x": {}},
		Scores: map[string][]*int32{"a": {&seven, nil}}, ByID: map[uint16]Home{7: {Zip: "1"}}, Flags: map[bool]string{true: "t"}, Pairs: msgpack.Pairs{{Key: int64(1), Value: "x"}},
		Home: &Home{"1", 2}, Rows: []Row{{X: 1, Y: 2.5}, {X: 1, Home: &Home{}}}, Sparse: Sparse{"a", &Home{Zip: "2"}},
		Node: Node{1, &Node{Value: 2}, []Node{{Value: 3}}}, Forest: Forest{{}, {Forest{}}}, Book: Book{"a": {Book{"b": {}}}},
		Shape: Square{-3}, Figures: []Figure{Polygon{[][2]int32{{1, 2}}}, Sides(3), nil}, Loose: Loose{"k", map[string]*Home{"other": {Zip: "3"}}}, Inner: struct{ X, Y int16 }{1, 2},
	}
}

func gallerySchema(t testing.TB) *schema.Schema {
	t.Helper()
	s, err := schema.OfType(reflect.TypeFor[Gallery](), galleryCodec(t))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestGallery compares the printed types with golden files.
func TestGallery(t *testing.T) {
	s := gallerySchema(t)
	source, err := Go(s, Options{Type: "Gallery", Package: "gallery"})
	if err != nil {
		t.Fatal(err)
	}
	if formatted, err := format.Source(source); err != nil || string(formatted) != string(source) {
		t.Errorf("gofmt changes the Go types (%v):\n%s", err, formatted)
	}
	for name, got := range map[string][]byte{
		"gallery.go.golden": source,
		"gallery.ts":        TypeScript(s, Options{Type: "Gallery"}),
		"gallery.py":        Python(s, Options{Type: "Gallery"}),
	} {
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || string(got) != string(want) {
			t.Errorf("%s is not what is printed (%v): go test ./internal/langs -update\n%s", file, err, got)
		}
	}
}
