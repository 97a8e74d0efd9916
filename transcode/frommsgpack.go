package transcode

import (
	"strconv"

	"github.com/octet-go/octet/msgpack/wire"
)

// A msgpackReader turns MessagePack into JSON text.
type msgpackReader struct {
	o       Options
	src     []byte
	names   names
	plain   []bool // under Reversible: which maps, in order, can be JSON objects
	maps    int    // of those that were met
	level   int    // of brackets that are open in the output
	inKey   bool   // within a key that becomes a string: no indentation, no such keys again
	scratch []byte // text of such a key
}

func (r *msgpackReader) reset(o Options) {
	r.o = o
	r.src = nil
	r.names.reset()
	r.plain = keep(r.plain)
	r.scratch = keep(r.scratch)
}

func (r *msgpackReader) convert(dst, src []byte, first, one bool) (out []byte, n, used int, fault *Error) {
	r.src = src
	for used < len(src) {
		if one && n == 1 {
			return dst, n, used, &Error{Offset: int64(used), Value: 1, Err: ErrTrailing}
		}
		if r.o.MaxValue > 0 && r.tooLarge(src[used:]) {
			return dst, n, used, &Error{Offset: int64(used), Value: int64(n), Err: ErrLimit}
		}
		if r.o.Reversible {
			r.plain, r.maps = r.plain[:0], 0
			r.survey(used, r.o.MaxDepth)
		}
		mark := len(dst)
		r.names.open = r.names.open[:0]
		r.level, r.inKey = 0, false
		var end int
		if dst, end, fault = r.value(dst, used, r.o.MaxDepth, 0); fault != nil {
			fault.Value = int64(n)
			return dst[:mark], n, used, fault
		}
		if !one {
			dst = append(dst, '\n')
		}
		used = end
		n++
	}
	if one && n == 0 {
		return dst, n, used, &Error{Want: "a value", Err: wire.ErrTruncated}
	}
	return dst, n, used, nil
}

// tooLarge reports whether the value at the start of data exceeds MaxValue.
func (r *msgpackReader) tooLarge(data []byte) bool {
	if len(data) <= r.o.MaxValue {
		return false
	}
	s := msgpackBoundaries{once: true}
	end, _, bad := s.advance(data[:r.o.MaxValue])
	return !bad && end == 0
}

// value appends the value at src[i], which depth more containers may enclose.
// Owed counts the values that the containers around it expect after it, each
// of at least a byte: a header that claims more than what is left is refused
// where it stands.
func (r *msgpackReader) value(dst []byte, i, depth int, owed uint64) ([]byte, int, *Error) {
	if i < len(r.src) {
		switch b := r.src[i]; {
		case b < 0x80:
			return strconv.AppendUint(dst, uint64(b), 10), i + 1, nil
		case b >= 0xe0:
			return strconv.AppendInt(dst, int64(int8(b)), 10), i + 1, nil
		}
	}
	h, n, err := wire.ConsumeHeader(r.src[i:])
	if err != nil {
		return dst, i, &Error{Offset: int64(i), Err: err}
	}
	start := i + n
	values := h.Values()
	if uint64(h.Payload)+values+owed > uint64(len(r.src)-start) {
		return dst, i, &Error{Offset: int64(i), Found: h.Format.String() + " that claims more than is there", Err: wire.ErrTruncated}
	}
	end := start + int(h.Payload)
	payload := r.src[start:end]
	switch h.Format.Kind() {
	case wire.KindNil:
		return append(dst, "null"...), end, nil
	case wire.KindBool:
		return strconv.AppendBool(dst, h.Format == wire.True), end, nil
	case wire.KindInt:
		if u, _, err := wire.ConsumeUint(r.src[i:end]); err == nil {
			return strconv.AppendUint(dst, u, 10), end, nil
		}
		v, _, _ := wire.ConsumeInt(r.src[i:end])
		return strconv.AppendInt(dst, v, 10), end, nil
	case wire.KindFloat:
		dst, fault := r.float(dst, i, end)
		return dst, end, fault
	case wire.KindStr:
		dst, fault := r.str(dst, start, payload)
		return dst, end, fault
	case wire.KindBin:
		return r.bin(dst, payload), end, nil
	case wire.KindExt:
		dst, fault := r.ext(dst, i, h.Ext, payload)
		return dst, end, fault
	}
	if depth == 0 {
		return dst, i, &Error{Offset: int64(i), Err: wire.ErrDepth}
	}
	if h.Format.Kind() == wire.KindArray {
		return r.array(dst, end, h.Count, depth-1, owed)
	}
	return r.table(dst, i, end, h.Count, depth-1, owed)
}

