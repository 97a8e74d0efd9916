package transcode

import (
	"fmt"
	"strings"

	"github.com/octet-go/octet/msgpack/wire"
)

// Options controls the conversion. The zero value is the recommended default; a
// nil pointer means the same. The same Options may be used for both directions;
// a field that does not apply to a direction is ignored there.
type Options struct {
	// Reversible keeps values that JSON lacks, so that MessagePack converted to
	// JSON and back is the same message. Such values become escape objects:
	// objects with one member whose name starts with a dollar sign (see the
	// package documentation). JSON input may contain escape objects, which
	// become the original values. Default: false. Cost: conversion to JSON
	// reads the headers of each message twice.
	Reversible bool

	// Indent, if not empty, makes JSON output multi-line. Each element starts
	// on a new line, after one copy of Indent per level of nesting. It may
	// contain up to 16 spaces and tabs. Default: "", one value per line. Cost:
	// the output of a message with n elements at depth d grows by
	// n*d*len(Indent) bytes, so malicious input can make the output very large.
	Indent string

	// MaxDepth is the maximum number of containers around a value, in both
	// directions. The converter does not write what it could not read. Escape
	// objects do not count. Range: 1 to 3000. Default: 0, which means 512.
	MaxDepth int

	// MaxValue is the maximum size of one top-level value of the input, in
	// bytes. Streams are converted a few values at a time, so MaxValue also
	// limits the memory for a stream. Range: 1 or more. Default: 0, which means
	// no limit. Cost: each value is scanned once more for its end.
	MaxValue int

	// RoundNumbers rounds some JSON numbers that are errors by default. An
	// integer outside -2^63 to 2^64-1 that is not exactly a float 64 becomes
	// the nearest float 64, and a number too close to zero becomes zero.
	// Numbers that exceed the range of float 64 are still errors. Default:
	// false.
	RoundNumbers bool
}

const (
	// maxDepth is the maximum of Options.MaxDepth. With Reversible, one level
	// of MessagePack takes up to three levels of JSON, and jsontext reads up to
	// 10,000 levels.
	maxDepth  = 3000
	maxIndent = 16
)

// check validates o, where nil means the defaults, and returns a copy with the
// defaults filled in.
func (o *Options) check() (Options, error) {
	var c Options
	if o != nil {
		c = *o
	}
	if c.MaxDepth == 0 {
		c.MaxDepth = wire.MaxDepth
	}
	switch {
	case c.MaxDepth < 1 || c.MaxDepth > maxDepth:
		return c, fmt.Errorf("%w: MaxDepth %d is not in the range 1 to %d", ErrOptions, c.MaxDepth, maxDepth)
	case c.MaxValue < 0:
		return c, fmt.Errorf("%w: MaxValue %d is negative", ErrOptions, c.MaxValue)
	case len(c.Indent) > maxIndent || strings.Trim(c.Indent, " \t") != "":
		return c, fmt.Errorf("%w: Indent %q is not at most %d spaces and tabs", ErrOptions, c.Indent, maxIndent)
	}
	return c, nil
}
