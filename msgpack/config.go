package msgpack

import "fmt"

// A Config says how a [Codec] encodes and decodes, where there is a choice. The
// zero value is what the functions of the package do: the shortest formats of
// the specification, and nothing lost.
type Config struct {
	// MaxDepth is how deep containers may be nested, from 1 to 10000; each level
	// takes some stack. 0, the default, is [MaxDepth].
	MaxDepth int
}

// maxMaxDepth keeps the stack that the deepest value takes to a few megabytes.
const maxMaxDepth = 10_000

// options is a Config that has been checked, in the form the plans need.
type options struct {
	depth int
}

// defaultOptions are those of the zero Config.
var defaultOptions = options{depth: MaxDepth}

// options checks c.
func (c *Config) options() (options, error) {
	o := defaultOptions
	if c.MaxDepth < 0 || c.MaxDepth > maxMaxDepth {
		return o, fmt.Errorf("msgpack: Config.MaxDepth is %d, not from 1 to %d", c.MaxDepth, maxMaxDepth)
	}
	if c.MaxDepth > 0 {
		o.depth = c.MaxDepth
	}
	return o, nil
}
