package transcode

import (
	"fmt"
	"strings"

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
