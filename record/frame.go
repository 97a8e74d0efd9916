package record

import (
	"encoding/binary"
	"slices"

	"github.com/octet-go/octet/record/internal/xxh64"
)

// A stored block is a zstd frame of raw blocks:
//
//	0  u32  magicFrame
//	4  u8   descriptor: single segment, content checksum, content size in 4 bytes
//	5  u32  content size
//	9       raw blocks: u24 (size << 3, bit 0 set in the last), then the bytes
//	   u32  low half of the XXH64 of the content
const (
	frameHeaderSize = 9
	rawHeaderSize   = 3
	frameSumSize    = 4
	descriptor      = 2<<6 | 1<<5 | 1<<2
	maxRaw          = 128 << 10 // largest content of a zstd block
	minFrame        = 14        // of any writer, with one byte of content
)

// headroom is the space that a Writer leaves before the records of a block for the
// headers that precede them.
const headroom = blockHeaderSize + frameHeaderSize + rawHeaderSize

// maxStored returns the largest stored length of a block with limit bytes of
// records. A raw zstd block can be as short as half a marker.
func maxStored(limit int) int64 { return int64(limit) + int64(limit)/2 + 64 }

// storeFrame makes a stored frame of b[headroom:], in place. The result begins at
// b[blockHeaderSize] and can have a new array.
func storeFrame(b []byte, f *finder, cuts []int) (stored []byte, room []int) {
	data := b[headroom:]
	n := len(data)
	sum := binary.LittleEndian.AppendUint32(nil, uint32(xxh64.Sum(data)))
	cuts = f.cuts(cuts[:0], data, sum)
	cuts = limitPieces(cuts, n)
	b = append(slices.Grow(b, rawHeaderSize*len(cuts)+frameSumSize), make([]byte, rawHeaderSize*len(cuts))...)
	data = b[headroom:]
	// Move the last piece first, because the pieces move to higher positions.
	end, last := n, uint32(1)
	for i := len(cuts) - 1; i >= -1; i-- {
		start := 0
		if i >= 0 {
			start = cuts[i]
		}
		shift := rawHeaderSize * (i + 1)
		if shift > 0 {
			copy(data[start+shift:], data[start:end])
		}
		header := b[headroom+start+shift-rawHeaderSize:]
		size := uint32(end-start)<<3 | last
		header[0], header[1], header[2] = byte(size), byte(size>>8), byte(size>>16)
		end, last = start, 0
	}
	frame := b[blockHeaderSize:]
	binary.LittleEndian.PutUint32(frame, magicFrame)
	frame[4] = descriptor
	binary.LittleEndian.PutUint32(frame[5:], uint32(n))
	return append(b, sum...), cuts
}

// limitPieces adds positions to cuts, which ascend, so that no piece of n bytes is
// larger than maxRaw.
func limitPieces(cuts []int, n int) []int {
	if len(cuts) == 0 {
		for at := maxRaw; at < n; at += maxRaw {
			cuts = append(cuts, at)
		}
		return cuts
	}
	start, found := 0, len(cuts)
	for i := 0; i <= found; i++ {
		end := n
		if i < found {
			end = cuts[i]
		}
		for at := start + maxRaw; at < end; at += maxRaw {
			cuts = append(cuts, at)
		}
		start = end
	}
	slices.Sort(cuts)
	return cuts
}

// frameContent describes the start of a zstd frame.
type frameContent struct {
	blocks int  // offset of the first zstd block
	known  bool // the frame says how long its content is
	size   uint64
}

// parseFrame reads the header of a zstd frame. ok is false if it is not one, or
// needs a dictionary, or has no checksum.
func parseFrame(frame []byte) (c frameContent, ok bool) {
	if len(frame) < minFrame || binary.LittleEndian.Uint32(frame) != magicFrame {
		return c, false
	}
	d := frame[4]
	single, hasSum := d&(1<<5) != 0, d&(1<<2) != 0
	if d&3 != 0 || d&(1<<3) != 0 || !hasSum {
		return c, false
	}
	at := 5
	if !single {
		at++ // window descriptor
	}
	switch d >> 6 {
	case 0:
		if single {
			c = frameContent{at + 1, true, uint64(frame[at])}
		} else {
			c = frameContent{blocks: at}
		}
	case 1:
		c = frameContent{at + 2, true, uint64(binary.LittleEndian.Uint16(frame[at:])) + 256}
	case 2:
		c = frameContent{at + 4, true, uint64(binary.LittleEndian.Uint32(frame[at:]))}
	case 3:
		if len(frame) < at+8 {
			return c, false
		}
		c = frameContent{at + 8, true, binary.LittleEndian.Uint64(frame[at:])}
	}
	return c, c.blocks <= len(frame)
}

// The results of joinFrame.
type frameKind int

const (
	frameStored frameKind = iota
	frameCompressed
	frameBroken
)

// joinFrame returns the content of a frame of raw blocks. It moves the pieces
// together in place. If the frame has other blocks, it is frameCompressed and
// unchanged as far as it was not read.
func joinFrame(frame []byte, raw int) (content []byte, kind frameKind) {
	c, ok := parseFrame(frame)
	if !ok || c.known && c.size != uint64(raw) {
		return nil, frameBroken
	}
	if kind := classify(frame, c.blocks, raw); kind != frameStored {
		return nil, kind
	}
	begin := c.blocks + rawHeaderSize
	end := begin
	for at := c.blocks; ; {
		size, last := rawHeader(frame[at:])
		at += rawHeaderSize
		if at == end {
			end += size
		} else {
			end += copy(frame[end:], frame[at:at+size])
		}
		if last {
			return frame[begin:end:end], frameStored
		}
		at += size
	}
}

// classify walks over the zstd blocks of a frame, which must end where frame does: the zstd
// command and readers in other languages would take further frames for records. A frame is
// stored if all of them are raw and have raw bytes together.
func classify(frame []byte, at, raw int) frameKind {
	kind, rest := frameStored, raw
	for last := false; !last; {
		if len(frame)-at < rawHeaderSize+frameSumSize {
			return frameBroken
		}
		form := frame[at] & 6
		var size int
		size, last = rawHeader(frame[at:])
		at += rawHeaderSize
		stored := size
		switch form {
		case formRaw:
			rest -= size
		case formRepeat:
			kind, stored = frameCompressed, 1
			rest -= size
		case formCompressed:
			kind = frameCompressed
		default:
			return frameBroken
		}
		if size > maxRaw || stored > len(frame)-at-frameSumSize || rest < 0 {
			return frameBroken
		}
		at += stored
	}
	if at+frameSumSize != len(frame) || kind == frameStored && rest > 0 {
		return frameBroken
	}
	return kind
}

// The forms of zstd blocks, in bits 1 and 2 of their headers.
const (
	formRaw        = 0
	formRepeat     = 2 // one byte, and how often it occurs
	formCompressed = 4
)

// rawHeader returns the size in the header of a zstd block, and whether it is the last one.
func rawHeader(b []byte) (size int, last bool) {
	return int(b[0])>>3 | int(b[1])<<5 | int(b[2])<<13, b[0]&1 != 0
}

// couldExpand reports whether a compressed frame of n bytes can have raw bytes of
// content: a zstd block of four bytes stands for at most maxRaw.
func couldExpand(n, raw int) bool { return int64(raw) <= int64(n/4+1)*maxRaw }

// contentMatches reports whether sum, the end of a frame, is the checksum of the
// content.
func contentMatches(sum uint32, content []byte) bool { return sum == uint32(xxh64.Sum(content)) }
