package binary

import (
	"math"
	"reflect"

	"github.com/octet-go/octet/internal/kernel"
)

// newPlan compiles t, which must be fixed-size, for native or swapped order.
func newPlan(t reflect.Type, swap bool) *plan {
	c := compiler{swap: swap}
	c.add(t)
	return c.plan(t)
}

// plan returns the plan for t, after t has been added.
func (c *compiler) plan(t reflect.Type) *plan {
	p := &plan{size: c.wire, mem: int(t.Size())}
	for _, r := range c.runs {
		p.steps = append(p.steps, r.step())
		p.bools = p.bools || r.kind == boolRun
	}
	if r, ok := c.whole(t); ok {
		p.whole, p.count = r.width, r.n
		p.encodeLine = r.width == 8 && r.n == 8
	}
	p.permute(c.runs)
	p.decodeLine = p.encodeLine && !p.decode.IsFull()
	return p
}

// setRooms sets encodeRoom and decodeRoom. It must be called after the other
// fields are set.
func (p *plan) setRooms() {
	p.encodeFull = p.encode.IsFull() && !p.encodeLine
	p.decodeFull = p.decode.IsFull() && !p.decodeLine
	p.encodeRoom, p.decodeRoom = math.MaxInt, math.MaxInt
	if p.encodeLine || p.encode.Exists() {
		p.encodeRoom = p.size
	}
	if p.decodeLine || p.decode.Exists() {
		p.decodeRoom = p.size
	}
}

// whole returns the run that t consists of, if t is a single run without
// padding.
func (c *compiler) whole(t reflect.Type) (run, bool) {
	if len(c.runs) != 1 || c.wire != int(t.Size()) || c.runs[0].kind > boolRun {
		return run{}, false
	}
	return c.runs[0], true
}

// A run is a contiguous part of the wire that comes from a contiguous part of
// memory.
type run struct {
	kind      runKind
	wire, mem int
	width     int // width of the numbers
	n         int // number of them
	elem      *plan
}

type runKind uint8

const (
	dataRun   runKind = iota // numbers
	boolRun                  // bools
	blankRun                 // blank fields, of width 1
	repeatRun                // elements of an array, of any width
)

// A compiler collects the fields of a type in order.
type compiler struct {
	swap bool
	wire int // number of wire bytes so far
	mem  int // offset of the next field in memory
	runs []run
}

func (c *compiler) add(t reflect.Type) {
	switch t.Kind() {
	case reflect.Bool:
		c.put(run{kind: boolRun, width: 1, n: 1})
	case reflect.Complex64, reflect.Complex128:
		c.numbers(int(t.Size())/2, 2)
	case reflect.Array:
		c.array(t)
	case reflect.Struct:
		base := c.mem
		for f := range t.Fields() {
			c.mem = base + int(f.Offset)
			if f.Name != "_" {
				c.add(f.Type)
			} else if n, _ := wireSize(f.Type, ""); n > 0 {
				c.put(run{kind: blankRun, width: 1, n: n})
			}
		}
	default:
		c.numbers(int(t.Size()), 1)
	}
}

func (c *compiler) numbers(width, n int) {
	if !c.swap {
		width, n = 1, width*n
	}
	c.put(run{width: width, n: n})
}

// array adds an array: as one longer run if its element is one run, element by
// element if it has few elements, and otherwise as a repetition.
func (c *compiler) array(t reflect.Type) {
	if size, _ := wireSize(t, ""); size == 0 {
		return
	}
	elem := compiler{swap: c.swap}
	elem.add(t.Elem())
	if r, ok := elem.whole(t.Elem()); ok {
		r.n *= t.Len()
		c.put(r)
		return
	}
	if t.Len()*len(elem.runs) > maxSteps {
		c.put(run{kind: repeatRun, width: elem.wire, n: t.Len(), elem: elem.plan(t.Elem())})
		return
	}
	base := c.mem
	for i := range t.Len() {
		for _, r := range elem.runs {
			c.mem = base + i*int(t.Elem().Size()) + r.mem
			c.put(r)
		}
	}
}

// put adds a run. If r continues the last run, it extends that one instead.
func (c *compiler) put(r run) {
	r.wire, r.mem = c.wire, c.mem
	c.wire += r.width * r.n
	if len(c.runs) > 0 && r.kind != repeatRun {
		last := &c.runs[len(c.runs)-1]
		if last.kind == r.kind && last.width == r.width &&
			(r.kind == blankRun || last.mem+last.width*last.n == r.mem) {
			last.n += r.n
			return
		}
	}
	c.runs = append(c.runs, r)
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

func numberOp(width, n int) op {
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

// permute builds the permutations of a value. If the value is not whole, it
// also builds those of a group.
func (p *plan) permute(runs []run) {
	if p.size == 0 || max(p.size, p.mem) > maxPermuted {
		return
	}
	numbers := 0
	for _, r := range runs {
		if r.kind == repeatRun {
			return
		}
		numbers += r.n
	}
	if len(runs) > 2 || p.whole > 1 && numbers > 2 && p.size <= maxWhole {
		p.encode = kernel.NewPermutation(p.encodeMap(runs, 1))
		p.decode = kernel.NewPermutation(p.decodeMap(runs, 1))
	}
	if p.whole == 0 || p.bools {
		p.group = max(1, 64/max(p.size, p.mem))
		p.encodeMany = kernel.NewPermutation(p.encodeMap(runs, p.group))
		p.decodeMany = kernel.NewPermutation(p.decodeMap(runs, p.group))
	}
}

// encodeMap returns, for each wire byte of n values, the offset of its source
// in memory.
func (p *plan) encodeMap(runs []run, n int) kernel.Map {
	m := newMap(n*p.size, n*p.mem, kernel.Zero)
	for e := range n {
		for _, r := range runs {
			for i := 0; r.kind != blankRun && i < r.width*r.n; i++ {
				m.From[e*p.size+r.wire+i] = e*p.mem + r.mem + r.swappedIndex(i)
			}
		}
	}
	return m
}

// decodeMap returns, for each memory byte of n values, the offset of its source
// on the wire. Padding and blank fields keep their contents.
func (p *plan) decodeMap(runs []run, n int) kernel.Map {
	m := newMap(n*p.mem, n*p.size, kernel.Keep)
	for e := range n {
		for _, r := range runs {
			for i := 0; r.kind != blankRun && i < r.width*r.n; i++ {
				at := e*p.mem + r.mem + i
				m.From[at] = e*p.size + r.wire + r.swappedIndex(i)
				if r.kind == boolRun {
					m.Limit[at] = 1
				}
			}
		}
	}
	return m
}

// swappedIndex returns the index of byte i of r after the bytes of each number
// are swapped.
func (r run) swappedIndex(i int) int {
	number, at := i/r.width*r.width, i%r.width
	return number + r.width - 1 - at
}

func newMap(dst, src, fill int) kernel.Map {
	m := kernel.Map{From: make([]int, dst), Limit: make([]byte, dst), SrcSize: src}
	for i := range m.From {
		m.From[i], m.Limit[i] = fill, 255
	}
	return m
}
