package kernel

// A block64 fills bytes of one 64-byte window of the destination with bytes of
// one window of the source. The masks have one bit per byte; the lowest bit is
// for the first byte. They keep loads and stores from accessing other bytes.
//
// The assembly uses these fields. A block is three cache lines long. Allocations
// of such sizes are aligned to cache lines, and a load from one cache line is
// faster than a load across two.
type block64 struct {
	index [64]byte // for each byte, its index in the source window
	load  uint64   // bytes of the source window to read
	fill  uint64   // bytes that come from the source; the others become zero
	store uint64   // bytes of the destination window to write
	dst   uint64   // offsets of the windows
	src   uint64
	_     [24]byte
	limit [64]byte // maximum value of each byte
}

// blocks64 divides m into blocks. A window of the destination needs several
// blocks if its bytes are far apart in the source.
func (m Map) blocks64() (blocks []block64) {
	for at := 0; at < len(m.From); at += 64 {
		window := m.From[at:min(at+64, len(m.From))]
		var done uint64
		for i, from := range window {
			if from == Keep {
				done |= 1 << i
			}
		}
		for {
			low, any := lowest(window, done)
			if !any {
				break
			}
			b := block64{dst: uint64(at), src: uint64(max(low, 0))}
			for i, from := range window {
				switch {
				case done>>i&1 == 1:
				case from == Zero:
					b.store |= 1 << i
				case from < int(b.src)+64:
					b.index[i] = byte(from - int(b.src))
					b.limit[i] = m.Limit[at+i]
					b.load |= 1 << b.index[i]
					b.fill |= 1 << i
					b.store |= 1 << i
				}
			}
			done |= b.store
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// A block16 moves bytes of one 16-byte window of the source to one window of
// the destination. If several blocks have the same destination window, their
// results are combined before they are stored.
//
// The assembly uses these fields, and expects limit and keep to follow index.
type block16 struct {
	src   uint32 // offsets of the windows
	dst   uint32
	flags uint32
	_     uint32
	index [16]byte // for each byte, its index in the source window, or 0x80 for zero
	limit [16]byte // maximum value of each byte
	keep  [16]byte // 0xff for bytes of the destination that do not change
}

const (
	blockMore  = 1 // the next block has the same destination window
	blockMerge = 2 // some bytes do not change
)

// blocks16 divides m into blocks. The source and destination must have at least
// 16 bytes. The last window ends at the end of the destination, so it may
// overlap the previous one and fill some bytes again.
func (m Map) blocks16() (blocks []block16) {
	for at := 0; at < len(m.From); at += 16 {
		at := min(at, len(m.From)-16)
		window := m.From[at : at+16]
		b := block16{dst: uint32(at)}
		var done uint64
		for i, from := range window {
			if from == Keep {
				b.keep[i] = 0xff
				b.flags = blockMerge
				done |= 1 << i
			}
		}
		first := true
		for {
			low, any := lowest(window, done)
			if !any {
				break
			}
			if !first {
				last := &blocks[len(blocks)-1]
				last.flags = blockMore
			}
			first = false
			b.src = uint32(min(max(low, 0), m.SrcSize-16))
			for i, from := range window {
				b.index[i], b.limit[i] = 0x80, 0
				switch {
				case done>>i&1 == 1:
				case from == Zero:
					done |= 1 << i
				case from < int(b.src)+16:
					b.index[i] = byte(from - int(b.src))
					b.limit[i] = m.Limit[at+i]
					done |= 1 << i
				}
			}
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// lowest returns the lowest source index among the bytes of the window that are
// not done, or -1 if all of them are Zero. any reports whether there are such
// bytes.
func lowest(window []int, done uint64) (low int, any bool) {
	low = -1
	for i, from := range window {
		if done>>i&1 == 1 {
			continue
		}
		any = true
		if from >= 0 && (low < 0 || from < low) {
			low = from
		}
	}
	return low, any
}
