package layout

import (
	"math"

	"github.com/octet-go/octet/internal/kernel"
)

// A straight-line program encodes and decodes messages that are runs of fixed fields
// with at most one text after each. It needs no state, because the contents of a run
// are known when the type is compiled. In any special case it stops, and the general
// program handles the message from its start and returns the error, if there is one.
type straight struct {
	out, in kernel.Message // all parts, if they exist
	texts   []text         // of in
	parts   []part
	least   int // bytes of all runs
	limit   int
}

// A part is a run and the text that follows it. The permutations encode and decode
// the run, constants included, where the processor has the instructions. Otherwise
// moves does.
type part struct {
	size  int // bytes of the run on the wire
	out   kernel.BitPermutation
	in    kernel.BitPermutation
	at    uintptr // where the fields of the run begin in memory
	moves *moves

	extra   bool // there is something in signed or patches
	signed  []signedBits
	patches []patch // lengths of ranges that end in the run

	last bool // there are no parts after this one
	text text
}

// A text is a string or []byte, whose length is a number in the run before it.
type text struct {
	kind     textKind
	width    uint8 // of the number
	swap     bool
	lengthAt int // where the number is, from the end of the run
	off      uintptr
	most     uint64 // of its bytes
}

// A loneRun is a message of one part that permutations do, without a text.
type loneRun struct {
	size    int // of the part, or more than every length
	at      uintptr
	out, in kernel.BitPermutation
	extra   *part // if it has something extra
}

// noLoneRun is for other messages.
var noLoneRun = loneRun{size: math.MaxInt}

// lone returns the message as a loneRun, if it is one.
func (s *straight) lone() loneRun {
	if s == nil {
		return noLoneRun
	}
	t := &s.parts[0]
	if !t.last || t.text.kind != noText || t.size == 0 || t.size > s.limit || !t.out.Exists() || !t.in.Exists() {
		return noLoneRun
	}
	r := loneRun{size: t.size, at: t.at, out: t.out, in: t.in}
	if t.extra {
		r.extra = t
	}
	return r
}

type textKind uint8

const (
	noText textKind = iota
	sliceText
	stringText
	sharedSlice // they alias the input when they are decoded
	sharedString
)

// A signedBits is a signed bit field. It is encoded and decoded with the others, as
// if it were unsigned, and then its sign is checked or extended.
type signedBits struct {
	op    *op // the run
	wire  int
	off   int
	size  uint8
	shift uint8
	width uint8
}

// A patch is the length of a range that ends at the offset end of a run. The range
// and the number begin at fixed offsets of the message.
type patch struct {
	end, start, place int
	width             uint8
	swap              bool
}
