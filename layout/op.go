package layout

import (
	"reflect"

	"github.com/octet-go/octet/internal/block"
	"github.com/octet-go/octet/internal/mem"
)

// An op is one operation. It has what the loops need in one cache line, so that they load it
// in one go; what only exits and errors need is in its detail. Each code uses the numbers in
// its own way, which is cheaper than a type for each. Where the loop needs a list, data is
// its memory: the way through the detail and a slice in it would be two loads more, which
// wait for each other.
type op struct {
	code  opcode
	width uint8   // bytes on the wire
	size  uint8   // bytes in memory
	swap  bool    // the order on the wire is not that of the machine
	n     int32   // number of bytes if it is fixed, or of slots or elements
	after int32   // bytes of the run that follows, for which the operation makes sure of room
	to    int32   // jump, in operations from this one
	level int32   // that the operation opens, closes or repeats
	slot  int32   // that the operation sets or reads
	off   uintptr // of the variable
	imm   uint64  // what the comment of the code says
	mask  uint64  // the largest number that can be written, or the bits that a condition tests
	data  mem.Ptr // the rotations or parts of a word, the cases of a union, or the constants of opCheck
	x     *detail // what the other operations need
}

// An opcode selects what an operation does. The numbers in op mean different things for
// different codes; the comment of a code says what they mean.
type opcode uint8

// The general forms of operations, in which the emitter gives them to a direction. Each is for
// something that a tag can say, and an exit does it in every case. What a direction has no
// faster form for stays as it is in the flat list. The codes are small numbers without gaps,
// which a loop uses as the index of a table.
const (
	opEnd     opcode = iota
	opRoom           // makes sure of room for after bytes; in general form, those of a run have n
	opBlock          // numbers whose bytes are only moved, perhaps in reverse; in a flat list, also zeros between them
	opNumber         // a number of fixed width
	opBits           // a run of bit fields
	opMagic          // constant bytes
	opSpace          // n zeros
	opVarint         // a number of variable width; when encoding, width is 1 if that is the length at off, times imm plus level, or 0 until opPatch
	opAlign          // zeros up to a multiple of n; if size is not 0, this is a power of two, and imm the bits below it
	opBytes          // string or []byte
	opSlice          // a slice
	opArray          // an array whose elements are not a block
	opCall           // a list of its own; n is how many recursive structs around it are not calls
	opFrame          // contents that are bounded by a prefix or link
	opUnion          // one of several variants
	opUnknown        // an Unknown
	opUser           // a type with methods
	opRaw            // the bytes of a range; not written; n is that of opCall
	// A field that is absent must be zero when encoding, as it would be lost, and becomes zero
	// when decoding, as its variable may have been used before. Numbers in it are forgotten, so
	// that what depends on them does not see those of an earlier element.
	//
	// The field, behind which to is, is present if the bits of a number that mask
	// has are imm, or are not if width is 1. The number is in a slot. The size of the operation
	// says what is zero in an absent field, or 0 if an exit has to find that out.
	opIf // begins a field that may be absent
	// A number in a slot chooses: imm stands for little-endian, and the operations
	// at to, and mask for big-endian. The bits of n say which of the two have a constant.
	opOrder // begins fields that are there twice, once for each byte order
	// Decoding keeps the ends of ranges and frames in slots, since any of them can be the next
	// end: a number may bound a range that begins before the number, or around it. The end of the
	// frame is always the least of those that are open. Encoding needs only the places, and in slot
	// what has been left out of the frame around a range with fields with if=more.
	//
	// When decoding, slot is the end of the frame of the struct and to of opBegin and opFinish
	// the end that the number sets; level and off are the slots of the value and place of the
	// number, of which imm is the factor, and mask is what is added.
	opEnter  // begins a struct with bounded ranges
	opEdge   // the place where a range begins or ends: n is its slot; when encoding, to is how many bytes ahead it is
	opBegin  // like opEdge, where a range begins that a number bounds
	opFinish // like opEdge, where a range ends that a number bounds
	// A length that decoding used to find an end is right when the end is reached; any other is
	// compared with what it measures. Encoding writes it here, unless it was known early.
	//
	// When encoding, slot is that of the place, and width is 1 if the length was known early. If size is
	// not 0, to and imm are the slots where the range begins and ends.
	//
	// When decoding, n and to are the slots where the range begins and ends, slot and level those
	// of the value and place of the number; imm, mask as above.
	opDerive // computes or compares a length or count
	opSum    // computes or compares a checksum; n is that of opCall
	opShow   // begins a field that Fields observes
	opShown  // ends it
)

