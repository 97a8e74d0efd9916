package layout

import (
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
)

// store encodes the message at p after the bytes of dst, and returns where it ends.
// ok is false if it needs the general program.
func (s *straight) store(dst []byte, p mem.Ptr) (end int, ok bool) {
	// Usually all constants are zero or all of them have been decoded.
	var some, diff uint64
	for i := range s.memory {
		c := &s.memory[i]
		v := mem.LoadNative64(p, c.off) & c.mask
		some |= v
		diff |= v ^ c.value
	}
	for i := range s.bytes {
		c := &s.bytes[i]
		v := uint64(mem.Load8(p, c.off))
		some |= v
		diff |= v ^ c.value
	}
	if some != 0 && diff != 0 {
		return 0, false
	}
	start := mem.Bytes(dst).Add(uintptr(len(dst)))
	n, room := 0, min(cap(dst)-len(dst), s.limit)
	for i := range s.parts {
		t := &s.parts[i]
		if t.size > room-n {
			return 0, false
		}
		w := start
		if t.size > 0 { // a part without a run may begin past the memory
			w = start.Add(uintptr(n))
		}
		for j := range t.fill {
			c := &t.fill[j]
			switch c.width {
			case 8:
				mem.StoreNative64(w, c.off, c.value)
			case 4:
				mem.StoreNative32(w, c.off, uint32(c.value))
			case 2:
				mem.StoreNative16(w, c.off, uint16(c.value))
			default:
				mem.Store8(w, c.off, byte(c.value))
			}
		}
		if t.gather.Exists() {
			t.gather.One(w, p.Add(t.from))
		} else {
			doMoves(t.encode, w, p)
		}
		if t.extra && !t.storeExtra(start, w, n, p) {
			return 0, false
		}
		n += t.size
		if t.text == noText {
			continue
		}
		h := mem.At[mem.TextHeader](p.Add(t.off))
		size := h.Len
		if uint64(size) > t.most || size > room-n || uint64(size)>>(8*(t.width&7)) != 0 {
			return 0, false
		}
		if t.width == 2 && t.swap {
			mem.StoreNative16(w, t.lengthAt, bits.ReverseBytes16(uint16(size)))
		} else {
			putLength(w, t.lengthAt, t.width, t.swap, uint64(size))
		}
		if size == 0 {
			continue
		}
		w = start.Add(uintptr(n))
		switch src := h.Data; {
		case size > maxInline:
			mem.Copy(w, src, size)
		case size >= 16:
			mem.Copy16(w, 0, src, 0)
			if size > 32 {
				mem.Copy16(w, 16, src, 16)
				mem.Copy16(w, size-32, src, size-32)
			}
			mem.Copy16(w, size-16, src, size-16)
		case size >= 4:
			mem.CopyWords(w, src, size)
		default:
			for i := range size {
				mem.Store8(w, i, mem.Load8(src, i))
			}
		}
		n += size
	}
	return len(dst) + n, true
}

// load decodes the message at the start of data and returns its length. ok is false if
// it needs the general program.
func (s *straight) load(data []byte, p mem.Ptr) (n int, ok bool) {
	start := mem.Bytes(data)
	left := min(len(data), s.limit)
	for i := range s.parts {
		t := &s.parts[i]
		if t.size > left-n {
			return 0, false
		}
		w := start
		if t.size > 0 {
			w = start.Add(uintptr(n))
		}
		var diff uint64
		for j := range t.checks {
			c := &t.checks[j]
			diff |= mem.LoadNative64(w, c.off)&c.mask ^ c.value
		}
		if diff != 0 || t.extra && !t.loadExtra(start, w, n, p) {
			return 0, false
		}
		if t.scatter.Exists() {
			t.scatter.One(p.Add(t.to), w)
		} else {
			doMoves(t.decode, p, w)
		}
		n += t.size
		if t.text == noText {
			continue
		}
		var v uint64
		if t.width == 2 && t.swap {
			v = uint64(bits.ReverseBytes16(mem.LoadNative16(w, t.lengthAt)))
		} else {
			v = getLength(w, t.lengthAt, t.width, t.swap)
		}
		if v > min(t.most, uint64(left-n)) {
			return 0, false
		}
		end := n + int(v)
		b := data[n:end:end]
		switch {
		case t.text == sliceText && s.alias:
			*mem.At[[]byte](p.Add(t.off)) = b
		case t.text == sliceText:
			*mem.At[[]byte](p.Add(t.off)) = append(make([]byte, 0, len(b)), b...)
		case s.alias && len(b) > 0:
			*mem.At[string](p.Add(t.off)) = mem.String(b)
		default:
			*mem.At[string](p.Add(t.off)) = string(b)
		}
		n = end
	}
	return n, true
}

// storeExtra encodes the bit fields and lengths of the part at w, which is at offset n
// from start. It reports whether all of them fit.
func (t *part) storeExtra(start, w mem.Ptr, n int, p mem.Ptr) bool {
	for i := range t.patches {
		c := &t.patches[i]
		v := uint64(n + c.end - c.start)
		if v>>(8*(c.width&7)) != 0 {
			return false
		}
		putLength(start, c.place, c.width, c.swap, v)
	}
	return len(t.bits) == 0 || storeBits(t.bits, w, p)
}

