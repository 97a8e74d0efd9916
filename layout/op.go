package layout

import (
	"reflect"

	"github.com/octet-go/octet/internal/block"
)

// A program encodes and decodes the values of one type, or of a part of it: a list
// of operations, which both interpreters (encode.go and decode.go) run.
type program struct {
	ops  []op
	out  []op         // those that encode, see output
	typ  reflect.Type // of the value that the offsets refer to
	min  int          // fewest bytes of a value
	size int          // bytes of every value, or -1
	done bool         // compiled, which matters for recursive types

	recursive bool
}

// An op is one operation.
type op struct {
	code  opcode
	width uint8   // bytes on the wire
	swap  bool    // the order on the wire is not that of the machine
	n     int32   // number of bytes if it is fixed, or of slots or elements
	off   uintptr // of the variable
	imm   uint64  // what the comment of the code says
	x     *detail // what the other operations need
}

type opcode uint8

// The interpreters do the operations up to opList themselves, if possible. Where
// there is something out of the ordinary, and for all others, they call a method.
const (
	opEnd   opcode = iota
	opRoom         // what follows up to the next opRoom has n bytes in all
	opCopy1        // a number whose bytes on the wire are those in memory
	opCopy2
	opCopy4
	opCopy8
	opSwap2 // or in reverse
	opSwap4
	opSwap8
	opBlock  // numbers whose bytes are only moved
	opConst1 // a number with one constant: imm as it is in memory, n as it is on the wire
	opConst2
	opConst4
	opTemplate // several constants: imm is their bytes on the wire
	opMeasured // a length and the text that it measures, in one step
	opLength   // a length or count that is known early: imm is the offset of what it measures and the slot of its place, n the slot of its value
	opText     // string or []byte without a prefix of its own: imm is the maximum length
	opPlain    // like opText, after a prefix of fixed width
	opBitRun   // a run of bit fields on which nothing depends
	opPlace    // a length or count that is known later: n is the slot of its place
	opStart    // begins a range: n is its slot
	opStop     // ends a range: n is its slot
	opPatch    // computes a length from the range that ends here: imm is the slots of its beginning and of the number
	opList     // a slice whose elements can be done without a call, if n is not 0 up to a length: n is the slot of its value

	opNumber  // a number of fixed width
	opBits    // a run of bit fields
	opMagic   // constant bytes
	opSpace   // n zeros
	opVarint  // a number of variable width
	opAlign   // zeros up to a multiple of n
	opBytes   // string or []byte
	opSlice   // a slice
	opArray   // an array whose elements are not a block
	opCall    // a program for the same or another variable
	opFrame   // a program whose bytes are bounded by a prefix or link
	opUnion   // one of several programs
	opUnknown // an Unknown
	opUser    // a type with methods
	opRaw     // the bytes of a range; not written
	opIf      // the next n operations are for a field that may be absent
	opOrder   // one of two programs
	opEnter   // begins a struct with bounded ranges
	opBegin   // like opStart, where a number bounds the range
	opFinish  // like opStop, where a number bounds the range
	opDerive  // computes or compares a length or count
	opSum     // computes or compares a checksum
)

// A detail has what an operation needs besides its code, size and offset.
type detail struct {
	path string // of the field, from the value that the program is for
	node *node
	num  number // in the byte order that is in force

	plan        *block.Plan
	plain       []plainField // of opBlock
	fields      []runField   // of opRoom, in order
	bits        []bitField
	order       order
	text        bool   // a string, not a []byte
	name        string // of opMeasured: the path of the text; path is that of the length
	parts       []op   // of opTemplate
	value, mask uint64 // of opTemplate: the constants in memory

	place     slot    // of opText: of the number that measures it
	elemFirst *op     // of opList: of an element, when decoding
	first     *op     // of opList: of an element
	elemSize  uintptr // of opList: in memory

	sub  *program   // of elements, targets and frames; in big-endian order of opOrder
	alt  *program   // of opOrder, in little-endian order
	subs []*program // of variants

	link  *link
	sum   *check
	of    *extent
	links []*link // that end here, or that bound the range that begins here
	reset []slot  // of the fields that are absent
	known bool    // of opDerive: the number was computed early
	exact bool    // of opDerive: the field cannot have another length
	tail  []size  // what follows a field that takes the rest
	early []early // how to compute a number before what it measures is written
	later []place // what may follow a field with if=more
	must  bool    // something follows in any case

	aligned bool // of opFrame: zeros inside depend on the width of the prefix
	clear   bool // of opSlice: decoding leaves some fields as they are
}

// A runField is the place of a field in a run, for errors.
type runField struct {
	end  int
	path string
}

// A bitField is a number in a run of bits.
type bitField struct {
	*detail
	off   uintptr
	keep  uint64 // the bits of the value
	sign  uint64 // the sign bit, or 0 if the number is unsigned
	shift uint8
	size  uint8 // bytes in memory
}

// A place is a variable: its offset and type.
type place struct {
	off uintptr
	typ reflect.Type
}

// An early computes a length or count, or the tag of a union, from a variable.
type early struct {
	off   uintptr
	union *unionType
	text  bool   // the variable is a string
	size  uint64 // of one element
	link  *link
}

// A size is a number of bytes of fields that have not been decoded. It is fixed
// plus what links and counts say, unless a condition says that the field is absent.
type size struct {
	fixed      int
	link       *link
	count      *link
	conditions []condition
	inner      []size
}
