package query

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"slices"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/lost"
	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// A Session runs a program on the values of files.
type Session struct {
	Options
	Program string // its text
	Null    bool   // run the program once, on null
	Slurp   bool   // run the program once, on the array of all values
	Text    bool   // the input is text: each line is a value, or with Slurp all of it is
	Stream  bool   // instead of each value, its parts with their paths are values
	Status  bool   // the last result decides about the exit code

	files   *input.Files
	program *Program
	totals  totals
	next    func() (value, error, bool)
	stop    func()
	at      value        // the last value that was read
	exit    failure.Code // of halt_error

	replaced int64 // strings of the input in which U+FFFD replaced invalid UTF-8
}

// Open compiles the program. It sets the Options that say where the inputs are.
func (s *Session) Open(ctx context.Context, files *input.Files) (err error) {
	s.files = files
	s.Environ = os.Environ
	s.Debug = files.Console.Messages()
	if files.Console.IsTerminal(files.Console.Stderr) {
		s.Debug = &console.Escaper{W: s.Debug} // JSON has only whole characters, so nothing is left in it
	}
	s.Inputs = s.advance
	s.File = func() any {
		if s.at.in == nil {
			return nil
		}
		return s.at.in.Name
	}
	if s.program, err = Compile(s.Program, s.Options); err == nil && !s.isParallel() {
		s.next, s.stop = iter.Pull2(s.values(ctx))
	}
	return err
}

// maxReported is the maximum number of failures that are reported one by one.
const maxReported = 20

// Run runs the program and writes the results. It reports values on which the program
// fails, and continues. The error then has the code Finding, and the exit code of halt_error.
// It also has the code Finding if the last result shall decide and is false, null or missing.
func (s *Session) Run(ctx context.Context, w io.Writer) error {
	if s.isParallel() {
		return s.parallel(ctx, w)
	}
	defer s.stop()
	out := bufio.NewWriterSize(w, 64<<10)
	failed := int64(0)
	for {
		halted := false
		err := s.once(ctx, out)
		// Results are written now because reading the next value may wait.
		if unwritten := out.Flush(); unwritten != nil {
			return unwritten
		}
		var wrong *RuntimeError
		if errors.As(err, &wrong) {
			if halted = wrong.Halts; halted && wrong.Code == 0 {
				s.files.Console.Note("%s", wrong)
			} else if failed++; failed <= maxReported {
				s.files.Console.Note("octet: query: %s%s", s.at.place(), wrong)
			}
			s.exit = failure.Code(wrong.Code & 0xff)
			err = nil
		}
		s.totals.add(s.program.take())
		if err == ErrHalt || halted {
			s.Status = false // as in jq, halt and halt_error decide about the exit code themselves
		}
		if err == io.EOF || err == ErrHalt || halted || err == nil && (s.Null || s.Slurp) {
			return s.result(failed)
		}
		if err != nil {
			_ = s.result(0) // counts what the results before the error have lost
			return s.at.explain(err)
		}
	}
}

// once runs the program on the next value, or on all values.
func (s *Session) once(ctx context.Context, w io.Writer) error {
	switch {
	case s.Null:
		return s.program.RunNull(ctx, w)
	case s.Slurp && !s.Text:
		return s.program.RunAll(ctx, w, s.advance)
	}
	data, err := s.advance()
	if err != nil {
		return err
	}
	return s.program.Run(ctx, w, data)
}

// advance returns the next value of the inputs, or [io.EOF].
func (s *Session) advance() ([]byte, error) {
	v, err, ok := s.next()
	if !ok {
		return nil, io.EOF
	}
	if err == nil {
		s.at = v
	}
	return v.data, err
}

