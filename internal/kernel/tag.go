package kernel

import "github.com/octet-go/octet/internal/mem"

// A tagged number is a tag byte followed by the number in big-endian order,
// like a float in MessagePack. For example, two 4-byte numbers with the tag ca:
//
//	memory  a0 a1 a2 a3  b0 b1 b2 b3
//	tagged  ca a3 a2 a1 a0  ca b3 b2 b1 b0

// Tag4 reads the n 4-byte numbers at src and stores them at dst with the tag, 5
// bytes each. The two ranges must not overlap.
func Tag4(dst, src mem.Ptr, n int, tag byte) {
	done := 0
	if n >= minTag4 {
		done = tagWhole(dst, src, n, &tags4, tag)
	}
	tag4Go(dst, src, done, n, tag)
}

// Tag8 is like [Tag4] for 8-byte numbers, which become 9 bytes each.
func Tag8(dst, src mem.Ptr, n int, tag byte) {
	done := 0
	if n >= minTag8 {
		done = tagWhole(dst, src, n, &tags8, tag)
	}
	tag8Go(dst, src, done, n, tag)
}

// Untag4 is the inverse of [Tag4]. It reads n tagged numbers of 5 bytes each.
// It stops before the first number with another tag and returns how many
// numbers it stored. It does not write after these.
func Untag4(dst, src mem.Ptr, n int, tag byte) (done int) {
	if n >= minTag4 {
		done = untagWhole(dst, src, n, &tags4, tag)
	}
	return untag4Go(dst, src, done, n, tag)
}

// Untag8 is like [Untag4] for 8-byte numbers, which take 9 bytes each.
func Untag8(dst, src mem.Ptr, n int, tag byte) (done int) {
	if n >= minTag8 {
		done = untagWhole(dst, src, n, &tags8, tag)
	}
	return untag8Go(dst, src, done, n, tag)
}

// tags describes the positions of tagged numbers in windows of 64 bytes. The
// first 16 bytes also describe windows of 16 bytes.
//
// The assembly uses these fields.
type tags struct {
	tag   [64]byte // for each byte of a tagged window, its index in the untagged numbers
	untag [64]byte // for each byte of the untagged numbers, its index in the tagged window
	leads uint64   // one bit for each tag of a complete number in the tagged window
	width uint64   // size of a number in bytes
	count uint64   // number of complete numbers in a tagged window of 64 bytes
	most  int      // maximum number of numbers per call of the assembly
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

// zeroByte is the index that produces a zero byte in shuffles of 16 bytes.
const zeroByte = 0x80

// tagWhole tags as many of the n numbers as the vector kernels can process, and
// returns how many it tagged.
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

// untagWhole is the inverse of tagWhole.
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
