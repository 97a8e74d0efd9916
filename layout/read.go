package layout

import (
	"errors"
	"io"
	"runtime"
	"slices"

	"github.com/octet-go/octet/internal/mem"
)

// A source is where the bytes of a message come from. A decoder with a source has an end that
// is not known at first, and asks for bytes only when it needs them, so that nothing behind
// the message is read.
type source struct {
	r     io.Reader
	limit int
}

// readStep is how many bytes are read at most before any of them has arrived, so
// that a length in the message cannot make the memory grow by itself.
const readStep = 64 << 10

// read reads one message into the value at p, and returns its length. It begins
// with the bytes of first, which have been read already.
func (m *message) read(r io.Reader, p mem.Ptr, first []byte) (int, error) {
	if m.generated != nil {
		m = m.generated.plan
	}
	if m.open != nil {
		return 0, cannotRead(m.open)
	}
	limit := m.limit
	if limit == 0 {
		limit = DefaultMaxMessage
	}
	if n := m.size; n == m.decoding.room && 0 < n && n <= min(limit, readStep) && len(first) == 0 {
		// The first operation would read all of the message.
		data := make([]byte, n)
		k, err := readFull(r, data)
		if err == nil {
			return m.decode(data, p)
		}
		r, first = failing{err}, data[:k]
	}
	data := make([]byte, 0, max(min(m.least, readStep), len(first), 64))
	d := decoder{data: append(data, first...), end: unbounded, message: m}
	from, slots := source{r: r, limit: limit}, [someSlots]int64{}
	d.source = mem.At[source](mem.Hide(mem.PtrTo(&from)))
	if d.slots = mem.HideSlice(slots[:]); m.slots >= someSlots {
		d.slots = make([]int64, m.slots+1)
	}
	n, err := d.finish(d.inner(m.decoding, 0, p))
	runtime.KeepAlive(&from)
	runtime.KeepAlive(&slots)
	if err != nil {
		if len(d.data) == 0 && err.Err == ErrTruncated {
			return 0, io.EOF
		}
		return n, err
	}
	// A field with if=more has asked for a byte and then taken none. Nobody else could read that byte.
	if n < len(d.data) && n >= len(first) {
		return n, trailing(m.typ, n, len(d.data))
	}
	return n, nil
}

// failing is a reader that has failed.
type failing struct{ err error }

// Read returns the error.
func (f failing) Read([]byte) (int, error) { return 0, f.err }

// fill reads until there are n bytes at pos, and no more. The memory at most doubles with
// each step, whatever the message claims.
func (d *decoder) fill(pos, n int) *Error {
	s := d.source
	for len(d.data)-pos < n {
		if n > s.limit-pos {
			return s.tooLong(pos)
		}
		have := len(d.data)
		want := min(pos+n-have, max(readStep, have))
		d.data = slices.Grow(d.data, want)
		k, err := readFull(s.r, d.data[have:have+want])
		d.data = d.data[:have+k]
		switch {
		case err == io.EOF:
			d.end = min(d.end, len(d.data))
			e := failure(pos, ErrTruncated, "%s", inputEnds(n, len(d.data)-pos))
			e.atEnd = true
			return e
		case err != nil:
			return &Error{Offset: int64(len(d.data)), Err: err, frameEnd: -1}
		}
	}
	return nil
}

// affordable refuses a frame that ends beyond the limit of Read. The rest of a
// message that is too long may never arrive.
func (d *decoder) affordable(pos, end int) *Error {
	if d.source != nil && end > d.source.limit {
		return d.source.tooLong(pos)
	}
	return nil
}

// tooLong returns the error for a message that exceeds the limit of Read.
func (s *source) tooLong(pos int) *Error {
	return failure(pos, ErrLimit, "the message exceeds the limit of %s", plural(s.limit))
}

// another reads one more byte and reports whether there is one. At the limit the
// byte only tells whether the message ends there.
func (d *decoder) another(pos int) (bool, *Error) {
	if pos == d.source.limit && pos == len(d.data) {
		var b [1]byte
		switch _, err := readFull(d.source.r, b[:]); err {
		case nil:
			return false, d.source.tooLong(pos)
		case io.EOF:
			d.end = min(d.end, pos)
			return false, nil
		default:
			return false, &Error{Offset: int64(pos), Err: err, frameEnd: -1}
		}
	}
	err := d.fill(pos, 1)
	if err != nil && err.atEnd {
		return false, nil
	}
	return err == nil, err
}

// fillAll reads up to the end of the input, for a field that takes the rest.
func (d *decoder) fillAll() *Error {
	for d.end == unbounded {
		if _, err := d.another(len(d.data)); err != nil {
			return err
		}
	}
	return nil
}

// Errors for readers and writers that violate the rules of package io.
var (
	errReadCount  = errors.New("reader returned an invalid count")
	errWriteCount = errors.New("layout: writer returned an invalid count")
)

// readFull is like io.ReadFull, but returns io.EOF whenever r ends before b is
// full, and io.ErrNoProgress if r returns nothing too often.
func readFull(r io.Reader, b []byte) (n int, err error) {
	empty := 0
	for n < len(b) {
		k, err := r.Read(b[n:])
		if k < 0 || k > len(b)-n {
			return n, errReadCount
		}
		n += k
		if n == len(b) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		if k > 0 {
			empty = 0
		} else if empty++; empty == 100 {
			return n, io.ErrNoProgress
		}
	}
	return n, nil
}

// openUser returns the first field whose type decodes itself and whose end no frame
// tells, or nil. Read cannot know how many bytes to read for it: a method that is called
// again for each further byte takes quadratic time.
func (b *builder) openUser() *node {
	for _, n := range b.all {
		if n.kind == userNode && !n.user.binary && n.tag.fixed < 0 && !n.isBounded() {
			return n
		}
	}
	return nil
}

// isBounded reports whether the frame of n ends before the message does, or at least
// where a number in the message says.
func (n *node) isBounded() bool {
	for o := n; o != nil; o = o.around() {
		if o.isFramed() {
			return true
		}
		if o.scope == nil || o.owner != nil {
			continue
		}
		for _, l := range o.scope.links {
			if l.of.from <= o.index && o.index <= l.of.to && l.num.seq < n.seq && !l.isOptional() {
				return true
			}
		}
	}
	return false
}

// cannotRead returns the error for a message with such a field.
func cannotRead(n *node) *Error {
	return unsupported(n.path(), "Read cannot know how many bytes %v takes, because it decodes itself; give the field a prefix, fixed=n or a number with len", n.typ)
}