// result sums up a run in which the program has failed on some values.
func (s *Session) result(failed int64) error {
	c := s.totals.changed
	switch n := c.Total(); {
	case n > 0 && s.MessagePack:
		s.files.Console.Note("octet: query: for the program, %s became text, because JSON lacks their types; --reversible keeps them", console.Plural(n, "value"))
	case n > 0:
		s.files.Console.Note("octet: query: %s; --reversible keeps them", lost.Text(c))
	}
	if s.replaced > 0 {
		s.files.Console.Note("octet: query: U+FFFD replaced invalid UTF-8 in %s of the input", console.Plural(s.replaced, "string"))
	}
	if n := s.totals.replaced; n > 0 {
		s.files.Console.Note("octet: query: U+FFFD replaced invalid UTF-8 in %s of the results", console.Plural(n, "string"))
	}
	switch {
	case failed > 0:
		return &failure.Error{Code: failure.Finding, Err: fmt.Errorf("the program failed on %s", console.Plural(failed, "value")), Exit: s.exit}
	case s.Status && !s.totals.truth:
		return failure.New(failure.Finding, "", errors.New("the last result is false or null, or there is none"))
	}
	return nil
}

// Slurp returns the values of in for Options.Slurped. An error names the file.
func Slurp(in *input.Input, reversible bool) (list [][]byte, err error) {
	d := newDecoder(reversible)
	for v, err := range in.Values() {
		if err != nil {
			return nil, in.Explain(err)
		}
		if _, err := d.decode(v.Data, whole); err != nil {
			return nil, in.ExplainJSON(err, max(v.Offset, 0), v.Number)
		}
		d.reset()
		list = append(list, slices.Clone(v.Data))
	}
	return list, nil
}

// A value is one value of the inputs of a query.
type value struct {
	in     *input.Input
	number int64
	offset int64 // of its first byte in the input; 0 if it was JSON
	data   []byte
}

// values returns the values of all inputs. Each value has memory of its own,
// because a program may keep what it has read.
func (s *Session) values(ctx context.Context) iter.Seq2[value, error] {
	files := s.files
	if s.Text {
		return texts(ctx, files, s.Slurp, &s.replaced)
	}
	if s.Stream {
		return s.slurped(events(ctx, files))
	}
	return s.slurped(each(ctx, files, func(in *input.Input, send func(value) error) error {
		for v, err := range in.Values() {
			if err != nil {
				return err
			}
			if err := send(value{in, v.Number, max(v.Offset, 0), slices.Clone(v.Data)}); err != nil {
				return err
			}
		}
		return nil
	}))
}

// each returns the values that visit sends for each input, and the error that it returns.
func each(ctx context.Context, files *input.Files, visit func(in *input.Input, send func(value) error) error) iter.Seq2[value, error] {
	return func(yield func(value, error) bool) {
		stopped := errors.New("stopped")
		send := func(v value) error {
			if !yield(v, nil) {
				return stopped
			}
			return nil
		}
		err := files.Each(ctx, func(in *input.Input) error { return visit(in, send) })
		if err != nil && err != stopped {
			yield(value{}, err)
		}
	}
}

// slurped returns the values, and with the flags Null and Slurp one array of all of them,
// which the function input reads.
func (s *Session) slurped(values iter.Seq2[value, error]) iter.Seq2[value, error] {
	if !s.Null || !s.Slurp {
		return values
	}
	return func(yield func(value, error) bool) {
		all, n := value{}, uint64(0)
		for v, err := range values {
			if err != nil {
				yield(value{}, err)
				return
			}
			all.in, all.data = v.in, append(all.data, v.data...)
			n++
		}
		if n > math.MaxUint32 {
			yield(value{}, failure.New(failure.Data, "", errors.New("the input has more than 2^32 values")))
			return
		}
		all.data = append(wire.AppendArrayHeader(nil, uint32(n)), all.data...)
		yield(all, nil)
	}
}

// place returns the position of the value for a message.
func (v *value) place() string {
	if v.in == nil {
		return ""
	}
	return fmt.Sprintf("%s: value %d: ", errtext.Line(v.in.Name), v.number+1)
}

// explain adds the name of the input and the number of the value to an error about
// the content of the value. It returns other errors unchanged.
func (v *value) explain(err error) error {
	var content *transcode.Error
	var result *ResultError
	switch {
	case errors.As(err, &result):
		f := failure.New(failure.Data, "", fmt.Errorf("%s%w", v.place(), result))
		f.Detail = "To print values that JSON lacks as objects: --reversible"
		return f
	case v.in == nil || !errors.As(err, &content):
		return err
	}
	return v.in.ExplainJSON(err, v.offset, v.number)
}
