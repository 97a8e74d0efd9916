package msgpack

import (
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/wire"
)

// A strictDecoder decodes structs that have required fields, an inline map, or a
// Config that wants each key to have a field and each field a value. It notes
// the fields that it has seen.
type strictDecoder struct {
	*structDecoder
	rest     *rest
	unknown  bool  // keys without a field are errors
	exact    bool  // arrays have as many elements as there are fields
	required []int // fields
}

// makeStrictDecoder returns nil where nothing of that is asked for.
func (k *compiler) makeStrictDecoder(s typeplan.Struct, d *structDecoder) *strictDecoder {
	c := &strictDecoder{structDecoder: d, unknown: k.plans.RejectUnknown, exact: k.plans.ExactArrays}
	if s.Rest != nil {
		c.rest = k.makeRest(s)
	}
	for i := range s.Fields {
		if s.Fields[i].Options.Has(optionRequired) {
			c.required = append(c.required, i)
		}
	}
	if !c.unknown && !c.exact && c.rest == nil && c.required == nil {
		return nil
	}
	return c
}

func (s *strictDecoder) decode(d *decoder, p mem.Ptr) error {
	start := d.pos
	h, err := d.header(s.want)
	if err != nil {
		return err
	}
	switch h.Format.Kind() {
	case wire.KindMap:
		return s.decodeMap(d, p, h)
	case wire.KindArray:
		n := int64(h.Count)
		if s.exact && n != int64(len(s.fields)) {
			return d.fail(ErrLength, s.want)
		}
		for _, i := range s.required {
			if int64(i) >= n {
				return s.missing(d, start, i)
			}
		}
		return s.decodeArray(d, p, h)
	}
	return s.structDecoder.decode(d, p) // nil, or what it refuses
}

func (s *strictDecoder) decodeMap(d *decoder, p mem.Ptr, h wire.Header) error {
	start := d.pos
	owed, err := d.open(h.Values(), int(h.Size), s.want)
	if err != nil {
		return err
	}
	var few [4]uint64
	seen := few[:]
	if len(s.fields) > 64*len(few) {
		seen = make([]uint64, (len(s.fields)+63)/64)
	}
	if s.strings && d.chunk == nil && h.Count > 0 {
		s.expectStrings(d)
	}
	next := 0 // the field whose key is expected
	for left := h.Values(); left > 0; left -= 2 {
		keyed := false
		if fast {
			var done int
			done, keyed = d.fastFields(s.keys[next:], int(left/2), p)
			for end := next + done; next < end; next++ {
				seen[next/64] |= 1 << (next % 64)
			}
			if left -= 2 * uint64(done); left == 0 {
				break
			}
		}
		d.owed = owed + left - 1
		i, at := next, d.pos
		if !keyed {
			if i, err = s.lookUp(d); err != nil {
				return under("[key]", err)
			}
		}
		if i < 0 {
			if err := s.decodeUnknown(d, p, at); err != nil {
				return err
			}
			continue
		}
		seen[i/64] |= 1 << (i % 64)
		d.owed--
		next = i + 1
		f := &s.fields[i]
		if err := f.decodeInto(d, p); err != nil {
			return under(f.path, err)
		}
	}
	d.close(owed)
	for _, i := range s.required {
		if seen[i/64]>>(i%64)&1 == 0 {
			return s.missing(d, start, i)
		}
	}
	return nil
}

// decodeUnknown is for the key at offset at, which has just been passed and has
// no field.
func (s *strictDecoder) decodeUnknown(d *decoder, p mem.Ptr, at int) error {
	switch {
	case s.rest != nil:
		d.pos = at
		return s.rest.decode(d, p)
	case s.unknown:
		step := keyStep(d.data[at:d.pos])
		d.pos = at
		return under(step, d.fail(ErrUnknownField, s.want))
	}
	d.owed--
	if err := d.skip(); err != nil {
		return under("[unknown field]", err)
	}
	return nil
}

// missing says which field the map or array at offset start lacks.
func (s *strictDecoder) missing(d *decoder, start, i int) error {
	d.pos = start
	return under(s.fields[i].path, d.fail(ErrMissingField, s.want))
}
