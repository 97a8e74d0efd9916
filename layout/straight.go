package layout

import "github.com/octet-go/octet/internal/kernel"

// A straight-line program encodes and decodes messages that are runs of fixed fields
// with at most one text after each. It needs no state, because the contents of a run
// are known when the type is compiled. In any special case it stops, and the general
// program handles the message from its start and returns the error, if there is one.
type straight struct {
	parts  []part
	memory []masked // the constants of all parts in memory
	bytes  []masked // those that are in no word
	alias  bool
	limit  int
}

// A part is a run and the text that follows it.
type part struct {
	size    int      // bytes of the run on the wire
	fill    []word   // constants on the wire
	checks  []masked // the same, to compare
	single  []masked // those that are in no word
	encode  []move
	decode  []move
	gather  kernel.Permutation // does the moves of encode, if it exists
	scatter kernel.Permutation // does those of decode
	from    uintptr            // where gather begins in memory
	to      uintptr            // where scatter does
	extra   bool               // single, bits or patches is not empty
	bits    []bitMoves
	patches []patch // lengths of ranges that end in the run

	text     textKind
	width    uint8 // of the number before the text that is its length
	swap     bool
	lengthAt int // where that is in the run
	off      uintptr
	most     uint64
}

type textKind uint8

const (
	noText textKind = iota
	sliceText
	stringText
)

// A word is eight or fewer bytes on the wire.
type word struct {
	off   int
	value uint64
	width uint8
}

// A masked is a word some of whose bytes are constant. The others are zero in both
// the value and the mask.
type masked struct {
	off         int
	value, mask uint64
}

// A move copies a number or some bytes. While a plan is made, moves have the direction
// of encoding: to the wire, from memory.
type move struct {
	kind     moveKind
	to, from int
	n        int
}

type moveKind uint8

const (
	move1 moveKind = iota
	move2
	move4
	move8
	move16
	reverse2
	reverse4
	reverse8
	moveAny
)

// A bitMoves is a run of bit fields, in the order of their sizes in memory.
type bitMoves struct {
	op     op // as in the general program; n is the number of bytes
	wire   int
	fields []bitMove
	upTo   [3]int // how many have at most 1, 2 and 4 bytes
}

// A bitMove is a bit field. When encoding, the word at the offset at, rotated by
// turn, has the value in the place that it has in the run.
type bitMove struct {
	at         int
	over, keep uint64 // in the word: the bits that must be zero; in the run: those of the value
	turn       int

	off   int
	shift uint8
	low   uint64 // the bits of the value
}

// A patch is the length of a range that ends at the offset end of a run. The range
// and the number begin at fixed offsets of the message.
type patch struct {
	end, start, place int
	width             uint8
	swap              bool
}
