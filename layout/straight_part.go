package layout

import (
	"math"
	"slices"

	"github.com/octet-go/octet/internal/kernel"
)

// close ends the part.
func (b *straightener) close() {
	t := &b.part
	t.size = len(b.wire)
	t.text.lengthAt -= t.size
	t.extra = len(t.signed)+len(t.patches) > 0
	t.moves = b.moves()
	if first, end := b.span(); native == little && max(end-first, t.size) <= maxPermuted {
		out, in := b.outward(first, end), b.inward(first, end)
		t.at, t.out, t.in = uintptr(first), kernel.NewBitPermutation(out), kernel.NewBitPermutation(in)
		b.run(out, in)
	} else {
		b.general = true
	}
	b.before += t.size
	b.s.parts = append(b.s.parts, *t)
	b.part, b.wire, b.write, b.check, b.fields, b.encode, b.bits, b.memory = part{}, nil, nil, nil, nil, nil, nil, nil
}

// run adds the part to the runs.
func (b *straightener) run(out, in kernel.BitMap) {
	t := &b.part
	r := kernel.Run{Map: out, Wire: t.size, Memory: int(t.at)}
	if len(t.signed) > 0 || len(t.patches) > 1 || max(t.at, t.text.off) > math.MaxInt32 {
		b.general = true
	}
	for _, c := range t.patches {
		r.Patch = kernel.Patch{Length: kernel.Length{At: c.place, Width: int(c.width), Swap: c.swap}, Start: c.start, End: t.size - c.end}
	}
	if x := &t.text; x.kind != noText {
		r.Text = kernel.Text{Length: kernel.Length{At: x.lengthAt, Width: int(x.width), Swap: x.swap}, Header: int(x.off), Most: int(min(x.most, math.MaxInt32))}
		b.s.texts = append(b.s.texts, *x)
	}
	b.outs = append(b.outs, r)
	r.Map = in
	b.ins = append(b.ins, r)
}

// moves returns the run step by step.
func (b *straightener) moves() *moves {
	m := &moves{encode: b.encode, decode: backwards(b.fields), bits: b.bits, fill: fills(b.wire, b.write)}
	if lead := 8 - len(b.wire); lead > 0 && b.before >= lead {
		// A word that begins before the run covers it.
		m.checks, _ = constantWords(append(make([]byte, lead), b.wire...), append(make([]byte, lead), b.check...))
		for i := range m.checks {
			m.checks[i].off -= lead
		}
	} else {
		m.checks, m.single = constantWords(b.wire, b.check)
	}
	m.memory, m.bytes = memoryWords(b.memory, int(b.typ.Size()))
	if len(b.fields) > fewMoves {
		m.to, m.scatter = b.permutation(b.fields, false)
	}
	if len(b.encode) > fewMoves {
		m.from, m.gather = b.permutation(b.encode, true)
	}
	return m
}

// span returns where the fields of the run are in memory.
func (b *straightener) span() (first, end int) {
	first = math.MaxInt
	for _, m := range b.fields {
		first, end = min(first, m.from), max(end, m.from+m.n)
	}
	for _, r := range b.bits {
		for _, f := range r.fields {
			first, end = min(first, f.off), max(end, f.off+int(f.size))
		}
	}
	return min(first, end), end
}

// outward returns the permutation that encodes the run from a part of memory.
func (b *straightener) outward(first, end int) kernel.BitMap {
	m := kernel.BitMap{From: make([]int, 8*len(b.wire)), SrcSize: end - first, Mask: make([]byte, end-first), Value: make([]byte, end-first), OrZero: true}
	for i := range m.From {
		m.From[i] = kernel.Zero
		if b.write[i/8] && b.wire[i/8]>>(i%8)&1 != 0 {
			m.From[i] = kernel.One
		}
	}
	for _, f := range b.encode {
		for i := range 8 * f.n {
			m.From[8*f.to+i] = 8*(f.source(i/8)-first) + i%8
		}
	}
	for _, r := range b.bits {
		for _, f := range r.fields {
			for i := range int(f.width) {
				m.From[r.bit(int(f.shift)+i)] = 8*(f.off-first) + i
			}
			for i := range int(f.size) {
				m.Mask[f.off-first+i] = byte(f.over >> (8 * i))
			}
		}
	}
	for _, c := range b.memory {
		m.Mask[c.off-first], m.Value[c.off-first] = 0xff, c.value
	}
	return m
}

