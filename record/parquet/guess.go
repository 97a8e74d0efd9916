package parquet

import (
	"bytes"
	"errors"
	"io"
)

// guessSize is the number of bytes of JSON from which a schema is made first.
const guessSize = 4 << 20

// errGuess: a record shows that the schema of the first ones is not that of all.
var errGuess = errors.New("parquet: the schema is not that of all records")

// An input is what [Export] reads.
type input struct {
	r       io.Reader
	seeker  io.Seeker // nil if it cannot be read twice
	start   int64
	options *Options
}

// rewind returns to the start.
func (in *input) rewind() error {
	_, err := in.seeker.Seek(in.start, io.SeekStart)
	return err
}

// A truncater is an output that can be written again from where it began, such as a file.
type truncater interface {
	io.Seeker
	Truncate(size int64) error
}

// guess exports with the schema of the first records. It is done unless other records have
// another schema, or there are more of them and w could not be written again. The input
// and w are then as before.
func (in *input) guess(w io.Writer) (done bool, report Report, err error) {
	src := &lines{r: in.r}
	head, _, err := src.fill(nil, guessSize)
	whole := err == io.EOF
	if err != nil && !whole {
		return false, report, err
	}
	out, _ := w.(truncater)
	begin, again := int64(0), false
	if out != nil {
		if begin, again, err = position(out); err != nil {
			return false, report, err
		}
	}
	if !whole && !again {
		return false, report, in.rewind()
	}
	e := &export{options: *in.options}
	if e.report.Schema, e.open, err = infer(&lines{r: bytes.NewReader(head)}, in.options); err != nil {
		return false, report, err
	}
	if whole {
		e.open = nil
	}
	report, err = e.run(w, &lines{r: io.MultiReader(bytes.NewReader(head), bytes.NewReader(src.rest), in.r)})
	if !errors.Is(err, errGuess) {
		return true, report, err
	}
	if err := in.rewind(); err != nil {
		return false, report, err
	}
	if err := out.Truncate(begin); err != nil {
		return false, report, err
	}
	_, err = out.Seek(begin, io.SeekStart)
	return false, report, err
}

// position returns the position of out if that is its end. It is not if another part of
// the file would be lost.
func position(out truncater) (begin int64, ok bool, err error) {
	begin, err = out.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, false, nil // a pipe
	}
	end, err := out.Seek(0, io.SeekEnd)
	if err == nil && end == begin {
		return begin, true, nil
	}
	_, err = out.Seek(begin, io.SeekStart)
	return 0, false, err
}
