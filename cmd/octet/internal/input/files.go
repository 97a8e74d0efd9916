package input

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
)

// Files are the inputs of a command. No Paths mean standard input.
type Files struct {
	Console *console.Console
	Paths   []string
	Report  func(error) // prints an error after which Every continues
	Options
}

// Each calls visit for one input after another. It adds the name of the input to
// errors of visit about the content of the input.
func (f *Files) Each(ctx context.Context, visit func(*Input) error) error {
	for in, err := range All(ctx, f.Console, f.Paths, f.Options) {
		if err != nil {
			return err
		}
		if err := visit(in); err != nil {
			return in.Explain(err)
		}
	}
	return nil
}

// Every calls visit for each input, as Each does, and then result. With several inputs, it
// reports an error about one of them and continues with the next. The error that it returns
// then has the worst code, and the text of the error of result.
func (f *Files) Every(ctx context.Context, visit func(*Input) error, result func() error) error {
	if len(f.Paths) < 2 {
		if err := f.Each(ctx, visit); err != nil {
			return err
		}
		return result()
	}
	var failed int64
	worst := failure.OK
	for _, path := range f.Paths {
		one := *f
		one.Paths = []string{path}
		err := one.Each(ctx, visit)
		if about, ok := errors.AsType[*failure.Error](err); ok && about.Subject == nameOf(path) {
			f.Report(err)
			failed++
			worst = max(worst, about.Code)
		} else if err != nil {
			return err
		}
	}
	err := result()
	if failed == 0 {
		return err
	}
	text := fmt.Sprintf("errors in %d of %s", failed, console.Plural(int64(len(f.Paths)), "file"))
	if err != nil {
		text = err.Error() + "; " + text
	}
	return failure.New(worst, "", errors.New(text))
}

// Stream calls work with a reader of the values of in as MessagePack, and with a
// writer to w that is flushed before the reader waits for more input.
func (in *Input) Stream(w io.Writer, work func(w *bufio.Writer, r io.Reader) error) error {
	values := in.MessagePack()
	defer values.Close()
	out, from := tally.Buffered(w, values)
	err := work(out, from)
	if unwritten := out.Flush(); unwritten != nil {
		return unwritten
	}
	return err
}
