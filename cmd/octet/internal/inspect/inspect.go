package inspect

import (
	"errors"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
)

// Run prints the values of r. base is the offset of the first byte of r in the
// input. If the input is malformed, Run prints all values before the fault and
// returns a [*scan.Fault]. Other errors come from r and w.
func Run(w io.Writer, r io.Reader, base int64, o Options) (Result, error) {
	out, in := tally.Buffered(w, r)
	s := scan.New(in, base)
	walker := walker{s: s, o: o}
	var err error
	if o.JSON {
		l := newLines(out, o.File)
		walker.keep, walker.emit = longestJSON, l.show
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
			err = t.end(s.Offset(), walker.result.Values)
		}
	}
	if unwritten := out.Flush(); unwritten != nil {
		err = unwritten
	}
	return walker.result, err
}
