package block

import (
	"reflect"
	"runtime"
)

// A Builder collects the parts of a fixed-size value in the order that they have
// on the wire. The zero Builder is empty.
type Builder struct {
	wire int // number of wire bytes so far
	mem  int // offset of the next part in memory
	runs []run
}

// A run is a contiguous part of the wire that comes from a contiguous part of
// memory.
type run struct {
	kind      runKind
	wire, mem int
	width     int // width of the numbers
	n         int // number of them
	elem      *Plan
}

type runKind uint8

const (
	dataRun   runKind = iota // numbers
	boolRun                  // bools
	blankRun                 // blank fields, of width 1
	repeatRun                // elements of an array, of any width
)

// Len returns the number of bytes on the wire so far.
func (b *Builder) Len() int { return b.wire }

// At sets the offset in memory of the next part.
func (b *Builder) At(offset int) { b.mem = offset }

// Add adds a value of type t, which must be fixed-size. If swap is set, the
// bytes of each number are swapped.
func (b *Builder) Add(t reflect.Type, swap bool) {
	switch t.Kind() {
	case reflect.Bool:
		b.put(run{kind: boolRun, width: 1, n: 1})
	case reflect.Complex64, reflect.Complex128:
		b.numbers(int(t.Size())/2, 2, swap)
	case reflect.Array:
		b.array(t, swap)
	case reflect.Struct:
		base := b.mem
		for f := range t.Fields() {
			b.mem = base + int(f.Offset)
			if f.Name != "_" {
				b.Add(f.Type, swap)
				continue
			}
			var blank Builder
			blank.Add(f.Type, swap)
			b.Blank(blank.wire)
		}
	default:
		b.numbers(int(t.Size()), 1, swap)
	}
}

// Blank adds n zero bytes that have no place in memory.
func (b *Builder) Blank(n int) {
	if n > 0 {
		b.put(run{kind: blankRun, width: 1, n: n})
	}
}

func (b *Builder) numbers(width, n int, swap bool) {
	if !swap {
		width, n = 1, width*n
	}
	b.put(run{width: width, n: n})
}

// array adds an array: as one longer run if its element is one run, element by
// element if it has few elements, and otherwise as a repetition.
func (b *Builder) array(t reflect.Type, swap bool) {
	var elem Builder
	elem.Add(t.Elem(), swap)
	if elem.wire*t.Len() == 0 {
		return
	}
	size := int(t.Elem().Size())
	if r, ok := elem.whole(size); ok {
		r.n *= t.Len()
		b.put(r)
		return
	}
	if t.Len()*len(elem.runs) > maxSteps {
		b.put(run{kind: repeatRun, width: elem.wire, n: t.Len(), elem: elem.Plan(size)})
		return
	}
	base := b.mem
	for i := range t.Len() {
		for _, r := range elem.runs {
			b.mem = base + i*size + r.mem
			b.put(r)
		}
	}
}

// put adds a run. If r continues the last run, it extends that one instead.
func (b *Builder) put(r run) {
	r.wire, r.mem = b.wire, b.mem
	b.wire += r.width * r.n
	if len(b.runs) > 0 && r.kind != repeatRun {
		last := &b.runs[len(b.runs)-1]
		if last.kind == r.kind && last.width == r.width &&
			(r.kind == blankRun || last.mem+last.width*last.n == r.mem) {
			last.n += r.n
			return
		}
	}
	b.runs = append(b.runs, r)
}

// whole returns the run that a value of size bytes in memory consists of, if it
// is a single run without padding.
func (b *Builder) whole(size int) (run, bool) {
	if len(b.runs) != 1 || b.wire != size || b.runs[0].kind > boolRun {
		return run{}, false
	}
	return b.runs[0], true
}

// nilFaults reports whether an access through a nil pointer is a fault. On WebAssembly it is not: a value that is processed as a
// line would be read from address 0 or written to it.
const nilFaults = runtime.GOARCH != "wasm"

// Plan returns the plan for the parts of a value that has size bytes in memory.
func (b *Builder) Plan(size int) *Plan {
	p := &Plan{Size: b.wire, Mem: size}
	for _, r := range b.runs {
		p.steps = append(p.steps, r.step())
		p.bools = p.bools || r.kind == boolRun
	}
	if r, ok := b.whole(size); ok {
		p.whole, p.count = r.width, r.n
		p.EncodeLine = nilFaults && r.width == 8 && r.n == 8
	}
	p.permute(b.runs)
	p.DecodeLine = p.EncodeLine && !p.Decode.IsFull()
	return p
}

// step returns the step that processes r number by number.
func (r run) step() step {
	s := step{wire: r.wire, mem: r.mem, n: r.n, elem: r.elem}
	switch r.kind {
	case boolRun:
		s.op = opBool
	case blankRun:
		s.op = opBlank
	case repeatRun:
		s.op = opRepeat
	default:
		s.op = numberOp(r.width, r.n)
	}
	return s
}

// NumberOp returns the operation for one number of 1, 2, 4 or 8 bytes in native or
// swapped order; see [MoveNumber].
func NumberOp(width int, swap bool) Op {
	if swap && width > 1 {
		return numberOp(width, 1)
	}
	return numberOp(1, width)
}

func numberOp(width, n int) Op {
	switch {
	case width == 1 && n == 1:
		return opCopy1
	case width == 1 && n == 2:
		return opCopy2
	case width == 1 && n == 4:
		return opCopy4
	case width == 1 && n == 8:
		return opCopy8
	case width == 2 && n == 1:
		return opSwap2
	case width == 2:
		return opSwapMany2
	case width == 4 && n == 1:
		return opSwap4
	case width == 4:
		return opSwapMany4
	case width == 8 && n == 1:
		return opSwap8
	case width == 8:
		return opSwapMany8
	}
	return opCopy
}