// The operations that only a direction makes, see emit.go. Most are faster forms of one or
// several general ones. Each says what it accepts: a value or a message for which
// that is not so leaves the loop, and the exit does what the general form does.
const (
	opCopy1 opcode = opShown + 1 + iota // a number whose bytes on the wire are those in memory
	opCopy2
	opCopy4
	opCopy8
	opSwap2 // or in reverse
	opSwap4
	opSwap8
	opPair2 // two numbers of 2 bytes, in reverse, that are side by side both in memory and on the wire
	opPair4
	opCopyN // n bytes, which are the same in memory
	// Numbers that are side by side on the wire are one number of up to 8 bytes. What must be so in
	// any case, such as constants and zeros above values that a variable cannot hold, is compared
	// for all of them at once.
	//
	// When encoding, n rotations take those that are only copied or have one constant, and size
	// are special, see setTurns. When decoding, n are stored and to are needed by other fields; mask has the bits that must be
	// those of imm.
	opWord // up to 8 bytes of numbers, bit fields, constants and zeros
	opNote // the value of a number: slot, of size bytes at off; imm if it is 0
	// The length is found first, and then compared with the bytes, the limit and the room for the
	// run that follows, all at once. Each way to find it when decoding is a code of its own, as
	// telling them apart in one takes longer. A decoded text lies in a chunk that several share, or
	// in the input if that is aliased. A text that needs other memory is an exit.
	//
	// When decoding, to is the slot of its length; size is not 0 for a string.
	opText  // string or []byte after a prefix of width bytes
	opEnded // string or []byte before a terminator, imm
	opFixed // string or []byte of n bytes, which imm fills up if size, or slot when decoding, is not 0
	// Decoding never trusts a count: it is compared with the bytes that are left, and a slice
	// grows by an element when the one before it is complete. So its length is always that of what
	// has been decoded, also when an error names the element.
	//
	// When decoding, the size of opSeq and opItems says how the number of elements is found
	// (seqRest and others), imm is how many bytes an element has at least, and mask the limit. When
	// encoding, there are at least imm elements, and at most mask more.
	opSeq   // begins the elements of a slice; to: after them
	opEach  // begins the elements of an array, n in all
	opNext  // ends an element; imm is its size in memory; to: the first operation of the next
	opItems // a slice or array (n elements) whose elements are one block
	opDeref // begins the target of a pointer
	opBack  // ends the target of a pointer, or a variant
	// What is inside sees only the end of its frame. When decoding, the end of the frame around is
	// in a slot until opClose; when encoding, the room for a prefix is filled in there.
	//
	// When decoding, slot is that of the end of the frame around, and level that of the end of
	// this one. If width is 0, n and to are the slots of the value and place of the number that
	// says its length; if size is 0, an exit finds the length.
	opOpen  // begins a frame
	opClose // ends it
	opJump
	opWide   // a number whose width is not its size; mask is the bits that it may have, or when decoding those of which imm decides; they are the sign if slot is not 0
	opDigits // a number of width digits of base imm; mask is the largest, n and slot are the slots of its value and place

	// Only when encoding.
	// If swap is set, the range ends here. If off is not 0, its bytes are by how many bits the number
	// moves in a run of bits, plus 1, for each byte order.
	opPatch // computes a length from a range, and writes it to its place, which a word or opVarint has noted
	// Elements are compared with the bytes of the zero element, which may depend on what is around
	// the slice. If they do not, the slice is an ordinary one, and constant bytes follow it.
	opSeqZero  // the elements up to one that is zero
	opNextSome // like opNext, if an element must not have certain bytes, width in all

	// Only when decoding.
	// A number that others need is in two slots. That of its place is 0 if the number is absent.
	opValue      // a number that others need: n and slot are the slots of its value and place
	opUTF16      // a string in UTF-16, which is always a copy
	opTextVarint // string or []byte after a prefix of variable width
	opTextAmount // string or []byte whose length a number says: imm times slot n, plus level; slot is that of its place
	opRest       // string or []byte up to n bytes before the end of the frame
	opAppend     // ends an element of a slice, which grows; imm and to are those of opNext
	opAppendRare // like opAppend, if there is more to do
	// What depends on a number follows it, as operations of their own: few numbers need them.
	//
	// If the width of opBound is not 0, the number bounds a range that begins at slot off: to is
	// the slot of its bound, and level that of the end of the struct's frame, which no range
	// exceeds. Otherwise to is the slot of the number of elements, if there is one. For opCheck,
	// to is the number of constants and mask the limit.
	opBound // follows the links of a number: n and slot are the slots of its value and place
	opCheck // compares a number, n bytes before, with its constants and limit
)

