package kernel

// A block64 fills bytes of one 64-byte window of the destination from one window
// of the source. The masks have a bit for each byte, the first one lowest, and
// keep loads and stores from touching any other byte.
//
// The assembly uses these fields. A block is three cache lines long: blocks are
// allocated in multiples of those, and a load from a single line is the faster one.
type block64 struct {
	index [64]byte // which byte of the source window goes here
	load  uint64   // bytes of the source window that are read
	fill  uint64   // bytes that come from the source; the others are zero
	store uint64   // bytes of the destination window that are written
	dst   uint64   // where the windows begin
	src   uint64
	_     [24]byte
	limit [64]byte // the largest value that a byte may have
}

// blocks64 cuts m into blocks. Values that lie far apart in the source but
// together in the destination need several blocks for the same window.
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

// A block16 takes bytes of one 16-byte window of the source to their places in
// one window of the destination. What several blocks have for the same window
// is put together before it is stored.
//
// The assembly uses these fields, and expects limit and keep to follow index.
type block16 struct {
	src   uint32 // where the windows begin
	dst   uint32
	flags uint32
	_     uint32
	index [16]byte // which byte of the source window goes here, 0x80 for a zero
	limit [16]byte // the largest value that a byte may have
	keep  [16]byte // 0xff where the destination keeps its byte
}

const (
	blockMore  = 1 // the next block is for the same window
	blockMerge = 2 // some bytes are kept
)

// blocks16 cuts m, whose source and destination have 16 bytes at least, into
// blocks. The last window of the destination ends where the destination ends, and
// so may fill once more some bytes of the one before.
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
// not done, -1 if they are all Zero, and whether there are any.
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
