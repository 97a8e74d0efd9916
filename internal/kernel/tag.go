package kernel

import "github.com/octet-go/octet/internal/mem"

// A tagged number is a tag byte followed by the number in big-endian order, as
// MessagePack has floats. Two 4-byte numbers with the tag ca:
//
//	memory  a0 a1 a2 a3  b0 b1 b2 b3
//	tagged  ca a3 a2 a1 a0  ca b3 b2 b1 b0

// Tag4 stores the n 4-byte numbers at src at dst, 5 bytes each, with the tag. The
// two do not overlap.
func Tag4(dst, src mem.Ptr, n int, tag byte) {
	done := 0
	if n >= minTag4 {
		done = tagWhole(dst, src, n, &tags4, tag)
	}
	tag4Go(dst, src, done, n, tag)
}

// Tag8 is [Tag4] for 8-byte numbers, which take 9 bytes each.
func Tag8(dst, src mem.Ptr, n int, tag byte) {
	done := 0
	if n >= minTag8 {
		done = tagWhole(dst, src, n, &tags8, tag)
	}
	tag8Go(dst, src, done, n, tag)
}

// Untag4 is the opposite of [Tag4]: it reads n tagged numbers, 5 bytes each. It
// stops before the first one that has another tag, and returns how many numbers
// it stored. It leaves the memory behind these as it was.
func Untag4(dst, src mem.Ptr, n int, tag byte) (done int) {
	if n >= minTag4 {
		done = untagWhole(dst, src, n, &tags4, tag)
	}
	return untag4Go(dst, src, done, n, tag)
}

// Untag8 is [Untag4] for 8-byte numbers, which take 9 bytes each.
func Untag8(dst, src mem.Ptr, n int, tag byte) (done int) {
	if n >= minTag8 {
		done = untagWhole(dst, src, n, &tags8, tag)
	}
	return untag8Go(dst, src, done, n, tag)
}

// tags says how tagged numbers lie in windows of 64 bytes and, which is the
// beginning of the same, of 16 bytes.
//
// The assembly uses these fields.
type tags struct {
	tag   [64]byte // for each byte of a tagged window, its index among the numbers
	untag [64]byte // for each byte of the numbers, its index in the tagged window
	leads uint64   // a bit for each tag of a whole number in the tagged window
	width uint64   // bytes of a number
	count uint64   // whole numbers in a tagged window of 64 bytes
	most  int      // numbers for one call of the assembly
}

var tags4, tags8 = makeTags(4), makeTags(8)

func makeTags(width int) (t tags) {
	t.width, t.count, t.most = uint64(width), uint64(64/(width+1)), maxCall/(width+1)
	for i := range 64 {
		number, at := i/(width+1), i%(width+1)
		switch {
		case at > 0:
			t.tag[i] = byte(number*width + width - at)
		default:
			t.tag[i] = zeroByte
			if number < int(t.count) {
				t.leads |= 1 << i
			}
		}
		t.untag[i] = zeroByte
		if number, at := i/width, i%width; number < int(t.count) {
			t.untag[i] = byte(number*(width+1) + width - at)
		}
	}
	return t
}

// zeroByte is the index that makes a zero byte in shuffles of 16 bytes.
const zeroByte = 0x80

// tagWhole tags as many of the n numbers as the vector kernels can take, and
// returns how many that were.
func tagWhole(dst, src mem.Ptr, n int, t *tags, tag byte) (done int) {
	width := int(t.width)
	for done < n {
		size := min(n-done, t.most)
		did := tagVector(dst.Add(uintptr(done*(width+1))), src.Add(uintptr(done*width)), size, t, tag)
		done += did
		if did < size {
			break
		}
	}
	return done
}

// untagWhole is the opposite.
func untagWhole(dst, src mem.Ptr, n int, t *tags, tag byte) (done int) {
	width := int(t.width)
	for done < n {
		size := min(n-done, t.most)
		did := untagVector(dst.Add(uintptr(done*width)), src.Add(uintptr(done*(width+1))), size, t, tag)
		done += did
		if did < size {
			break
		}
	}
	return done
}

func tag4Go(dst, src mem.Ptr, i, n int, tag byte) {
	for ; i < n; i++ {
		mem.Store8(dst, 5*i, tag)
		mem.Store32BE(dst, 5*i+1, mem.LoadNative32(src, 4*i))
	}
}

func tag8Go(dst, src mem.Ptr, i, n int, tag byte) {
	for ; i < n; i++ {
		mem.Store8(dst, 9*i, tag)
		mem.Store64BE(dst, 9*i+1, mem.LoadNative64(src, 8*i))
	}
}

func untag4Go(dst, src mem.Ptr, i, n int, tag byte) int {
	for ; i < n && mem.Load8(src, 5*i) == tag; i++ {
		mem.StoreNative32(dst, 4*i, mem.Load32BE(src, 5*i+1))
	}
	return i
}

func untag8Go(dst, src mem.Ptr, i, n int, tag byte) int {
	for ; i < n && mem.Load8(src, 9*i) == tag; i++ {
		mem.StoreNative64(dst, 8*i, mem.Load64BE(src, 9*i+1))
	}
	return i
}
