package repair

import (
	"context"
	"errors"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/inspect"
	"github.com/octet-go/octet/cmd/octet/internal/lint"
	"github.com/octet-go/octet/cmd/octet/internal/report"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

// A Run checks files, prints what is found, and repairs them if Fix is set.
type Run struct {
	Options
	Fix    bool
	Found  report.Findings
	Faults *console.Palette // of standard error
}

// Files checks files and prints the findings to w. If findings are left, the error has
// the code Finding.
func (r *Run) Files(ctx context.Context, files *input.Files, w io.Writer, place *task.InPlace) error {
	c := files.Console
	return files.Every(ctx, func(in *input.Input) error {
		out, from := tally.Buffered(w, in)
		name := in.Name
		if !r.Found.JSON { // JSON has escapes of its own
			name = c.Name(c.Stdout, name)
		}
		r.Found.Begin(out, name)
		s, err := r.Check(in, from, r.Found.Print)
		r.Found.End()
		if unwritten := out.Flush(); unwritten != nil {
			return unwritten
		}
		if s.Unchecked > 0 && !r.Ignore[lint.Duplicate] {
			c.Note("octet: lint: %s: %s were not compared, because maps have more than %s",
				in.Name, console.Plural(s.Unchecked, "key"), console.Plural(lint.MaxKeys, "key"))
		}
		if err != nil && !(r.Fix && r.Lossy) {
			return r.pointAt(c, in, err)
		}
		if !r.Fix || r.Found.InFile == 0 && err == nil {
			return nil
		}
		left, err := r.File(c, in, place)
		if err != nil {
			return err
		}
		r.Found.Fixed += r.Found.InFile - left
		c.Note("octet: lint: %s: fixed %d of %s", in.Name, r.Found.InFile-left, console.Plural(r.Found.InFile, "finding"))
		return nil
	}, r.Found.Result)
}

// errRest is the error for a file whose finding says what is malformed.
var errRest = errors.New("the input is malformed at the last finding; what follows was not checked")

// pointAt adds the bytes around the fault to an error about malformed MessagePack. It does
// not repeat what a finding has said.
func (r *Run) pointAt(c *console.Console, in *input.Input, err error) error {
	var fault *scan.Fault
	if errors.As(err, &fault) {
		f := failure.New(failure.Data, in.Name, input.Brief(err))
		f.Detail = inspect.Explain(fault, r.Faults, c.Width(c.Stderr))
		err = f
	}
	if !r.Found.ShownMalformed() {
		return err
	}
	err = in.Explain(err)
	var f *failure.Error
	if errors.As(err, &f) && f.Code == failure.Data {
		short := failure.New(f.Code, f.Subject, errRest)
		short.Detail = f.Detail
		return short
	}
	return err
}
