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
		w := start.Add(uintptr(n))
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
			for j := range t.encode {
				m := &t.encode[j]
				m.do(w, m.wire, p, m.mem)
			}
		}
		for j := range t.bits {
			if !t.bits[j].store(w, p) {
				return 0, false
			}
		}
		for j := range t.patches {
			c := &t.patches[j]
			v := uint64(n + c.end - c.start)
			if v>>(8*(c.width&7)) != 0 {
				return 0, false
			}
			putLength(start, c.place, c.width, c.swap, v)
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
		putLength(w, t.lengthAt, t.width, t.swap, uint64(size))
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
		w := start.Add(uintptr(n))
		var diff uint64
		for j := range t.checks {
			c := &t.checks[j]
			diff |= mem.LoadNative64(w, c.off)&c.mask ^ c.value
		}
		for j := range t.single {
			c := &t.single[j]
			diff |= uint64(mem.Load8(w, c.off)) ^ c.value
		}
		if diff != 0 {
			return 0, false
		}
		for j := range t.patches {
			c := &t.patches[j]
			if getLength(start, c.place, c.width, c.swap) != uint64(n+c.end-c.start) {
				return 0, false
			}
		}
		if t.scatter.Exists() {
			t.scatter.One(p.Add(t.to), w)
		} else {
			for j := range t.decode {
				m := &t.decode[j]
				m.do(p, m.mem, w, m.wire)
			}
		}
		for j := range t.bits {
			t.bits[j].load(w, p)
		}
		n += t.size
		if t.text == noText {
			continue
		}
		v := getLength(w, t.lengthAt, t.width, t.swap)
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

// do moves the bytes.
func (m *move) do(dst mem.Ptr, to int, src mem.Ptr, from int) {
	switch m.kind {
	case move1:
		mem.Store8(dst, to, mem.Load8(src, from))
	case move2:
		mem.StoreNative16(dst, to, mem.LoadNative16(src, from))
	case move4:
		mem.StoreNative32(dst, to, mem.LoadNative32(src, from))
	case move8:
		mem.StoreNative64(dst, to, mem.LoadNative64(src, from))
	case move16:
		mem.Copy16(dst, to, src, from)
	case reverse2:
		mem.StoreNative16(dst, to, bits.ReverseBytes16(mem.LoadNative16(src, from)))
	case reverse4:
		mem.StoreNative32(dst, to, bits.ReverseBytes32(mem.LoadNative32(src, from)))
	case reverse8:
		mem.StoreNative64(dst, to, bits.ReverseBytes64(mem.LoadNative64(src, from)))
	default:
		mem.Copy(dst.Add(uintptr(to)), src.Add(uintptr(from)), m.n)
	}
}

// store encodes a run of bit fields. It reports whether all values fit.
func (m *bitMoves) store(w, p mem.Ptr) bool {
	var run, over uint64
	for i := range m.fields {
		f := &m.fields[i]
		v := mem.LoadNative64(p, f.at)
		over |= v & f.over
		run |= bits.RotateLeft64(v, f.turn) & f.keep
	}
	storeRun(w, m.wire, &m.op, run)
	return over == 0
}

// load decodes a run of bit fields.
func (m *bitMoves) load(w, p mem.Ptr) {
	run := loadRun(w, m.wire, &m.op)
	for i, f := range m.fields {
		v := run >> (f.shift & 63) & f.low
		switch {
		case i < m.upTo[0]:
			mem.Store8(p, f.off, byte(v))
		case i < m.upTo[1]:
			mem.StoreNative16(p, f.off, uint16(v))
		case i < m.upTo[2]:
			mem.StoreNative32(p, f.off, uint32(v))
		default:
			mem.StoreNative64(p, f.off, v)
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
