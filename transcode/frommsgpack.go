package transcode

import (
	"fmt"
	"strconv"

	"github.com/octet-go/octet/msgpack/wire"
)

// A msgpackReader converts MessagePack to JSON text.
type msgpackReader struct {
	o       Options
	src     []byte
	names   names
	plain   []bool // with Reversible: whether each map, in order, can be a JSON object
	maps    int    // number of maps that were converted so far
	level   int    // number of open brackets in the output
	inKey   bool   // inside a key that becomes a string: no indentation, no such keys inside
	scratch []byte // the JSON text of such a key
	changed Changed
}

func (r *msgpackReader) changes() Changed { return r.changed }

func (r *msgpackReader) reset(o Options) {
	r.o = o
	r.src = nil
	r.names.reset()
	r.plain = keep(r.plain)
	r.scratch = keep(r.scratch)
}

func (r *msgpackReader) convert(dst, src []byte, first, one bool) (out []byte, n, used int, fault *Error) {
	r.src = src
	r.level, r.inKey, r.changed = 0, false, Changed{}
	for used < len(src) {
		if one && n == 1 {
			return dst, n, used, &Error{Offset: int64(used), Start: int64(used), Value: 1, Err: ErrTrailing}
		}
		if r.o.MaxValue > 0 && r.tooLarge(src[used:]) {
			return dst, n, used, &Error{Offset: int64(used), Start: int64(used), Value: int64(n), Err: ErrLimit}
		}
		if r.o.Reversible {
			r.plain, r.maps = r.plain[:0], 0
			r.survey(used, r.o.MaxDepth)
		}
		mark, changed := len(dst), r.changed
		var end int
		if dst, end, fault = r.value(dst, used, r.o.MaxDepth); fault != nil {
			fault.Value, fault.Start = int64(n), int64(used)
			fault.join()
			r.changed = changed
			return dst[:mark], n, used, fault
		}
		if !one {
			dst = append(dst, '\n')
		}
		used = end
		n++
	}
	if one && n == 0 {
		return dst, n, used, &Error{Want: "a value", Err: ErrTruncated, empty: true}
	}
	return dst, n, used, nil
}

// tooLarge reports whether the value at the start of data exceeds MaxValue.
func (r *msgpackReader) tooLarge(data []byte) bool {
	if len(data) <= r.o.MaxValue {
		return false
	}
	var s wire.Splitter
	_, whole, err := s.Next(data[:r.o.MaxValue])
	return err == nil && !whole
}

// value appends the value at src[i]. depth is the number of containers that may
// still be opened. The count in a header only determines the number of
// iterations and never an allocation, so a false count costs no memory; the
// input is then truncated.
func (r *msgpackReader) value(dst []byte, i, depth int) ([]byte, int, *Error) {
	if i < len(r.src) {
		switch b := r.src[i]; {
		case b < 0x80:
			return strconv.AppendUint(dst, uint64(b), 10), i + 1, nil
		case b >= 0xe0:
			return strconv.AppendInt(dst, int64(int8(b)), 10), i + 1, nil
		case b >= byte(wire.FixStr) && b < 0xc0:
			if end := i + 1 + int(b&31); end <= len(r.src) {
				if out, ok := appendPlain(dst, r.src[i+1:end]); ok {
					return out, end, nil
				}
			}
		case b < byte(wire.FixStr) && depth > 0:
			h := wire.Header{Format: wire.FixMap, Count: uint32(b & 15)}
			if b >= byte(wire.FixArray) {
				h.Format = wire.FixArray
			}
			return r.container(dst, i+1, h, depth-1)
		}
	}
	h, n, err := wire.ConsumeHeader(r.src[i:])
	if err != nil {
		return dst, i, &Error{Offset: int64(i), Err: err}
	}
	start := i + n
	if uint64(h.Payload) > uint64(len(r.src)-start) {
		want := "1 byte"
		if h.Payload != 1 {
			want = fmt.Sprintf("%d bytes", h.Payload)
		}
		want += " after the header of the " + h.Format.String()
		found := fmt.Sprintf("%d, then the end of the input", len(r.src)-start)
		return dst, i, &Error{Offset: int64(i), Found: found, Want: want, Err: ErrTruncated}
	}
	end := start + int(h.Payload)
	payload := r.src[start:end]
	switch h.Format.Kind() {
	case wire.KindArray, wire.KindMap:
		if depth == 0 {
			return dst, i, &Error{Offset: int64(i), Err: ErrDepth}
		}
		return r.container(dst, start, h, depth-1)
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
	default:
		dst, fault := r.ext(dst, i, h.Ext, payload)
		return dst, end, fault
	}
}

