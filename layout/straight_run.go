package layout

import (
	"math/bits"

	"github.com/octet-go/octet/internal/kernel"
	"github.com/octet-go/octet/internal/mem"
)

// store encodes the message at p after the bytes of dst, and returns where it ends.
// ok is false if it needs the general program.
func (s *straight) store(dst []byte, p mem.Ptr) (end int, ok bool) {
	spare := min(cap(dst)-len(dst), s.limit) - s.least // room for texts
	if spare < 0 || cap(dst) == len(dst) {
		return 0, false
	}
	start := mem.Bytes(dst).Add(uintptr(len(dst)))
	if s.out.Exists() {
		if n := s.out.Encode(start, p, spare); n >= 0 {
			return len(dst) + n, true
		}
	}
	n, ok := s.storeParts(start, spare, p)
	return len(dst) + n, ok
}

// storeParts encodes the message at start part by part, and returns its length.
func (s *straight) storeParts(start mem.Ptr, spare int, p mem.Ptr) (n int, ok bool) {
	for t := &s.parts[0]; ; t = mem.Next(t) {
		if t.size > 0 { // a part without a run may begin past the memory
			w := start.Add(uintptr(n))
			if t.out.Exists() {
				ok = t.out.Do(w, p.Add(t.at))
			} else {
				ok = t.moves.store(w, p)
			}
			if !ok {
				return 0, false
			}
		}
		if t.extra && !t.storeExtra(start, n, p) {
			return 0, false
		}
		n += t.size
		if x := &t.text; x.kind != noText {
			h := mem.At[mem.TextHeader](p.Add(x.off))
			size := h.Len
			if uint64(size) > min(x.most, uint64(spare)) {
				return 0, false
			}
			spare -= size
			putLength(start, n+x.lengthAt, x.width, x.swap, uint64(size))
			if size > 0 {
				putText(start.Add(uintptr(n)), h.Data, size)
			}
			n += size
		}
		if t.last {
			return n, true
		}
	}
}

// putText stores the size bytes of a text.
func putText(w, src mem.Ptr, size int) {
	switch {
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
}

// load decodes the message at the start of data and returns its length. ok is false if
// it needs the general program.
func (s *straight) load(data []byte, p mem.Ptr) (n int, ok bool) {
	spare := min(len(data), s.limit) - s.least // bytes for texts
	if spare < 0 {
		return 0, false
	}
	start := mem.Bytes(data)
	if s.in.Exists() {
		var spans [kernel.MaxTexts]kernel.Span
		if n = s.in.Decode(p, start, spare, &spans); n < 0 {
			return 0, false
		}
		for i := range s.texts {
			x, from := &s.texts[i], spans[i].From
			if b := data[from:]; x.kind == sharedSlice {
				*mem.At[[]byte](p.Add(x.off)) = b[:spans[i].Len:spans[i].Len]
			} else {
				x.set(p, b[:spans[i].Len:spans[i].Len])
			}
		}
		return n, true
	}
	return s.loadParts(data, spare, p)
}

// loadParts decodes the message part by part.
func (s *straight) loadParts(data []byte, spare int, p mem.Ptr) (n int, ok bool) {
	start := mem.Bytes(data)
	for t := &s.parts[0]; ; t = mem.Next(t) {
		if t.size > 0 {
			w := start.Add(uintptr(n))
			if t.in.Exists() {
				ok = t.in.Do(p.Add(t.at), w)
			} else {
				ok = t.moves.load(w, p)
			}
			if !ok {
				return 0, false
			}
		}
		if t.extra && !t.loadExtra(start, n, p) {
			return 0, false
		}
		n += t.size
		if x := &t.text; x.kind != noText {
			v := getLength(start, n+x.lengthAt, x.width, x.swap)
			if v > min(x.most, uint64(spare)) {
				return 0, false
			}
			spare -= int(v)
			x.set(p, data[n:n+int(v):n+int(v)])
			n += int(v)
		}
		if t.last {
			return n, true
		}
	}
}

// set sets the text of the variable at p to b.
func (t *text) set(p mem.Ptr, b []byte) {
	p = p.Add(t.off)
	switch {
	case t.kind == sharedSlice:
		*mem.At[[]byte](p) = b
	case t.kind == sliceText:
		*mem.At[[]byte](p) = append(make([]byte, 0, len(b)), b...)
	case t.kind == sharedString && len(b) > 0:
		*mem.At[string](p) = mem.String(b)
	default:
		*mem.At[string](p) = string(b)
	}
}

// storeExtra checks the signed bit fields and encodes the lengths of the part that is
// at offset n from start. It reports whether all of them fit.
func (t *part) storeExtra(start mem.Ptr, n int, p mem.Ptr) bool {
	for i := range t.signed {
		f := &t.signed[i]
		v := extend(loadUint(p.Add(uintptr(f.off)), f.size), 8*int(f.size))
		if (v+1<<(f.width-1))>>f.width != 0 {
			return false
		}
	}
	for i := range t.patches {
		c := &t.patches[i]
		v := uint64(n + c.end - c.start)
		if v>>(8*(c.width&7)) != 0 {
			return false
		}
		putLength(start, c.place, c.width, c.swap, v)
	}
	return true
}

// loadExtra is the inverse of storeExtra.
func (t *part) loadExtra(start mem.Ptr, n int, p mem.Ptr) bool {
	for i := range t.patches {
		c := &t.patches[i]
		if getLength(start, c.place, c.width, c.swap) != uint64(n+c.end-c.start) {
			return false
		}
	}
	for i := range t.signed {
		f := &t.signed[i]
		v := loadRun(start, n+f.wire, f.op) >> (f.shift & 63)
		storeUint(p.Add(uintptr(f.off)), f.size, extend(v, int(f.width)))
	}
	return true
}

// putLength stores a number of 1, 2 or 4 bytes.
func putLength(w mem.Ptr, at int, width uint8, swap bool, v uint64) {
	switch {
	case width == 2 && swap:
		mem.StoreNative16(w, at, bits.ReverseBytes16(uint16(v)))
	case width == 1:
		mem.Store8(w, at, byte(v))
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
	case width == 2 && swap:
		return uint64(bits.ReverseBytes16(mem.LoadNative16(w, at)))
	case width == 1:
		return uint64(mem.Load8(w, at))
	case width == 2:
		return uint64(mem.LoadNative16(w, at))
	case swap:
		return uint64(bits.ReverseBytes32(mem.LoadNative32(w, at)))
	}
	return uint64(mem.LoadNative32(w, at))
}
