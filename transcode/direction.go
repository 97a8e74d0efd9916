package transcode

import "sync"

// A converter turns the values of src into the other format.
type converter interface {
	// convert appends the values of src to dst and returns how many they were.
	// A fault ends it: then dst holds the values before the fault, and n and
	// used count those. First says that src is the start of the input; one,
	// that it holds exactly one value.
	convert(dst, src []byte, first, one bool) (out []byte, n, used int, err *Error)
	// reset readies the converter for another input.
	reset(o Options)
}

// A direction is one of the two ways to convert.
type direction struct {
	pool sync.Pool // of converter
	scan func() boundaries
}

var (
	toMsgpack = direction{
		pool: sync.Pool{New: func() any { return new(jsonReader) }},
		scan: func() boundaries { return new(jsonBoundaries) },
	}
	toJSON = direction{
		pool: sync.Pool{New: func() any { return new(msgpackReader) }},
		scan: func() boundaries { return new(msgpackBoundaries) },
	}
)

// take returns a converter from the pool.
func (d *direction) take(o Options) converter {
	c := d.pool.Get().(converter)
	c.reset(o)
	return c
}

// give puts a converter back, without the caller's data.
func (d *direction) give(c converter) {
	c.reset(Options{})
	d.pool.Put(c)
}

// append is what the functions for slices do.
func (d *direction) append(dst, src []byte, o Options, one bool) ([]byte, error) {
	o, err := o.check()
	if err != nil {
		return dst, err
	}
	c := d.take(o)
	defer d.give(c)
	out, _, _, fault := c.convert(dst, src, true, one)
	switch {
	case fault == nil:
		return out, nil
	case one:
		return dst, fault
	default:
		return out, fault
	}
}
