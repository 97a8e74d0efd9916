package layout

import (
	"runtime"
	"slices"
	"strings"

	"github.com/octet-go/octet/internal/mem"
)

// This file has the entry points of encoding and the state of an encoder.

// An encoder is the state of encoding one message.
type encoder struct {
	message *message
	buf     []byte     // with what precedes the message
	slots   []int64    // slot 0 is for what nobody needs
	levels  mem.Ptr    // of the list that is running
	start   int        // of the message
	calls   int        // of recursive structs, one in the other
	absent  int        // 1 + where a field with if=more was left out in this frame, or 0
	follows bool       // something follows what the list encodes, in the same frame
	ending  bool       // in the zero element that ends a slice, whose pointers have zero targets
	rare    *rareState // not nil for messages with checksums or many slots
}

// A rareState is the state that few messages need.
type rareState struct {
	sums  []pendingSum
	saved []int64 // slots of the calls around, if there are many
}

// A pendingSum is a checksum that is computed when the message is complete.
type pendingSum struct {
	check           *check
	from, to, place int
	order           order
}

// pending returns the checksums that are not yet computed.
func (e *encoder) pending() []pendingSum {
	if e.rare == nil {
		return nil
	}
	return e.rare.sums
}

// A level is what a pair of operations remembers while those between them run.
type level struct {
	outer mem.Ptr // the variable of the operations around
	left  int     // when encoding and in arrays, elements that are not done; in slices when decoding, all of them, or -1
	stop  int     // when decoding, where the elements end if their number is not known
}

// The slots of most messages are on the stack. More of them would make every call clear
// more.
const (
	fewSlots  = 8
	someSlots = 24
	manySlots = 96
)

// encode appends a value to dst. On error it returns dst with its original length.
func (m *message) encode(dst []byte, v mem.Ptr) ([]byte, error) { return m.encodes(m, dst, v) }

// encoderOf returns the function that encodes the messages of m. The functions differ in
// what they clear, which takes much of the time of a short message: one without nested
// values has no levels, and one without checksums no state for them. Only encodeMany and
// finish know of a limit.
func (m *message) encoderOf() func(m *message, dst []byte, v mem.Ptr) ([]byte, error) {
	switch {
	case m.slots >= someSlots || m.limit > 0 || m.outward:
		return encodeMany
	case m.slots >= fewSlots || m.encoding.levels || m.sums:
		return encodeNested
	}
	return encodeDirect
}

// encodeDirect encodes a message with few slots, and neither levels nor checksums.
func encodeDirect(m *message, dst []byte, v mem.Ptr) ([]byte, error) {
	var e encoder
	var slots [fewSlots]int64
	e.begin(m, dst, slots[:])
	err := e.run(v, m.encoding)
	runtime.KeepAlive(&slots)
	if err != nil || e.absent > 0 {
		return e.finish(dst, err)
	}
	return e.buf, nil
}

// encodeNested encodes a message with some slots.
func encodeNested(m *message, dst []byte, v mem.Ptr) ([]byte, error) {
	var e encoder
	var slots [someSlots]int64
	e.begin(m, dst, slots[:])
	if m.sums {
		b, err := e.encodeSums(dst, v)
		runtime.KeepAlive(&slots)
		return b, err
	}
	var levels [maxLevels]level
	e.levels = mem.Hide(mem.PtrTo(&levels))
	err := e.run(v, m.encoding)
	runtime.KeepAlive(&slots)
	runtime.KeepAlive(&levels)
	if err != nil || e.absent > 0 {
		return e.finish(dst, err)
	}
	return e.buf, nil
}

// encodeMany encodes any message.
func encodeMany(m *message, dst []byte, v mem.Ptr) ([]byte, error) {
	var e encoder
	var slots [manySlots]int64
	if e.begin(m, dst, slots[:]); m.slots >= manySlots {
		e.begin(m, dst, make([]int64, m.slots+1))
	}
	b, err := e.encodeSums(dst, v)
	runtime.KeepAlive(&slots)
	return b, err
}

// begin sets the fields of an encoder that are not zero. A composite literal would be
// made elsewhere and then copied.
func (e *encoder) begin(m *message, dst []byte, slots []int64) {
	e.buf, e.start, e.message, e.slots = dst, len(dst), m, mem.HideSlice(slots)
	e.slots[m.first] = int64(len(dst))
}

