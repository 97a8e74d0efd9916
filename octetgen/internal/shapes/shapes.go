// Package shapes has types with generated code, for tests.
package shapes

import (
	"io"
	"strings"
	"time"

	"github.com/octet-go/octet/msgpack"
)

//go:generate go run github.com/octet-go/octet/cmd/octet-gen

// Scalars has a field of each scalar type.
//
//octet:generate
type Scalars struct {
	Bool    bool          `msgpack:"bool"`
	Int     int           `msgpack:"int"`
	Int8    int8          `msgpack:"i8"`
	Int16   int16         `msgpack:"i16"`
	Int32   int32         `msgpack:"i32"`
	Int64   int64         `msgpack:"i64"`
	Uint    uint          `msgpack:"uint"`
	Uint8   uint8         `msgpack:"u8"`
	Uint16  uint16        `msgpack:"u16"`
	Uint32  uint32        `msgpack:"u32"`
	Uint64  uint64        `msgpack:"u64"`
	Float32 float32       `msgpack:"f32"`
	Float64 float64       `msgpack:"f64"`
	String  string        `msgpack:"str"`
	Bytes   []byte        `msgpack:"bin"`
	Time    time.Time     `msgpack:"time"`
	Wait    time.Duration `msgpack:"wait"`
	Kind    kind          `msgpack:"kind"`
	Label   label         `msgpack:"a label with a key of more than thirty-one characters"`
	Ratio   ratio
	Flag    flag
	Data    data
	Block   [4]byte
}

type (
	kind  int16
	label string
	ratio float32
	flag  bool
	data  uint32 // also the name of a variable in the generated code
)

// Optional has fields that may be absent.
//
//octet:generate
type Optional struct {
	ID       int64             `msgpack:"id"`
	Name     string            `msgpack:"name,omitempty"`
	Count    *int              `msgpack:"count,omitempty"`
	Score    float64           `msgpack:"score,omitzero"`
	Done     bool              `msgpack:"done,omitempty"`
	At       time.Time         `msgpack:"at,omitzero"`
	AtMaybe  *time.Time        `msgpack:"at_maybe"`
	Until    *time.Time        `msgpack:"until,omitzero"`
	Tags     []string          `msgpack:"tags,omitempty"`
	Labels   map[string]string `msgpack:"labels,omitempty"`
	Scale    map[float64]int   `msgpack:"scale,omitempty"`
	Any      any               `msgpack:"any,omitempty"`
	Inner    *Inner            `msgpack:"inner,omitempty"`
	Inners   []Inner           `msgpack:"inners,omitzero"`
	Pointers []*Inner          `msgpack:"pointers,omitempty"`
	Raw      msgpack.Raw       `msgpack:"raw,omitempty"`
	Blob     []byte            `msgpack:"blob,omitempty"`
	hidden   int               //lint:ignore U1000 a field that is not encoded
}

// Many has more fields that may be absent than the header of a short map can count.
//
//octet:generate
type Many struct {
	Optional
	Long string `msgpack:"the key of a field that has forty letters,omitempty"`
	More bool   `msgpack:"more,omitempty"`
}

// Inner has no directive, but functions.
type Inner struct {
	A int
	B string
	C []byte
	D *string
	E map[string]int
	F uint32
}

// Tree is recursive.
//
//octet:generate
type Tree struct {
	Value int
	Left  *Tree
	Right *Tree
	Kids  []Tree
	Pairs []pair
	Grid  [2]pair
	Lists [][]int
	pair
	Anon struct{ X, Y float64 }
}

// Links contains types so small that they would be inlined if they did not contain themselves.
//
//octet:generate
type Links struct {
	Named map[string]*Links
	Value int
	Next  *Links
	Lists []struct{ In []Links }
	Even  *even
	Own   lists
	Array fixed
}

type even struct{ Odd []odd }
type odd struct{ Even map[string]even }
type lists []lists
type fixed [1][]fixed

type pair struct {
	_ struct{} `msgpack:",as_array"`
	K string
	V float32
}

// Methods has fields that generated code leaves to the plan.
//
//octet:generate
type Methods struct {
	Text  upper
	Items []upper
	When  *upper
	Ints  []int
	Ptr   **int
	Err   chan int `msgpack:"-"`
	M     map[string]Inner
	Ext   msgpack.Ext
	Last  int
}

type upper string

// NewUpper returns a text of n characters.
func NewUpper(n int) upper { return upper(strings.Repeat("x", n)) }

// MarshalText and UnmarshalText make the plan of a string inapplicable.
func (u upper) MarshalText() ([]byte, error) { return []byte("<" + string(u) + ">"), nil }

// UnmarshalText reverses MarshalText.
func (u *upper) UnmarshalText(b []byte) error {
	if len(b) < 2 {
		return io.ErrUnexpectedEOF
	}
	*u = upper(b[1 : len(b)-1])
	return nil
}

// Embeds has embedded pointers.
//
//octet:generate
type Embeds struct {
	First int
	*Base
	Last string
}

// Base is embedded by pointer, and has one itself.
type Base struct {
	Number int64   `msgpack:"number"`
	Note   *string `msgpack:"note,omitempty"`
	List   []int
	*Deep
}

// Deep is embedded in Base.
type Deep struct{ Flag bool }

// Outer embeds a type with generated code and has none itself.
type Outer struct {
	Tree2 `msgpack:",inline"`
	More  int
}

// Tree2 is embedded in Outer.
//
//octet:generate
type Tree2 struct{ A, B int }

// Loose has parts without generated code, and in them maps whose keys may differ from themselves.
//
//octet:generate
type Loose struct {
	Part struct {
		Scale map[float64]int
		More  map[string]int `msgpack:",inline"`
	}
	Parts [1]map[float64]int
	Set   struct {
		Keys map[float64]struct{} `msgpack:",set"`
	}
	Last int
}
