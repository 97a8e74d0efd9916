package parquet

import (
	"fmt"

	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/msgpack/wire"
)

// A viewer finds the shape of records.
type viewer struct {
	shredder // for its functions that move in data
	shapes   int
	place    int64 // of the current key, which orders the fields
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

// infer returns the schema of all records of src.
func infer(src source, procs int) (*schema.Schema, error) {
	viewers := make([]viewer, procs)
	roots := make([]shape, procs)
	err := process(src, procs, inferSize, func(worker int, seq int64, data []byte) error {
		v := &viewers[worker]
		v.data, v.pos, v.place = data, 0, seq<<32
		for v.pos < len(data) {
			if err := v.look(&roots[worker], maxLevels-2); err != nil {
				return fmt.Errorf("parquet: invalid record: %w", err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range roots[1:] {
		roots[0].merge(&roots[i+1])
	}
	budget := maxColumns / 2
	return &schema.Schema{Root: roots[0].value(&budget)}, nil
}
