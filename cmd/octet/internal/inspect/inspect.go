package inspect

import (
	"errors"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/output"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
)

// Options say what is shown.
type Options struct {
	JSON    bool             // a JSON object for each value, instead of the tree
	Depth   int64            // containers around a value that is shown; negative: any number
	Limit   int64            // values of the stream that are read; negative: all
	Width   int              // of the tree, in columns
	Palette *console.Palette // of the tree
	Size    int64            // of the input in bytes, 0 where not known
}

// A Result says what has been shown.
type Result struct {
	Values   int64  // values of the stream that are complete
	Findings int64  // values that are wrong though the format is right
	Finding  string // the first one, with its place
}

// Run shows the values in r, whose first byte is at offset base of the input.
// Where they are malformed, all before the fault is shown, and the error is a
// [*scan.Fault]; other errors are those of r and w.
func Run(w io.Writer, r io.Reader, base int64, o Options) (Result, error) {
	out, in := output.Buffered(w, r)
	s := scan.New(in, base)
	walker := walker{s: s, depth: o.Depth, limit: o.Limit}
	var err error
	if o.JSON {
		l := newLines(out)
		walker.paths, walker.keep, walker.emit = true, longestJSON, l.show
		err = walker.walk()
		if f := (*scan.Fault)(nil); errors.As(err, &f) {
			if unwritten := l.fault(f); unwritten != nil {
				err = unwritten
			}
		}
	} else {
		t := newTree(out, o)
		walker.keep, walker.emit = max(longestExt, 4*o.Width), t.show // a character takes at most 4 bytes
		if err = walker.walk(); err == nil {
			err = t.end(s.Offset(), walker.values)
		}
	}
	if unwritten := out.Flush(); unwritten != nil {
		err = unwritten
	}
	return Result{walker.values, walker.findings, walker.finding}, err
}
