package input

import (
	"bufio"
	"context"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
)

// Files are the inputs of a command. No Paths mean standard input.
type Files struct {
	Console *console.Console
	Paths   []string
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