// inward returns the permutation that decodes the run.
func (b *straightener) inward(first, end int) kernel.BitMap {
	m := kernel.BitMap{From: make([]int, 8*(end-first)), SrcSize: len(b.wire), Mask: b.check, Value: make([]byte, len(b.wire))}
	for i, mask := range b.check {
		m.Value[i] = b.wire[i] & mask
	}
	for i := range m.From {
		m.From[i] = kernel.Keep
	}
	for _, f := range b.fields {
		for i := range 8 * f.n {
			m.From[8*(f.source(i/8)-first)+i%8] = 8*f.to + i
		}
	}
	for _, r := range b.bits {
		for _, f := range r.fields {
			for i := range 8 * int(f.size) {
				m.From[8*(f.off-first)+i] = kernel.Zero
				if i < int(f.width) {
					m.From[8*(f.off-first)+i] = r.bit(int(f.shift) + i)
				}
			}
		}
	}
	return m
}

// source returns where byte i of the move comes from.
func (m *move) source(i int) int {
	if m.kind >= reverse2 && m.kind <= reverse8 {
		i = m.n - 1 - i
	}
	return m.from + i
}

// bit returns where bit i of the number that the run is stands on the wire.
func (m *bitMoves) bit(i int) int {
	at := i / 8
	if m.op.x.order == big {
		at = int(m.op.n) - 1 - at
	}
	return 8*(m.wire+at) + i%8
}

// memoryWords returns the constants in memory as words, or byte by byte if the variable
// has fewer than eight bytes.
func memoryWords(list []memoryByte, size int) (words, single []masked) {
	slices.SortFunc(list, func(a, b memoryByte) int { return a.off - b.off })
	for i := 0; i < len(list); {
		if size < 8 {
			single = append(single, masked{list[i].off, uint64(list[i].value), 0xff})
			i++
			continue
		}
		at := min(list[i].off, size-8)
		var value, mask [8]byte
		for ; i < len(list) && list[i].off < at+8; i++ {
			value[list[i].off-at], mask[list[i].off-at] = list[i].value, 0xff
		}
		words = append(words, masked{at, nativeBytes(value[:]), nativeBytes(mask[:])})
	}
	return words, single
}

// fewMoves is how many moves are faster than a permutation.
const fewMoves = 2

// backwards returns the moves in the direction of decoding.
func backwards(list []move) []move {
	list = slices.Clone(list)
	for i := range list {
		list[i].to, list[i].from = list[i].from, list[i].to
	}
	return list
}

// permutation returns the permutation that does all moves, if there is one, and where
// it begins in memory. The moves have the direction of encoding; if encode is false,
// the permutation has the other one.
func (b *straightener) permutation(list []move, encode bool) (low uintptr, p kernel.Permutation) {
	first, end := list[0].from, 0
	for i, m := range list {
		first = min(first, m.from)
		if i > 0 && m.from-end >= 8 { // other variables may be in between
			return 0, p
		}
		end = max(end, m.from+m.n)
	}
	if max(end-first, len(b.wire)) > maxPermuted {
		return 0, p
	}
	k := kernel.Map{From: make([]int, end-first), SrcSize: len(b.wire)}
	if encode {
		k = kernel.Map{From: make([]int, len(b.wire)), SrcSize: end - first}
	}
	k.Limit = make([]byte, len(k.From))
	for i := range k.From {
		k.From[i], k.Limit[i] = kernel.Keep, 255
	}
	for _, m := range list {
		for i := range m.n {
			w, v := m.to+i, m.from-first+i
			if m.kind >= reverse2 && m.kind <= reverse8 {
				w = m.to + m.n - 1 - i
			}
			if encode {
				k.From[w] = v
			} else {
				k.From[v] = w
			}
		}
	}
	return uintptr(first), kernel.NewPermutation(k)
}

// maxPermuted is the most bytes of a run that are permuted.
const maxPermuted = 256

// fills returns the words that write the needed bytes. They may write others, too.
func fills(value []byte, needed []bool) (list []word) {
	for i := 0; i < len(value); i++ {
		if !needed[i] {
			continue
		}
		width := 8
		for width > len(value) || len(value) < 8 && width > len(value)-i {
			width /= 2
		}
		at := min(i, len(value)-width)
		list = append(list, word{at, nativeBytes(value[at : at+width]), uint8(width)})
		i = at + width - 1
	}
	return list
}

// constantWords returns the constant bytes as words, or one by one if there are fewer than
// eight bytes in all.
func constantWords(value, mask []byte) (list, single []masked) {
	for i := 0; i < len(value); i++ {
		switch {
		case mask[i] == 0:
		case len(value) < 8:
			single = append(single, masked{i, uint64(value[i] & mask[i]), uint64(mask[i])})
		default:
			at := min(i, len(value)-8)
			m := masked{at, 0, nativeBytes(mask[at : at+8])}
			m.value = nativeBytes(value[at:at+8]) & m.mask
			list = append(list, m)
			i = at + 7
		}
	}
	return list, single
}

// nativeBytes returns the number that the bytes are in memory.
func nativeBytes(b []byte) uint64 { return getFixed(b, native) }
