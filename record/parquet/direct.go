package parquet

import (
	"math"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// This file shreds JSON without a detour by MessagePack, which takes a third of the time.
// It gives up at the first value that does not fit its column, at what is not valid JSON,
// and at what is rare. The record is then converted to MessagePack and shredded as one,
// which reports what is wrong.

// A jsonShredder shreds JSON.
type jsonShredder struct {
	*shredder
	jsonText
	options   *transcode.Options
	direct    bool   // may be tried
	converted []byte // MessagePack of a record or value
	depth     int    // of containers around the current value
}

// newJSONShredder returns a shredder for JSON.
func newJSONShredder(s *shredder, o *Options) *jsonShredder {
	return &jsonShredder{shredder: s, options: o.json(), direct: !o.Reversible}
}

// record shreds the next record. At the end of data there may be none.
func (j *jsonShredder) record() error {
	if j.space() == 0 && j.jsonText.pos == len(j.jsonText.data) {
		return nil
	}
	start := j.jsonText.pos
	if j.direct {
		for i := range j.values {
			j.values[i].mark()
		}
		j.filled, j.depth = 0, 0
		if j.whole() && j.jsonText.pos-start <= MaxRecord {
			j.row++
			return nil
		}
		for i := range j.values {
			j.values[i].undo()
		}
	}
	message, end, err := j.jsonText.message(j.converted, start, j.options)
	if err != nil {
		return err
	}
	j.converted, j.jsonText.pos = message, end
	j.shredder.data, j.shredder.pos = message, 0
	return j.shredder.record()
}

// whole shreds a record.
func (j *jsonShredder) whole() bool {
	if j.alone {
		if !j.member(j.root, 0) {
			return false
		}
	} else if j.root.kind != kindStruct || j.jsonText.data[j.jsonText.pos] != '{' || !j.object(j.root, 0) {
		return false
	}
	return j.apart()
}

// member shreds the next value, which belongs to n.
func (j *jsonShredder) member(n *node, rep int) bool {
	c := byte(0)
	if j.jsonText.pos < len(j.jsonText.data) {
		if c = j.jsonText.data[j.jsonText.pos]; c <= ' ' {
			c = j.space()
		}
	}
	if c == 'n' {
		if !j.word("null") {
			return false
		}
		j.null(n, rep, n.def-1)
		return true
	}
	switch n.kind {
	case kindStruct:
		return c == '{' && j.object(n, rep)
	case kindList:
		return c == '[' && j.array(n, rep)
	case kindMap:
		return c == '{' && n.key.kind == kindStr && j.pairs(n, rep)
	case kindStr, kindBin:
		if c != '"' {
			return false
		}
		s, _, ok := j.str()
		if !ok {
			return false
		}
		v := &j.values[n.first]
		v.level(rep)
		v.text(s)
		return true
	}
	d, ok := j.scalar(n, c)
	if ok {
		j.add(n, rep, d)
	}
	return ok
}

// scalar reads a value that is not text, and begins with c.
func (j *jsonShredder) scalar(n *node, c byte) (d datum, ok bool) {
	switch n.kind {
	case kindBool:
		if c == 't' && j.word("true") {
			return datum{bits: 1}, true
		}
		return d, c == 'f' && j.word("false")
	case kindInt:
		v, ok := j.number()
		shift := 64 - n.typ.Bits
		return datum{bits: uint64(v.i)}, ok && v.whole && v.i<<shift>>shift == v.i
	case kindUint:
		v, ok := j.number()
		shift := 64 - n.typ.Bits
		return datum{bits: uint64(v.i)}, ok && v.whole && v.i >= 0 && uint64(v.i)<<shift>>shift == uint64(v.i)
	case kindFloat:
		v, ok := j.number()
		limit := int64(maxExact)
		if n.typ.Bits == 32 {
			limit = maxExactFloat
		}
		if v.whole {
			ok = ok && -limit <= v.i && v.i <= limit
			v.f = float64(v.i)
		}
		if n.typ.Bits == 32 {
			return datum{bits: uint64(math.Float32bits(float32(v.f)))}, ok && float64(float32(v.f)) == v.f
		}
		return datum{bits: math.Float64bits(v.f)}, ok
	case kindTime:
		return j.time(n, c)
	case kindJSON:
		if j.shredder.open[n.typ] {
			return d, false
		}
		return j.any()
	}
	return d, false
}

// time reads a time.
func (j *jsonShredder) time(n *node, c byte) (d datum, ok bool) {
	reason := notTime
	var ns int64
	switch {
	case c == '"' && n.typ.Time == msgpack.TimeRFC3339:
		s, _, ok := j.str()
		if !ok {
			return d, false
		}
		t, err := time.Parse(time.RFC3339Nano, string(s))
		if err != nil {
			return d, false
		}
		ns, reason = nanosecondsOf(t.Unix(), int64(t.Nanosecond()))
	case c != '"':
		if v, ok := j.number(); ok && v.whole && n.typ.Time >= msgpack.TimeUnix {
			ns, reason = unixTime(n.typ.Time, v.i)
		}
	}
	return datum{bits: uint64(ns)}, reason == ""
}

// any reads a value for a column of JSON, whose form is that of package transcode.
func (j *jsonShredder) any() (d datum, ok bool) {
	value, ok := j.raw()
	if !ok {
		return d, false
	}
	o := *j.options
	o.MaxDepth = wire.MaxDepth - j.depth
	var err error
	if j.converted, err = transcode.AppendMsgpack(j.converted[:0], value, &o); err != nil {
		return d, false
	}
	d, reason := j.json(j.converted)
	return d, reason == ""
}

// array shreds a list, whose bracket is the next byte.
func (j *jsonShredder) array(n *node, rep int) bool {
	j.jsonText.pos++
	if j.space() == ']' {
		j.jsonText.pos++
		j.null(n, rep, n.def)
		return true
	}
	j.depth++
	for {
		if j.grow(n) != nil || !j.member(n.elem, rep) {
			return false
		}
		rep = n.elem.rep
		if j.next(',') {
			continue
		}
		j.depth--
		return j.next(']')
	}
}

// pairs shreds a map, whose brace is the next byte.
func (j *jsonShredder) pairs(n *node, rep int) bool {
	j.jsonText.pos++
	if j.space() == '}' {
		j.jsonText.pos++
		j.null(n, rep, n.def)
		return true
	}
	j.depth++
	var keys keySet
	for {
		if j.grow(n) != nil || j.space() != '"' {
			return false
		}
		s, escaped, ok := j.str()
		if !ok || escaped || keys.has(datum{text: s}) {
			return false
		}
		j.add(n.key, rep, datum{text: s})
		if !j.next(':') || !j.member(n.elem, rep) {
			return false
		}
		rep = n.elem.rep
		if j.next(',') {
			continue
		}
		j.depth--
		return j.next('}')
	}
}

// object shreds a struct, whose brace is the next byte.
func (j *jsonShredder) object(n *node, rep int) bool {
	if n.typ.AsArray || n.typ.IntegerKeys {
		return false
	}
	j.jsonText.pos++
	j.depth++
	j.stamp++
	stamp, present := j.stamp, 0
	seen := j.seen[n.seen:][:len(n.names)]
	if j.space() == '}' {
		j.jsonText.pos++
	} else {
		for f := 0; ; f++ {
			if f = j.key(n, f); f < 0 || seen[f] == stamp {
				return false
			}
			seen[f] = stamp
			present++
			if !j.next(':') || !j.member(n.fields[f], rep) {
				return false
			}
			if j.next(',') {
				continue
			}
			if !j.next('}') {
				return false
			}
			break
		}
	}
	if present < len(n.names) {
		for i := range n.names {
			if seen[i] != stamp {
				j.null(n.fields[i], rep, n.def)
			}
		}
	}
	if n.rest {
		j.null(n.fields[len(n.fields)-1], rep, n.def)
	}
	j.depth--
	return true
}

// key reads a key and returns the number of its field, or -1. The field f is tried first.
func (j *jsonShredder) key(n *node, f int) int {
	if j.jsonText.pos >= len(j.jsonText.data) || j.jsonText.data[j.jsonText.pos] != '"' && j.space() != '"' {
		return -1
	}
	if f < len(n.quoted) {
		if q := n.quoted[f]; q != "" && j.word(q) {
			return f
		}
	}
	name, _, ok := j.str()
	if !ok {
		return -1
	}
	if f, ok := n.index[string(name)]; ok {
		return f
	}
	return -1
}

// quoted returns a name as it is in JSON if no character is escaped, or "" if one must be.
func quoted(name string) string {
	t := jsonText{data: []byte(`"` + name + `"`)}
	if s, escaped, ok := t.str(); !ok || escaped || len(s) != len(name) {
		return ""
	}
	return string(t.data)
}
