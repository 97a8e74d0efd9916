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
	s := scratchPool.Get().(*scratch)
	b, err := defaults.marshal(s.buf[:0], v)
	if err != nil {
		s.put(b)
		return nil, err
	}
	if len(b) > maxScratch {
		// Worth more to the caller than to the pool, and too long to copy.
		s.put(s.buf)
		return b, nil
	}
	out := make([]byte, len(b))
	copy(out, b)
	s.put(b)
	return out, nil
}

// MarshalAppend appends v in MessagePack to dst and returns the extended
// slice. It does not allocate where dst has room, unless a user's method does.
// On error it returns dst as it was.
//
// Errors are those of [Marshal].
func MarshalAppend(dst []byte, v any) ([]byte, error) {
	b, err := defaults.marshal(dst, v)
	if err != nil {
		return dst, err
	}
	return b, nil
}

func (c *plans) marshal(dst []byte, v any) ([]byte, error) {
	w, data := mem.HideAny(v)
	if w == (mem.TypeWord{}) {
		return wire.AppendNil(dst), nil
	}
	p := c.of(w, v)
	if p.direct {
		word := data
		return p.encode(dst, mem.Hide(mem.PtrTo(&word)), MaxDepth)
	}
	return p.encode(dst, data, MaxDepth)
}

// Unmarshal decodes the one value in data into the variable that v points to.
// The package comment says which formats fit which Go types. Bytes after the
// value are an error: see [UnmarshalPrefix].
//
// What is decoded does not share memory with data. It may share memory with
// other strings of the same message: keeping one string that is shorter than
// 256 bytes keeps up to 2 KiB of its neighbours.
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
	w, target := mem.HideAny(v)
	if w == (mem.TypeWord{}) {
		return 0, &Error{Op: opUnmarshal, Found: "nil", Err: ErrTarget}
	}
	p := c.of(w, v)
	if p.elem == nil {
		return 0, &Error{Op: opUnmarshal, Found: p.typ.String(), Err: ErrTarget}
	}
	if target.IsNil() {
		return 0, &Error{Op: opUnmarshal, Found: "nil " + p.typ.String(), Err: ErrTarget}
	}
	mem.Escape(data) // a user's method may be handed parts of it
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

// A scratch is where Marshal encodes before it knows the length.
type scratch struct{ buf []byte }

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
