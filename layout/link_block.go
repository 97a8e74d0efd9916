package layout

import (
	"reflect"

	"github.com/octet-go/octet/internal/block"
)

// This file gathers the numbers of a run that are only moved. One permutation of bytes
// stores all of them, with zeros in between; then the other operations of the run store
// what is computed.

// fewestMoves is how many numbers a permutation moves faster than operations do.
const fewestMoves = 5

// mostGathered is how many bytes in memory a permutation may read.
const mostGathered = 256

// A move is an operation that only moves bytes, and its place on the wire.
type move struct {
	*op
	wire int
}

// moved returns how many bytes an operation moves, or 0 if it does something else.
func (o *op) moved() int {
	switch o.code {
	case opCopy1, opCopy2, opCopy4, opCopy8, opSwap2, opSwap4, opSwap8:
		return int(o.width)
	case opCopyN:
		return int(o.n)
	}
	return 0
}

// fixedWidth returns how many bytes an operation of a run has on the wire.
func (o *op) fixedWidth() int {
	switch o.code {
	case opCopyN, opBlock, opNumber, opBits, opMagic, opSpace:
		return int(o.n)
	case opCopy1, opCopy2, opCopy4, opCopy8, opSwap2, opSwap4, opSwap8, opWord, opConst, opWide, opDigits, opLength, opLengths, opWindow, opPlace, opOpen:
		return int(o.width)
	}
	return 0
}

// joinCopies makes one operation of those that copy bytes which are side by side both in
// memory and on the wire.
func joinCopies(ops []op) []op {
	list := ops[:0]
	for _, o := range ops {
		if k := o.moved(); k > 0 && !o.isSwap() && len(list) > 0 {
			last := &list[len(list)-1]
			if n := last.moved(); n > 0 && !last.isSwap() && last.off+uintptr(n) == o.off {
				*last = copyOf(n+k, last.off)
				continue
			}
		}
		list = append(list, o)
	}
	return list
}

// copyOf returns the operation that copies n bytes.
func copyOf(n int, off uintptr) op {
	if n == 1 || n == 2 || n == 4 || n == 8 {
		return op{code: moveCode(n, false), width: uint8(n), off: off}
	}
	return op{code: opCopyN, width: 1, n: int32(n), off: off}
}

// isSwap reports whether an operation swaps bytes.
func (o *op) isSwap() bool { return o.code >= opSwap2 && o.code <= opSwap8 }

// endRun joins the numbers of the run that ends here.
func (toWire) endRun(l *linker) {
	l.gather()
	l.windows()
}

// gather makes one block of the numbers of the open run, if the processor has an
// instruction for it.
func (l *linker) gather() {
	l.ops = l.ops[:l.run+1+len(joinCopies(l.ops[l.run+1:]))]
	run := l.ops[l.run+1:]
	for i := range run {
		if run[i].code == opWord {
			run[i].setParts()
		}
	}
	var list []move
	at, low, high := 0, ^uintptr(0), uintptr(0)
	for i := range run {
		o := &run[i]
		if k := o.moved(); k > 0 {
			list = append(list, move{o, at})
			low, high = min(low, o.off), max(high, o.off+uintptr(k))
		}
		at += o.fixedWidth()
	}
	if len(list) < fewestMoves || l.typ == nil || high-low > mostGathered || hasIgnored(l.typ, low, high) {
		return
	}
	first, last := list[0].wire, list[len(list)-1].wire
	var b block.Builder
	for _, m := range list {
		b.Blank(m.wire - first - b.Len())
		for at := 0; at < m.moved(); at += int(m.width) {
			b.At(int(m.off-low) + at)
			b.Add(reflect.TypeOf(numberTypes[m.width]), m.isSwap())
		}
	}
	x := &detail{outer: l.outer, plan: b.Plan(int(high - low))}
	if !x.plan.Encode.Exists() {
		return
	}
	var rest []op
	at = 0
	for _, o := range run {
		width := o.fixedWidth()
		if at == first && o.moved() > 0 {
			rest = append(rest, op{code: opBlock, off: low, n: int32(width), x: x})
		} else if o.moved() > 0 || o.code == opWord && o.imm == 0 && len(o.x.words) == 0 && first < at && at < last {
			rest = skip(rest, width)
		} else {
			rest = append(rest, o)
		}
		at += width
	}
	l.ops = append(l.ops[:l.run+1], rest...)
}

// numberTypes has a number of each width.
var numberTypes = [9]any{1: uint8(0), 2: uint16(0), 4: uint32(0), 8: uint64(0)}

// skip makes the last operation of a run go on n bytes further. The bytes are already
// stored.
func skip(ops []op, n int) []op {
	switch o := &ops[len(ops)-1]; o.code {
	case opBlock, opSkip:
		o.n += int32(n)
	case opWord, opConst, opWide, opWindow:
		o.to += int32(n)
	default:
		return append(ops, op{code: opSkip, n: int32(n)})
	}
	return ops
}