// loadExtra is the inverse of storeExtra. It also compares the constants that are in
// no word.
func (t *part) loadExtra(start, w mem.Ptr, n int, p mem.Ptr) bool {
	for i := range t.single {
		c := &t.single[i]
		if uint64(mem.Load8(w, c.off)) != c.value {
			return false
		}
	}
	for i := range t.patches {
		c := &t.patches[i]
		if getLength(start, c.place, c.width, c.swap) != uint64(n+c.end-c.start) {
			return false
		}
	}
	if len(t.bits) > 0 {
		loadBits(t.bits, w, p)
	}
	return true
}

// doMoves copies the numbers and bytes of a run.
func doMoves(list []move, dst, src mem.Ptr) {
	for i := range list {
		m := &list[i]
		switch m.kind {
		case move1:
			mem.Store8(dst, m.to, mem.Load8(src, m.from))
		case move2:
			mem.StoreNative16(dst, m.to, mem.LoadNative16(src, m.from))
		case move4:
			mem.StoreNative32(dst, m.to, mem.LoadNative32(src, m.from))
		case move8:
			mem.StoreNative64(dst, m.to, mem.LoadNative64(src, m.from))
		case move16:
			mem.Copy16(dst, m.to, src, m.from)
		case reverse2:
			mem.StoreNative16(dst, m.to, bits.ReverseBytes16(mem.LoadNative16(src, m.from)))
		case reverse4:
			mem.StoreNative32(dst, m.to, bits.ReverseBytes32(mem.LoadNative32(src, m.from)))
		case reverse8:
			mem.StoreNative64(dst, m.to, bits.ReverseBytes64(mem.LoadNative64(src, m.from)))
		default:
			mem.Copy(dst.Add(uintptr(m.to)), src.Add(uintptr(m.from)), m.n)
		}
	}
}

// storeBits encodes runs of bit fields. It reports whether all values fit.
func storeBits(list []bitMoves, w, p mem.Ptr) bool {
	var over uint64
	for i := range list {
		m := &list[i]
		var run uint64
		for j := range m.fields {
			f := &m.fields[j]
			v := mem.LoadNative64(p, f.at)
			over |= v & f.over
			run |= bits.RotateLeft64(v, f.turn) & f.keep
		}
		if m.op.swap {
			run = bits.ReverseBytes64(run) >> (m.op.imm & 63)
		}
		switch m.op.n {
		case 1:
			mem.Store8(w, m.wire, byte(run))
		case 2:
			mem.StoreNative16(w, m.wire, uint16(run))
		case 4:
			mem.StoreNative32(w, m.wire, uint32(run))
		case 8:
			mem.StoreNative64(w, m.wire, run)
		default:
			storeOdd(w, m.wire, &m.op, run)
		}
	}
	return over == 0
}

// loadBits decodes runs of bit fields.
func loadBits(list []bitMoves, w, p mem.Ptr) {
	for i := range list {
		m := &list[i]
		var run uint64
		switch m.op.n {
		case 1:
			run = uint64(mem.Load8(w, m.wire))
		case 2:
			run = uint64(mem.LoadNative16(w, m.wire))
			if m.op.swap {
				run = uint64(bits.ReverseBytes16(uint16(run)))
			}
		default:
			run = loadRun(w, m.wire, &m.op)
		}
		for j := range m.fields[:m.upTo[0]] {
			f := &m.fields[j]
			mem.Store8(p, f.off, byte(run>>(f.shift&63)&f.low))
		}
		if m.upTo[0] == len(m.fields) {
			continue
		}
		for j := m.upTo[0]; j < m.upTo[1]; j++ {
			f := &m.fields[j]
			mem.StoreNative16(p, f.off, uint16(run>>(f.shift&63)&f.low))
		}
		for j := m.upTo[1]; j < m.upTo[2]; j++ {
			f := &m.fields[j]
			mem.StoreNative32(p, f.off, uint32(run>>(f.shift&63)&f.low))
		}
		for j := m.upTo[2]; j < len(m.fields); j++ {
			f := &m.fields[j]
			mem.StoreNative64(p, f.off, run>>(f.shift&63)&f.low)
		}
	}
}

// putLength stores a number of 1, 2 or 4 bytes.
func putLength(w mem.Ptr, at int, width uint8, swap bool, v uint64) {
	switch {
	case width == 1:
		mem.Store8(w, at, byte(v))
	case width == 2 && swap:
		mem.StoreNative16(w, at, bits.ReverseBytes16(uint16(v)))
	case width == 2:
		mem.StoreNative16(w, at, uint16(v))
	case swap:
		mem.StoreNative32(w, at, bits.ReverseBytes32(uint32(v)))
	default:
		mem.StoreNative32(w, at, uint32(v))
	}
}

// getLength loads a number of 1, 2 or 4 bytes.
func getLength(w mem.Ptr, at int, width uint8, swap bool) uint64 {
	switch {
	case width == 1:
		return uint64(mem.Load8(w, at))
	case width == 2 && swap:
		return uint64(bits.ReverseBytes16(mem.LoadNative16(w, at)))
	case width == 2:
		return uint64(mem.LoadNative16(w, at))
	case swap:
		return uint64(bits.ReverseBytes32(mem.LoadNative32(w, at)))
	}
	return uint64(mem.LoadNative32(w, at))
}
