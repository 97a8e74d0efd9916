package msgpack

import (
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// appendTexts appends strings.
func appendTexts(dst []byte, texts []string) (_ []byte, err error) {
	for i, s := range texts {
		if fast && len(s) <= shortString && cap(dst)-len(dst) >= maxScalar {
			dst = dst[:storeText(mem.Bytes(dst), len(dst), s)]
		} else if dst, err = appendText(dst, s); err != nil {
			return dst, underIndex(i, err)
		}
	}
	return dst, nil
}

// storeText writes a str of up to shortString bytes at base+n and returns where
// it ends. The bytes are copied by words that overlap, see [store].
func storeText(base mem.Ptr, n int, s string) (end int) {
	p, size := mem.StringBytes(s), len(s)
	mem.Store8(base, n, byte(wire.FixStr)|byte(size))
	n++
	switch {
	case size > 16:
		a, b := mem.Load64(p, 0), mem.Load64(p, 8)
		c, d := mem.Load64(p, size-16), mem.Load64(p, size-8)
		mem.Store64(base, n, a)
		mem.Store64(base, n+8, b)
		mem.Store64(base, n+size-16, c)
		mem.Store64(base, n+size-8, d)
	case size >= 4:
		second := size >> 1 &^ 3
		third := size - 4 - second
		a, b := mem.Load32(p, 0), mem.Load32(p, second)
		c, d := mem.Load32(p, third), mem.Load32(p, size-4)
		mem.Store32(base, n, a)
		mem.Store32(base, n+second, b)
		mem.Store32(base, n+third, c)
		mem.Store32(base, n+size-4, d)
	case size > 0:
		mem.Store8(base, n, mem.Load8(p, 0))
		mem.Store8(base, n+size/2, mem.Load8(p, size/2))
		mem.Store8(base, n+size-1, mem.Load8(p, size-1))
	}
	return n + size
}

// copyText copies n bytes, at least one, by words that overlap where they are
// few.
func copyText(to, from mem.Ptr, n int) {
	switch {
	case n > 32:
		mem.Copy(to, from, n)
	case n > 16:
		a, b := mem.Load64(from, 0), mem.Load64(from, 8)
		c, d := mem.Load64(from, n-16), mem.Load64(from, n-8)
		mem.Store64(to, 0, a)
		mem.Store64(to, 8, b)
		mem.Store64(to, n-16, c)
		mem.Store64(to, n-8, d)
	case n >= 4:
		second := n >> 1 &^ 3
		third := n - 4 - second
		a, b := mem.Load32(from, 0), mem.Load32(from, second)
		c, d := mem.Load32(from, third), mem.Load32(from, n-4)
		mem.Store32(to, 0, a)
		mem.Store32(to, second, b)
		mem.Store32(to, third, c)
		mem.Store32(to, n-4, d)
	default:
		mem.Store8(to, 0, mem.Load8(from, 0))
		mem.Store8(to, n/2, mem.Load8(from, n/2))
		mem.Store8(to, n-1, mem.Load8(from, n-1))
	}
}
