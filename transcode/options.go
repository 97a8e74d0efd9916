package transcode

import (
	"fmt"
	"strings"
	"sync"

	"github.com/octet-go/octet/msgpack/wire"
)

// Options says how to convert. Its zero value is the recommended default, and
// the same Options may serve both directions: a field that has no meaning for
// one of them is ignored there.
type Options struct {
	// Reversible keeps what JSON has no notation for, so that MessagePack
	// turned into JSON and back is the same message again. Values without a
	// JSON counterpart become objects with one member, whose name starts with
	// a dollar sign (see the package documentation), and such objects are read
	// back as what they stand for. Default: off, plain JSON. Cost: writing
	// JSON looks through the headers of each message once more.
	Reversible bool

	// Indent, if not empty, is what each level of nesting in JSON output is
	// indented by, every element on a line of its own. Spaces and tabs only,
	// at most 16 of them. Default: "", one value a line. Cost: a message of n
	// elements at depth d grows by n times d times the indentation, which lets
	// hostile input grow more than plain output does.
	Indent string

	// MaxDepth is how many containers may enclose a value, in either
	// direction: the converter refuses to write what it would refuse to read.
	// The objects that stand for a value under Reversible do not count.
	// Range: 1 to 3000. Default: 0, which means 512.
	MaxDepth int

	// MaxValue is the largest size in bytes of one top-level value in the
	// input. A stream is converted a few values at a time, so this bounds the
	// memory that a stream takes. Range: 1 and up. Default: 0, no limit: a
	// value may be as large as memory allows. Cost: one more look at the
	// structure of each value.
	MaxValue int

	// RoundNumbers lets JSON numbers be rounded where the default is an error:
	// an integer outside -2^63 to 2^64-1 that no float 64 equals becomes the
	// nearest one, and a number too close to zero becomes zero. Numbers too
	// large for a float 64 stay errors.
	RoundNumbers bool
}

const (
	// maxDepth is the upper end of Options.MaxDepth. The JSON that Reversible
	// writes has up to three levels for one of MessagePack, and jsontext reads
	// 10,000.
	maxDepth  = 3000
	maxIndent = 16
)

// check returns o with the defaults filled in.
func (o Options) check() (Options, error) {
	if o.MaxDepth == 0 {
		o.MaxDepth = wire.MaxDepth
	}
	switch {
	case o.MaxDepth < 1 || o.MaxDepth > maxDepth:
		return o, fmt.Errorf("transcode: MaxDepth %d is not within 1 to %d", o.MaxDepth, maxDepth)
	case o.MaxValue < 0:
		return o, fmt.Errorf("transcode: MaxValue %d is negative", o.MaxValue)
	case len(o.Indent) > maxIndent || strings.Trim(o.Indent, " \t") != "":
		return o, fmt.Errorf("transcode: Indent %q is not up to %d spaces and tabs", o.Indent, maxIndent)
	}
	return o, nil
}

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