// array appends the n elements from src[i] on.
func (r *msgpackReader) array(dst []byte, i int, n uint32, depth int, owed uint64) ([]byte, int, *Error) {
	dst = r.begin(dst, '[')
	for k := range n {
		dst = r.element(dst, k == 0)
		var err *Error
		if dst, i, err = r.value(dst, i, depth, owed+uint64(n-1-k)); err != nil {
			return dst, i, err.within(index(k))
		}
	}
	return r.finish(dst, ']', n > 0), i, nil
}

// table appends the n pairs of the map at src[at], which start at src[i].
func (r *msgpackReader) table(dst []byte, at, i int, n uint32, depth int, owed uint64) ([]byte, int, *Error) {
	asPairs := false
	if r.o.Reversible {
		asPairs = !r.plain[r.maps]
		r.maps++
	}
	opening, closing := byte('{'), byte('}')
	if asPairs {
		dst = append(dst, `{"$map":`...)
		opening, closing = '[', ']'
	}
	names := len(r.names.open)
	dst = r.begin(dst, opening)
	for k := range n {
		dst = r.element(dst, k == 0)
		left := owed + 2*uint64(n-1-k) + 1 // of values after this key
		var err *Error
		if asPairs {
			dst = append(dst, '[')
			r.level++
		}
		key := name{offset: i, start: len(dst)}
		if asPairs {
			dst, i, err = r.value(dst, i, depth, left)
		} else {
			dst, i, err = r.key(dst, i, depth, left)
		}
		if err != nil {
			return dst, i, err
		}
		key.end = len(dst)
		r.names.open = append(r.names.open, key)
		switch {
		case asPairs:
			dst = append(dst, ',')
		default:
			dst = append(dst, ':')
		}
		if r.indented() {
			dst = append(dst, ' ')
		}
		if dst, i, err = r.value(dst, i, depth, left-1); err != nil {
			return dst, i, err.within(r.step(dst[key.start:key.end], key.offset))
		}
		if asPairs {
			dst = append(dst, ']')
			r.level--
		}
	}
	if twin, found := r.names.close(dst, names); found {
		text := clip(string(dst[twin.start:twin.end]))
		return dst, i, &Error{Offset: int64(twin.offset), Found: "another " + text, Err: ErrDuplicateKey}
	}
	dst = r.finish(dst, closing, n > 0)
	if asPairs {
		dst = append(dst, '}')
	}
	return dst, i, nil
}

// begin, element and finish write the punctuation of a container.
func (r *msgpackReader) begin(dst []byte, bracket byte) []byte {
	r.level++
	return append(dst, bracket)
}

func (r *msgpackReader) element(dst []byte, first bool) []byte {
	if !first {
		dst = append(dst, ',')
	}
	return r.newline(dst)
}

func (r *msgpackReader) finish(dst []byte, bracket byte, some bool) []byte {
	r.level--
	if some {
		dst = r.newline(dst)
	}
	return append(dst, bracket)
}

func (r *msgpackReader) newline(dst []byte) []byte {
	if !r.indented() {
		return dst
	}
	dst = append(dst, '\n')
	for range r.level {
		dst = append(dst, r.o.Indent...)
	}
	return dst
}

func (r *msgpackReader) indented() bool { return r.o.Indent != "" && !r.inKey }
