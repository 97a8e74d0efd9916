package inspect

import (
	"errors"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/output"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
)

// Options select what is shown.
type Options struct {
	JSON    bool             // print JSON objects instead of a tree
	Depth   int64            // maximum number of containers around a value that is shown; negative: no limit
	Limit   int64            // maximum number of top-level values; negative: no limit
	Width   int              // width of the tree in columns
	Palette *console.Palette // colors of the tree
	Size    int64            // size of the input in bytes, 0 if unknown
}

// A Result describes what was shown.
type Result struct {
	Values   int64  // complete top-level values
	Findings int64  // well-formed values with wrong content, such as invalid UTF-8
	Finding  string // the first finding, with its offset and path
}

// Run prints the values of r. base is the offset of the first byte of r in the
// input. If the input is malformed, Run prints all values before the fault and
// returns a [*scan.Fault]. Other errors come from r and w.
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
