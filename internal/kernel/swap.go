package kernel

import (
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
)

// The masks for a shuffle that swaps the bytes of the numbers in 16 bytes: byte
// i of the result is byte mask[i] of the source.
//
//	8 bytes   source  a b c d e f g h  i j k l m n o p
//	          mask    7 6 5 4 3 2 1 0  f e d c b a 9 8
//	          result  h g f e d c b a  p o n m l k j i
var (
	reverse2 = [16]byte{1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14}
	reverse4 = [16]byte{3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12}
	reverse8 = [16]byte{7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8}
)

// Swap2 reverses the bytes of the n 2-byte numbers at src and stores them at
// dst. src and dst must be the same memory or not overlap. They need no
// alignment.
func Swap2(dst, src mem.Ptr, n int) {
	done := 0
	if 2*n >= minSwap {
		done = swap(dst, src, 2*n, 2, &reverse2)
	}
	swap2Go(dst, src, done, 2*n)
}

// Swap4 is like [Swap2] for 4-byte numbers.
func Swap4(dst, src mem.Ptr, n int) {
	done := 0
	if 4*n >= minSwap {
		done = swap(dst, src, 4*n, 4, &reverse4)
	}
	swap4Go(dst, src, done, 4*n)
}

// Swap8 is like [Swap2] for 8-byte numbers.
func Swap8(dst, src mem.Ptr, n int) {
	done := 0
	if 8*n >= minSwap {
		done = swap(dst, src, 8*n, 8, &reverse8)
	}
	swap8Go(dst, src, done, 8*n)
}

// nonTemporal is the size from which stores bypass the caches, because the
// result would evict everything else and still not be in the cache when it is
// read.
const nonTemporal = 16 << 20

// swap swaps the bytes of the numbers in as many of the n bytes as the vector
// kernels can process, and returns the number of bytes processed.
func swap(dst, src mem.Ptr, n, width int, mask *[16]byte) (done int) {
	if n >= nonTemporal && hasStream && dst != src && mem.Misalignment(dst, width) == 0 {
		// Streaming needs whole cache lines. Numbers before the first one are
		// swapped normally.
		if head := -mem.Misalignment(dst, 64) & 63; head > 0 {
			swapGo(dst, src, head, width)
			done = head
		}
		for n-done >= 256 {
			size := min((n-done)&^255, maxCall)
			swapStream(dst.Add(uintptr(done)), src.Add(uintptr(done)), size, mask)
			done += size
		}
	}
	for n-done >= minSwap {
		size := min(n-done, maxCall)
		did := swapVector(dst.Add(uintptr(done)), src.Add(uintptr(done)), size, mask)
		done += did
		if did < size {
			break
		}
	}
	return done
}

// swapGo is the Go implementation of the vector kernels. n must be a multiple
// of width.
func swapGo(dst, src mem.Ptr, n, width int) {
	switch width {
	case 2:
		swap2Go(dst, src, 0, n)
	case 4:
		swap4Go(dst, src, 0, n)
	case 8:
		swap8Go(dst, src, 0, n)
	}
}

func swap2Go(dst, src mem.Ptr, i, n int) {
	// Swap four numbers at a time: the even bytes move up, the odd ones down.
	const odd = 0xff00ff00ff00ff00
	for ; n-i >= 8; i += 8 {
		v := mem.Load64(src, i)
		mem.Store64(dst, i, v&odd>>8|v<<8&odd)
	}
	for ; i < n; i += 2 {
		mem.Store16(dst, i, mem.Load16BE(src, i))
	}
}

func swap4Go(dst, src mem.Ptr, i, n int) {
	// Swap two numbers at a time: reverse all eight bytes, then exchange the
	// halves.
	for ; n-i >= 8; i += 8 {
		mem.Store64(dst, i, bits.RotateLeft64(mem.Load64BE(src, i), 32))
	}
	for ; i < n; i += 4 {
		mem.Store32(dst, i, mem.Load32BE(src, i))
	}
}

func swap8Go(dst, src mem.Ptr, i, n int) {
	for ; i < n; i += 8 {
		mem.Store64(dst, i, mem.Load64BE(src, i))
	}
}
