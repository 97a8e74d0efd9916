package transcode

import (
	"sync"

	"github.com/octet-go/octet/msgpack/wire"
)

// A converter converts the values of src to the other format.
type converter interface {
	// convert appends the values of src to dst and returns their number n and
	// the length used of their input. If it finds an error in the input, dst, n
	// and used cover only the values before the error. If first is set, src is
	// the start of the input. If one is set, src must contain exactly one
	// value.
	convert(dst, src []byte, first, one bool) (out []byte, n, used int, err *Error)
	// changes returns the Changed of the values that the last call of convert
	// appended.
	changes() Changed
	// reset prepares the converter for another input.
	reset(o Options)
}

// A splitter finds the ends of values in input that arrives in chunks.
type splitter interface {
	Next(chunk []byte) (n int, whole bool, err error)
	Last(chunk []byte) (end, n int, err error)
}

// A direction is one of the two ways to convert.
type direction struct {
	pool sync.Pool // contains converters
	text bool      // the input is text, so errors have a line and a column
	new  func() splitter
}

var (
	toMsgpack = direction{
		pool: sync.Pool{New: func() any { return new(jsonReader) }},
		text: true,
		new:  func() splitter { return new(JSONSplitter) },
	}
	toJSON = direction{
		pool: sync.Pool{New: func() any { return new(msgpackReader) }},
		new:  func() splitter { return new(wire.Splitter) },
	}
)

// take returns a converter from the pool.
func (d *direction) take(o Options) converter {
	c := d.pool.Get().(converter)
	c.reset(o)
	return c
}

// give returns a converter to the pool after removing references to the
// caller's data.
func (d *direction) give(c converter) {
	c.reset(Options{})
	d.pool.Put(c)
}

// append implements the exported functions for slices.
func (d *direction) append(dst, src []byte, o *Options, one bool) ([]byte, error) {
	checked, err := o.check()
	if err != nil {
		return dst, err
	}
	c := d.take(checked)
	defer d.give(c)
	out, _, _, fault := c.convert(dst, src, true, one)
	if fault != nil && d.text {
		fault.locate(position{}, src)
	}
	switch {
	case fault == nil:
		return out, nil
	case one:
		return dst, fault
	default:
		return out, fault
	}
}
