package canonical

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/octet-go/octet/msgpack/wire"
)

// A Rewriter rewrites values. The zero Rewriter writes only the shortest
// formats. It reuses its memory: up to 32 bytes for each pair of the largest
// value and another copy of that value.
type Rewriter struct {
	Sort   bool // sort maps by their keys
	Narrow bool // write floats and NaNs as this package describes
	Wide   bool // write every float as float 64, which keeps its value, and NaNs with the same bits
	Unique bool // return a [DuplicateError] if a map has two equal keys
	Merge  bool // remove a pair if the same key and value come later in the map
	Last   bool // of pairs with equal keys, keep only the last
	Bin    bool // write a str that is not valid UTF-8 as bin
	Pace   *Pace

	Removed int64 // number of pairs that were removed
	Unnamed int64 // number of keys that are neither str nor integer

	base    []byte // the value that is being rewritten
	pairs   []pair
	scratch []byte
}

// A pair of the map that is being rewritten. The offsets are those in the
// output, except source.
type pair struct {
	start, middle, end int
	source             int // offset of the key in the input
}

// A DuplicateError is returned for a map that has two equal keys.
type DuplicateError struct {
	Offset int // of the second key in the value
}

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("duplicate key at offset %d", e.Offset)
}

func (e *DuplicateError) Unwrap() error { return wire.ErrDuplicateKey }

// Append appends the rewritten value to dst. The value must be complete and
// valid, as wire.Skip reports. On error, Append returns dst unchanged.
func (r *Rewriter) Append(dst, value []byte) ([]byte, error) {
	r.base, r.pairs = value, r.pairs[:0]
	out, _, err := r.value(dst, value)
	r.base = nil
	if err != nil {
		return dst, err
	}
	return out, nil
}

// value rewrites the value at the start of src and returns the rest of src.
func (r *Rewriter) value(dst, src []byte) (out, rest []byte, err error) {
	h, n, err := wire.ConsumeHeader(src)
	if err != nil {
		return dst, src, err
	}
	whole, payload, rest := src[:n+int(h.Payload)], src[n:n+int(h.Payload)], src[n+int(h.Payload):]
	if err := r.Pace.Spend(min(len(whole), between)); err != nil { // Append spends for long payloads
		return dst, src, err
	}
	switch h.Format.Kind() {
	case wire.KindArray:
		dst = wire.AppendArrayHeader(dst, h.Count)
		for range h.Count {
			if dst, rest, err = r.value(dst, rest); err != nil {
				break
			}
		}
		return dst, rest, err
	case wire.KindMap:
		return r.pairsOf(dst, rest, h.Count)
	case wire.KindFloat:
		switch {
		case r.Narrow:
			return appendNarrow(dst, whole), rest, nil
		case r.Wide:
			return appendWide(dst, whole), rest, nil
		}
	case wire.KindStr:
		if r.Bin && !utf8.Valid(payload) {
			return wire.AppendBin(dst, payload), rest, nil
		}
	}
	dst, complete := AppendShortest(dst, h, whole)
	if !complete {
		dst, err = r.Pace.Append(dst, payload)
	}
	return dst, rest, err
}

// pairsOf rewrites the n pairs of a map and their header.
func (r *Rewriter) pairsOf(dst, src []byte, n uint32) (out, rest []byte, err error) {
	start, mine := len(dst), len(r.pairs)
	dst = wire.AppendMapHeader(dst, n)
	for range n {
		p := pair{start: len(dst), source: len(r.base) - len(src)}
		if dst, src, err = r.value(dst, src); err != nil {
			return dst, src, err
		}
		p.middle = len(dst)
		if h, _, err := wire.ConsumeHeader(dst[p.start:]); err == nil && h.Format.Kind() != wire.KindStr && h.Format.Kind() != wire.KindInt {
			r.Unnamed++
		}
		if dst, src, err = r.value(dst, src); err != nil {
			return dst, src, err
		}
		p.end = len(dst)
		r.pairs = append(r.pairs, p)
	}
	if n > 1 && (r.Sort || r.Unique || r.Merge || r.Last) {
		dst, err = r.arrange(dst, start, r.pairs[mine:])
	}
	r.pairs = r.pairs[:mine]
	return dst, src, err
}

// arrange removes and sorts the pairs of the map that begins at start.
func (r *Rewriter) arrange(dst []byte, start int, pairs []pair) ([]byte, error) {
	byKey := func(p, q pair) int { return Compare(dst[p.start:p.middle], dst[q.start:q.middle]) }
	paced := func(p, q pair) int {
		if r.Pace.Spend(p.middle-p.start) != nil {
			return 0 // ends the sorting soon
		}
		return byKey(p, q)
	}
	sorted := slices.IsSortedFunc(pairs, paced)
	slices.SortStableFunc(pairs, paced)
	kept := pairs[:0]
	for i, p := range pairs {
		if err := r.Pace.Spend(p.middle - p.start); err != nil {
			return dst, err
		}
		if i+1 < len(pairs) && byKey(p, pairs[i+1]) == 0 {
			q := pairs[i+1]
			switch {
			case r.Last, r.Merge && bytes.Equal(dst[p.middle:p.end], dst[q.middle:q.end]):
				r.Removed++
				continue
			case r.Unique:
				return dst, &DuplicateError{q.source}
			}
		}
		kept = append(kept, p)
	}
	if len(kept) == len(pairs) && (sorted || !r.Sort) {
		return dst, nil
	}
	if !r.Sort {
		slices.SortFunc(kept, func(p, q pair) int { return p.start - q.start })
	}
	r.scratch = wire.AppendMapHeader(r.scratch[:0], uint32(len(kept)))
	for _, p := range kept {
		var err error
		if r.scratch, err = r.Pace.Append(r.scratch, dst[p.start:p.end]); err != nil {
			return dst, err
		}
	}
	return r.Pace.Append(dst[:start], r.scratch)
}

// canonicalNaN has the bits of every NaN in the canonical form.
const canonicalNaN = 0x7fc00000

func appendNarrow(dst, value []byte) []byte {
	f, _, _ := wire.ConsumeFloat64(value)
	switch {
	case math.IsNaN(f):
		return wire.AppendFloat32(dst, math.Float32frombits(canonicalNaN))
	case float64(float32(f)) == f:
		return wire.AppendFloat32(dst, float32(f))
	}
	return wire.AppendFloat64(dst, f)
}

func appendWide(dst, value []byte) []byte {
	f, _, _ := wire.ConsumeFloat64(value)
	if f != f {
		f = math.NaN()
	}
	return wire.AppendFloat64(dst, f)
}