// encodeSums encodes with an encoder that has slots, and computes checksums. There is room
// for the first ones on the stack.
func (e *encoder) encodeSums(dst []byte, v mem.Ptr) ([]byte, error) {
	var rare rareState
	var sums [4]pendingSum
	rare.sums = mem.HideSlice(sums[:])[:0]
	e.rare = mem.At[rareState](mem.Hide(mem.PtrTo(&rare)))
	b, err := e.finish(dst, e.inner(e.message.encoding, v))
	runtime.KeepAlive(&sums)
	runtime.KeepAlive(&rare)
	return b, err
}

// inner runs a list of its own for a part of the message, with its own levels.
func (e *encoder) inner(f *flat, p mem.Ptr) *Error {
	var levels [maxLevels]level
	outer := e.levels
	e.levels = mem.Hide(mem.PtrTo(&levels))
	err := e.run(p, f)
	e.levels = outer
	runtime.KeepAlive(&levels)
	return err
}

// marshal returns a value in memory of its own. A short message is encoded on the
// stack, so that only the result is allocated, unless a function of the user may keep
// what it sees. Others begin in a buffer of the length that messages of the type have
// had.
func (m *message) marshal(v mem.Ptr) ([]byte, error) {
	last := int(m.recent.Load())
	if last <= maxShort && !m.sums {
		var buf [maxShort]byte
		b, err := m.encode(mem.HideSlice(buf[:])[:0], v)
		if len(b) <= maxShort {
			b = slices.Clone(b)
		}
		runtime.KeepAlive(&buf)
		if err != nil {
			return nil, err
		}
		if len(b) > maxShort {
			m.recent.Store(int64(len(b)))
		}
		return b, nil
	}
	b, err := m.encode(make([]byte, 0, last), v)
	if err != nil {
		return nil, err
	}
	// The factor of two avoids a store in most calls: goroutines that encode the same
	// type would slow down each other.
	if n := len(b); n > last || n < last/2 {
		m.recent.Store(int64(n))
	}
	return b, nil
}

// maxShort is how many bytes of a short message are on the stack. More would make
// every call clear more.
const maxShort = 256

// finish completes the message, or returns dst and an error with its path.
func (e *encoder) finish(dst []byte, err *Error) ([]byte, error) {
	m := e.message
	if err == nil {
		err = e.end()
	}
	if err == nil && m.limit > 0 && len(e.buf)-e.start > m.limit {
		err = failure(e.start, ErrLimit, "message of %d bytes exceeds the limit of %d", len(e.buf)-e.start, m.limit)
	}
	if err != nil {
		err.Offset -= int64(e.start)
		return dst, finish(m.name, err)
	}
	return e.buf, nil
}

// checkAbsent returns an error if bytes of the same frame follow a field with if=more
// that was left out: the decoder would take them for the field.
func (e *encoder) checkAbsent() *Error {
	if at := e.absent - 1; at >= 0 && len(e.buf) > at {
		return failure(at, ErrRange, "a field with if=more is zero and left out, but bytes follow it; give it a value")
	}
	return nil
}

// end computes what depends on all bytes of the message.
func (e *encoder) end() *Error {
	if err := e.checkAbsent(); err != nil {
		return err
	}
	m, list := e.message, e.pending()
	if len(list) > 1 {
		slices.SortStableFunc(list, func(a, b pendingSum) int { return a.check.rank - b.check.rank })
	}
	for _, s := range list {
		num := &s.check.num.num
		own, data, width := s.place-s.from, e.buf[s.from:s.to], int(num.width)
		if own < 0 || s.place >= s.to {
			own = -1
		} else {
			clear(data[own : own+width]) // digits are not zeros yet
		}
		v := s.check.sum(data, own, width)
		if num.isLength() && v <= num.longest() {
			putFixed(e.buf[s.place:s.place+width], v, s.order)
			continue
		}
		late := *num
		late.order = s.order
		if err := e.patch(&late, s.place, v); err != nil {
			return under(strings.TrimPrefix(s.check.num.path(), m.root.path()+"."), err)
		}
	}
	return nil
}
