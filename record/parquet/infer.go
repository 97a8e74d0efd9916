package parquet

import (
	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/msgpack/wire"
)

// A viewer finds the shape of records.
type viewer struct {
	shredder // for its functions that move in data
	shapes   int
	place    int64 // of the current key, which orders the fields
	json     jsonText
}

// look adds the next value to s.
func (v *viewer) look(s *shape, depth int) error {
	h, err := v.header()
	if err != nil {
		return err
	}
	kind := h.Format.Kind()
	if kind != wire.KindArray && kind != wire.KindMap {
		raw := v.data[v.pos:][:int(h.Size)+int(h.Payload)]
		v.pos += len(raw)
		s.traits |= traitsOf(h, raw)
		return nil
	}
	if kind == wire.KindArray {
		s.traits |= hasArray
	} else {
		s.traits |= hasMap
	}
	if depth == 0 || v.shapes > maxNodes {
		if h.Count > 0 {
			s.traits |= tooDeep
		}
		_, err := v.skip()
		return err
	}
	v.pos += int(h.Size)
	if kind == wire.KindArray {
		if s.elem == nil {
			s.elem = &shape{}
			v.shapes++
		}
		for range h.Count {
			if err := v.look(s.elem, depth-1); err != nil {
				return err
			}
		}
		return nil
	}
	for range h.Count {
		if err := v.entry(s, depth-1); err != nil {
			return err
		}
	}
	return nil
}

// entry adds a key and its value to the shape of a map.
func (v *viewer) entry(s *shape, depth int) error {
	h, err := v.header()
	if err != nil {
		return err
	}
	v.place++
	if s.key == nil && h.Format.Kind() == wire.KindStr {
		name := v.data[v.pos+int(h.Size):][:h.Payload]
		f := s.fields[string(name)]
		if f == nil && len(s.fields) < maxKeys {
			f = s.field(string(name), v.place)
			v.shapes++
		}
		if f != nil {
			v.pos += int(h.Size) + int(h.Payload)
			return v.look(f, depth)
		}
	}
	s.asMap()
	if err := v.look(s.key, depth); err != nil {
		return err
	}
	return v.look(s.val, depth)
}

// infer returns the schema of all records of src, and those of its types that other
// records can make narrower.
func infer(src source, o *Options) (s *schema.Schema, open map[*schema.Type]bool, err error) {
	viewers := make([]viewer, o.Procs)
	roots := make([]shape, o.Procs)
	order := newProgress()
	err = process(src, o.Procs, inferSize, func(worker int, b batch) error {
		v := &viewers[worker]
		v.place = b.seq << 32
		rows, err := v.batch(&roots[worker], b.data, o)
		return order.done(b, rows, err, nil)
	})
	if err != nil {
		return nil, nil, err
	}
	for i := range roots[1:] {
		roots[0].merge(&roots[i+1])
	}
	types := newTyper()
	return &schema.Schema{Root: types.value(&roots[0])}, types.open, nil
}

// batch adds records to s, and returns their number up to an error.
func (v *viewer) batch(s *shape, data []byte, o *Options) (rows int64, err error) {
	const depth = maxLevels - 2
	v.json = jsonText{data: data, token: v.json.token}
	if o.Format != JSON {
		v.data, v.pos = data, 0
		for ; v.pos < len(data); rows++ {
			at := v.pos
			if err := v.look(s, depth); err != nil {
				return rows, &recordError{at, err}
			}
		}
		return rows, nil
	}
	for ; ; rows++ {
		if v.json.space() == 0 && v.json.pos == len(data) {
			return rows, nil
		}
		start := v.json.pos
		if !o.Reversible && v.lookJSON(s, depth) && v.json.apart() {
			continue
		}
		// What was added to the shape is added again.
		if v.data, v.json.pos, err = v.json.message(v.data, start, o.json()); err != nil {
			return rows, &recordError{start, err}
		}
		v.pos = 0
		if err := v.look(s, depth); err != nil {
			return rows, &recordError{start, err}
		}
	}
}

// lookJSON adds the next value to s. It gives up where the shredder for JSON does.
func (v *viewer) lookJSON(s *shape, depth int) bool {
	switch v.json.space() {
	case 'n':
		s.traits |= hasNil
		return v.json.word("null")
	case 't':
		s.traits |= hasBool
		return v.json.word("true")
	case 'f':
		s.traits |= hasBool
		return v.json.word("false")
	case '"':
		_, _, ok := v.json.str()
		s.traits |= hasStr
		return ok
	case '[':
		s.traits |= hasArray
		return v.lookArray(s, depth)
	case '{':
		s.traits |= hasMap
		return v.lookObject(s, depth)
	}
	n, ok := v.json.number()
	if !ok {
		return false
	}
	if n.whole {
		s.traits |= traitsOfInt(n.i)
	} else {
		s.traits |= hasFloat64
	}
	return true
}

func (v *viewer) lookArray(s *shape, depth int) bool {
	v.json.pos++
	if v.json.space() == ']' {
		v.json.pos++
		return true
	}
	if depth == 0 || v.shapes > maxNodes {
		return false
	}
	if s.elem == nil {
		s.elem = &shape{}
		v.shapes++
	}
	for {
		if !v.lookJSON(s.elem, depth-1) {
			return false
		}
		if !v.json.next(',') {
			return v.json.next(']')
		}
	}
}

func (v *viewer) lookObject(s *shape, depth int) bool {
	v.json.pos++
	if v.json.space() == '}' {
		v.json.pos++
		return true
	}
	if depth == 0 || v.shapes > maxNodes || s.key != nil {
		return false
	}
	v.stamp++
	stamp := v.stamp
	for guess := 0; ; guess++ {
		if v.json.space() != '"' {
			return false
		}
		f := s.guess(guess, &v.json)
		if f == nil {
			name, _, ok := v.json.str()
			if !ok {
				return false
			}
			if f = s.fields[string(name)]; f == nil {
				if len(s.fields) == maxKeys {
					return false
				}
				f = s.field(string(name), v.place+1)
				v.shapes++
			}
		}
		v.place++
		if f.stamp == stamp {
			return false // twice
		}
		f.stamp = stamp
		if !v.json.next(':') || !v.lookJSON(f, depth-1) {
			return false
		}
		if !v.json.next(',') {
			return v.json.next('}')
		}
	}
}
