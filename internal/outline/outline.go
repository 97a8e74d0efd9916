// Package outline has the outlines of messages: what package layout knows of a type when it has compiled it. Package
// octetgen prints code from them. It also decides how often generated code is tried, for both packages.
package outline

import "reflect"

// A Message is what package layout knows of a type when it has compiled it.
type Message struct {
	Fingerprint string // changes with everything that the code of the type depends on
	Root        *Node
}

// A NodeKind says what a field is on the wire.
type NodeKind uint8

// The kinds of fields.
const (
	NumberNode NodeKind = iota
	BytesNode           // string or []byte
	MagicNode           // constant bytes
	SpaceNode           // zeros
	AlignNode           // zeros up to a multiple
	StructNode
	PointerNode
	SliceNode
	ArrayNode
	UnionNode
	UserNode    // a type with methods
	RawNode     // a copy of other fields
	UnknownNode // a variant of a union
	EmptyNode   // no bytes
)

// A Node is a field of a message in one place, or an element or target. The Nodes of
// fields that depend on each other refer to each other.
type Node struct {
	Name     string
	Selector string // from the struct around, such as "Base.Name"
	Go       reflect.Type
	Kind     NodeKind
	Blank    bool
	Seq      int    // in the order of the message
	Scope    *Node  // the struct whose field it is
	Path     string // for errors
	Obstacle string // the option for which no code can be generated, or ""
	Part     string // the tag of a struct with only this field, which the plan encodes, or ""
	Ignores  bool   // decoding leaves parts of the variable as they are
	Little   bool   // byte order
	By       *Node  // the number whose constant names the byte order, if it matters, or nil

	// Of numbers.
	Varint, Zigzag bool
	Width          int // bytes on the wire, or bits in a run
	Signed         bool
	Bits           bool
	Shifts         [2]int // of bits in their run, in big-endian and in little-endian order
	Run            int    // bytes of the run
	First          *Node  // of the run
	Constants      []uint64
	LittleIf       []uint64 // the constants that name the little-endian order
	Links          []*Link
	Asked          bool // other fields depend on the value
	Sum            *Sum

	// Of other fields. A width is 0 for a varint, and -1 if there is none.
	Prefix, Count int
	Fixed, Until  int    // -1 if there is none
	Fill          int    // -1 if a value must have all bytes
	Limit         uint64 // math.MaxUint64 if there is none
	Magic         []byte
	Space         int // zeros, or the multiple to align to
	Framed        bool
	Conditions    []Condition
	Raw           *Extent // what a field with a copy of other fields has
	Block         *Node   // of a checksum or a Raw field: the element or optional field around it and its range, or nil
	Sized         *Link   // the length, from an earlier number
	Counted       *Link   // the number of elements, from an earlier number
	TakesRest     bool
	Rest          []Rest // what follows in the frame of a field that takes the rest
	Bound         *Link  // the length of the range that is that frame, if it is no Framed field

	// Of unions and of the numbers that select their variants.
	Union    *Node // of a number: what it selects the variant of, or nil
	Switch   *Node // of a union: the number
	Variants []Variant

	Elem         *Node
	ToZero       bool   // an element that is zero ends a slice
	Zero         []byte // its bytes, which octetgen finds, if no plan is needed for the slice
	Least, Size  int    // of the bytes of an element: the fewest, and the number if it is always the same, or else -1
	Fields       []*Node
	Targets      []*Node   // the embedded pointers in the struct
	Begins, Ends []*Extent // the ranges that begin or end at a field
	After        []*Link   // that are known after the field
}

// A Variant is a struct, or a pointer to one, that a union can hold. A signed tag is in two's complement.
type Variant struct {
	Tag uint64
	*Node
}

// An Extent is a range of fields whose place is needed.
type Extent struct{ From, To *Node }

// A Link says that a number times Factor plus Plus is the length of a range or, with
// Elements, the number of elements of its only field.
type Link struct {
	Num          *Node
	Of           *Extent
	Factor, Plus int64
	Elements     bool
	Early        bool   // known from the length of a variable
	Size         uint64 // of an element of that variable
	Exact        bool   // the number alone tells the length of the field, which is there if the number is
	Inside       bool   // the range has the bytes of the number
}

// A Sum is a checksum of a range.
type Sum struct {
	Name   string
	Of     *Extent
	Inside bool // the range has the bytes of the checksum itself, which count as zero
	Rank   int  // checksums with lower ranks are computed first
}

// A Condition of a field compares a number: with Op 0 the number is not 0, with '&' it has
// one of the bits of Value, with '=' and '!' it is Value or not. Without a number, the frame
// must have bytes left.
type Condition struct {
	Num   *Node
	Op    byte
	Value uint64
}

// A Rest is the size of a field: Fixed, or Fixed for each byte or element that a Link says. With conditions, it is the
// sum of Inner if they hold, and with a Link whose number is absent, that of Inner.
type Rest struct {
	Fixed      int
	Link       *Link
	Conditions []Condition
	Inner      []Rest
}