// A detail has what an operation needs besides its code, size and offset. It is made when
// the type is compiled, and never changes afterwards, so that all goroutines share it.
type detail struct {
	path string // of the field, from what its list, element, target, variant or frame is for
	node *node
	num  number // in the byte order that is in force

	typ    reflect.Type // of opBlock: of its numbers; of a slice or array: of an element
	plan   *block.Plan
	fields []runField // of opRoom, in order
	bits   []bitField
	order  order

	link   *link
	sum    *check
	of     *extent
	links  []*link // that end here, or that bound the range that begins here
	reset  []slot  // of the fields that are absent
	known  bool    // of opDerive: the number was computed early
	early  []early // how to compute a number before what it measures is written
	later  []place // what may follow a field with if=more
	must   bool    // something follows in any case
	closed bool    // nothing else follows in the frame

	least   int  // of opSlice: the fewest bytes of an element
	aligned bool // of opFrame: zeros inside depend on the width of the prefix

	// Of flat lists.
	bounds *[]*link     // that the operations around this one enter, without those outside of its variable or frame
	own    slot         // of a frame: its end; of a slice: where the element begins
	begins slot         // of a slice: where it begins
	outer  *detail      // of the operation that opened the level around
	opens  opcode       // what the operation opens
	level  int32        // that it opens
	off    uintptr      // of the variable of the operation that opens it
	list   *flat        // of opCall and opSeqZero
	zero   mem.Ptr      // of opSeqZero: a zero element
	end    string       // of a slice when encoding: the bytes that no element has
	starts []int32      // of opUnion: the bodies of the variants, as jumps
	words  []wordPart   // of opWord, while the list is made
	word   mem.TypeWord // of opSlice: of a pointer to it, for mem.Variable
	others []int32      // of opEnter and opFinish when decoding: slots of bounds
	zeros  []zeroPart   // of opAppendRare: what is zero in an element that ends a slice
	makers []maker      // of opUnion: of the variants; of opDeref: of the target
	cases  []unionCase  // of opUnion, when encoding: the variants that the loop begins by itself, while the list is made
	joined []op         // what the operation does, one by one, in case the loop cannot do all at once
	clear  bool         // of opSlice: decoding leaves some fields as they are
}

// A unionCase is a variant in an interface with this first word.
type unionCase struct {
	word  mem.TypeWord
	tag   uint64
	reset []slot // of the fields of the variant
	index int32
	start int32 // its body, as a jump, behind the opRoom that makes sure of room bytes
	room  int32
}

// A runField is the place of a field in a run. The room for a run is compared at once, and an
// error must still name the field that has none.
type runField struct {
	end  int
	path string
}

// A bitField is a number in a run of bits. Its shift is that in the byte order of the run: a
// list for order=F has a run for each.
type bitField struct {
	*detail
	off   uintptr
	shift uint8
}

// A place is the variable of a node. Encoding looks at it to find out whether something
// follows a field with if=more.
type place struct {
	off  uintptr
	node *node
}

// An early computes a length or count, or the tag of a union, from variables. What can be
// known early is written in its place at once, and conditions may depend on it.
type early struct {
	off   uintptr // of the union
	union *unionType
	link  *link
	fixed int64  // bytes that are always there
	terms []term // what varies
}

// A term is a string or slice whose elements take size bytes each.
type term struct {
	off  uintptr
	size uint64
}

// A size is a number of bytes of fields that have not been decoded. It is fixed
// plus what links and counts say, unless a condition says that the field is absent. If the
// number of a link or count is absent, inner says the size: that of the next number that may
// say it, or nothing. Sizes of fields behind a range count only if the number that bounds the
// range is absent. With the sizes of all that follows, a field that takes the rest finds its end.
type size struct {
	fixed      int
	link       *link
	count      *link
	absent     *link
	conditions []condition
	inner      []size
}
