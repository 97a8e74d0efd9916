package msgpack

import (
	"sync"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// Marshal returns v in MessagePack. The package comment says which Go values
// become which formats; nil becomes nil.
//
// Errors are of type *[Error]: an unsupported type, nesting beyond [MaxDepth],
// or what a user's method returned.
func Marshal(v any) ([]byte, error) {
	mem.EscapeBelow(v) // users' methods are given copies of it
	p, data := defaults.of(v)
	if p == nil {
		return wire.AppendNil(nil), nil
	}
	if last := p.long.Load(); last > 0 {
		return p.marshalLong(data, int(last))
	}
	return p.marshalShort(data)
}

// marshalShort encodes a value on the stack, and so spends an allocation on the
// result only.
func (p *plan) marshalShort(v mem.Ptr) ([]byte, error) {
	var buf [maxShort]byte
	b, err := p.encodeRoot(mem.Slice(mem.Hide(mem.PtrTo(&buf[0])), maxShort)[:0], v)
	if err != nil {
		return nil, err
	}
	if len(b) > maxShort {
		p.long.Store(int64(len(b)))
		return b, nil // which append has put into the heap
	}
	out := make([]byte, len(b))
	copy(out, b)
	return out, nil
}

// marshalLong is for types of which values have been long. last is how long one
// was, which decides where to encode the next: up to maxScratch in a buffer from
// the pool, beyond that in the result itself, too long to be copied.
func (p *plan) marshalLong(v mem.Ptr, last int) ([]byte, error) {
	var s *scratch
	var b []byte
	if last <= maxScratch {
		s = scratchPool.Get().(*scratch)
		b = s.buf[:0]
	} else {
		b = make([]byte, 0, last+last/8)
	}
	b, err := p.encodeRoot(b, v)
	n := len(b)
	if s != nil {
		defer s.put(b)
	}
	switch {
	case err != nil:
		return nil, err
	case n < maxShort/2:
		p.long.Store(0)
	case n > last || n < last/2:
		p.long.Store(int64(n))
	}
	if s == nil && cap(b)-n <= n/4 {
		return b, nil
	}
	out := make([]byte, n)
	copy(out, b)
	return out, nil
}

// MarshalAppend appends v in MessagePack to dst and returns the extended
// slice. It does not allocate where dst has room, unless a user's method does.
// Room that the result leaves may be written to as well. On error it returns
// dst as it was.
//
// Errors are those of [Marshal].
func MarshalAppend(dst []byte, v any) ([]byte, error) {
	mem.EscapeBelow(v) // users' methods are given copies of it
	p, data := defaults.of(v)
	if p == nil {
		return wire.AppendNil(dst), nil
	}
	b, err := p.encodeRoot(dst, data)
	if err != nil {
		return dst, err
	}
	return b, nil
}

// Unmarshal decodes the one value in data into the variable that v points to.
// The package comment says which formats fit which Go types. Bytes after the
// value are an error: see [UnmarshalPrefix].
//
// What is decoded does not share memory with data. It may share memory with
// the rest of what is decoded: keeping a string or a slice of numbers of less
// than 192 bytes keeps up to 2 KiB of its neighbours.
//
// Errors are of type *[Error]; *v may be partly set then.
func Unmarshal(data []byte, v any) error {
	n, err := defaults.unmarshal(data, v)
	if err == nil && n < len(data) {
		return &Error{Op: opUnmarshal, Offset: n, Err: ErrTrailing}
	}
	return err
}

// UnmarshalPrefix decodes the first value in data like [Unmarshal] and returns
// how many bytes it took, 0 on error. Other values may follow.
func UnmarshalPrefix(data []byte, v any) (n int, err error) {
	return defaults.unmarshal(data, v)
}

func (c *plans) unmarshal(data []byte, v any) (int, error) {
	p, target := c.of(v)
	if p == nil {
		return 0, &Error{Op: opUnmarshal, Found: "nil", Err: ErrTarget}
	}
	if p.elem == nil {
		return 0, &Error{Op: opUnmarshal, Found: p.typ.String(), Err: ErrTarget}
	}
	if target.IsNil() {
		return 0, &Error{Op: opUnmarshal, Found: "nil " + p.typ.String(), Err: ErrTarget}
	}
	mem.Escape(data) // users' methods are given parts of it
	mem.EscapeBelow(v)
	d := decoder{data: data, depth: MaxDepth}
	err := p.elem.decode(mem.At[decoder](mem.Hide(mem.PtrTo(&d))), target)
	d.release()
	if err != nil {
		return 0, err
	}
	return d.pos, nil
}

// Valid reports whether data is exactly one valid value, without building it:
// complete, nested no deeper than [MaxDepth], with well-formed timestamps and
// nothing behind it. That a str is UTF-8 is not required.
//
// The error, of type *[Error], says where the first fault lies.
func Valid(data []byte) error {
	n, err := wire.Skip(data, MaxDepth)
	if err == nil && n < len(data) {
		err = ErrTrailing
	}
	if err == nil {
		return nil
	}
	return validateError(data, n, err)
}

// A scratch is where Marshal encodes long values before it knows the length, and
// where users' methods append.
type scratch struct{ buf []byte }

const maxShort = 512 // bytes that Marshal encodes on the stack

// maxScratch bounds what one pooled buffer keeps.
const maxScratch = 1 << 20

var scratchPool = sync.Pool{New: func() any { return &scratch{make([]byte, 0, 1024)} }}

// put gives s back to the pool with b, its buffer as it has grown.
func (s *scratch) put(b []byte) {
	if cap(b) <= maxScratch {
		s.buf = b[:0]
	}
	scratchPool.Put(s)
}