// container appends the container with header h whose first element is at
// src[i]. depth is the depth allowed for the elements.
func (r *msgpackReader) container(dst []byte, i int, h wire.Header, depth int) ([]byte, int, *Error) {
	if h.Format.Kind() == wire.KindArray {
		return r.array(dst, i, h.Count, depth)
	}
	if r.o.Reversible {
		r.maps++
		if !r.plain[r.maps-1] {
			return r.pairs(dst, i, h.Count, depth)
		}
	}
	return r.object(dst, i, h.Count, depth)
}

// array appends the n elements that start at src[i].
func (r *msgpackReader) array(dst []byte, i int, n uint32, depth int) ([]byte, int, *Error) {
	dst = r.begin(dst, '[')
	for k := range n {
		dst = r.element(dst, k == 0)
		var err *Error
		if dst, i, err = r.value(dst, i, depth); err != nil {
			return dst, i, err.within(index(k))
		}
	}
	return r.finish(dst, ']', n > 0), i, nil
}

// object appends the n pairs that start at src[i] as a JSON object.
func (r *msgpackReader) object(dst []byte, i int, n uint32, depth int) ([]byte, int, *Error) {
	names := len(r.names.open)
	dst = r.begin(dst, '{')
	for k := range n {
		dst = r.element(dst, k == 0)
		key := name{offset: i, start: len(dst)}
		var err *Error
		if dst, i, err = r.key(dst, i, depth); err != nil {
			return dst, i, err
		}
		key.end = len(dst)
		r.names.open = append(r.names.open, key)
		dst = r.space(append(dst, ':'))
		if dst, i, err = r.value(dst, i, depth); err != nil {
			return dst, i, err.within(r.step(key.offset, dst[key.start:key.end]))
		}
	}
	return r.finish(dst, '}', n > 0), i, r.closeNames(dst, names)
}

// pairs appends the n pairs that start at src[i] as a $map object, because not
// all keys are strings.
func (r *msgpackReader) pairs(dst []byte, i int, n uint32, depth int) ([]byte, int, *Error) {
	names := len(r.names.open)
	dst = r.begin(append(dst, `{"$map":`...), '[')
	for k := range n {
		dst = r.begin(r.element(dst, k == 0), '[')
		key := name{offset: i, start: len(dst)}
		var err *Error
		if dst, i, err = r.value(dst, i, depth); err != nil {
			return dst, i, err
		}
		key.end = len(dst)
		r.names.open = append(r.names.open, key)
		dst = r.space(append(dst, ','))
		if dst, i, err = r.value(dst, i, depth); err != nil {
			return dst, i, err.within(r.step(key.offset, dst[key.start:key.end]))
		}
		dst = r.finish(dst, ']', false)
	}
	return append(r.finish(dst, ']', n > 0), '}'), i, r.closeNames(dst, names)
}

// closeNames checks the keys of the innermost map for duplicates and removes
// them.
func (r *msgpackReader) closeNames(dst []byte, base int) *Error {
	duplicate, found := r.names.close(dst, base)
	if !found {
		return nil
	}
	text := string(dst[duplicate.start:duplicate.end])
	return &Error{Offset: int64(duplicate.offset), Found: "another " + clip(text), Err: ErrDuplicateKey}
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

// space appends the space between a name and its value in indented output.
func (r *msgpackReader) space(dst []byte) []byte {
	if !r.indented() {
		return dst
	}
	return append(dst, ' ')
}

func (r *msgpackReader) indented() bool { return r.o.Indent != "" && !r.inKey }
