package records

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/recordfile"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/transcode"
)

// Info prints what files contain. Of several files, it prints all that can be read, and returns
// the worst error of the others. The path "-" means standard input.
func (c *Command) Info(ctx context.Context, paths []string) error {
	printed := false
	var worst error
	err := c.each(ctx, paths, func(s source) error {
		var b strings.Builder
		if printed {
			b.WriteByte('\n')
		}
		printed = true
		if err := c.info(&b, s); err != nil {
			if err = s.explain(err); len(paths) > 1 {
				fmt.Fprintf(&b, "%s\n", c.Visible(c.Stdout, err.Error()))
			}
			if failure.CodeOf(err) > failure.CodeOf(worst) {
				worst = err
			}
		}
		return c.print(b.String())
	})
	if err != nil {
		return err
	}
	return worst
}

// print writes to standard output.
func (c *Command) print(text string) error {
	if _, err := io.WriteString(c.Stdout, text); err != nil {
		return failure.Accessing("standard output", err)
	}
	return nil
}

func (c *Command) info(b *strings.Builder, s source) error {
	f, err := open(s.path)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := f.Report()
	if err != nil {
		return Explain(s.path, err)
	}
	line := func(label, format string, args ...any) {
		fmt.Fprintf(b, "%-9s "+format+"\n", append([]any{label}, args...)...)
	}
	line("file", "%s", c.Name(c.Stdout, s.name))
	line("size", "%s", size(r.Size))
	line("records", "%s", humanize.Comma(r.Records))
	line("content", "%s", size(r.Raw))
	line("blocks", "%s", humanize.Comma(r.Blocks))
	if r.Parts > 1 {
		line("joined", "from %d files", r.Parts)
	}
	state := "no index: not closed, joined, or appended to since the last one"
	switch {
	case r.Damaged > 0:
		state = "damaged: " + plain(r.Damage[0].Err).Error()
	case r.Torn > 0:
		state = "torn: " + console.Plural(r.Torn, "byte") + " after the last whole block"
	case r.Indexed:
		state = "complete, with an index"
	}
	line("state", "%s", state)
	if m := f.Metadata(); len(m) > 0 {
		raw, err := sortedKeys(m)
		if err != nil {
			return err
		}
		text, err := transcode.AppendJSON(nil, raw, nil)
		if err != nil { // such as NaN
			text, err = transcode.AppendJSON(nil, raw, &transcode.Options{Reversible: true})
		}
		if err != nil {
			text = []byte(err.Error())
		}
		line("metadata", "%s", c.Visible(c.Stdout, string(text)))
	}
	switch s, err := f.Schema(); {
	case err != nil:
		line("schema", "%s", plain(err))
	case s != nil:
		line("schema", "%s", c.Visible(c.Stdout, s.Root.Type.String()))
		for _, f := range s.Root.Type.Fields {
			line("", "  %s  %s", c.Visible(c.Stdout, f.Name), c.Visible(c.Stdout, f.Type.String()))
		}
	}
	return nil
}

// size formats a number of bytes with a unit, followed by the exact number.
func size(n int64) string {
	if n < 1000 {
		return console.Plural(n, "byte")
	}
	return fmt.Sprintf("%s (%s bytes)", humanize.Bytes(uint64(n)), humanize.Comma(n))
}

func sortedKeys(m map[string]any) ([]byte, error) {
	c, err := msgpack.New(msgpack.Options{SortKeys: true})
	if err != nil {
		return nil, err
	}
	return c.Marshal(m)
}

// Blocks prints a line for each block of a file. The path "-" means standard input.
func (c *Command) Blocks(ctx context.Context, path string) error {
	return c.each(ctx, []string{path}, func(s source) error { return c.blocks(s.path) })
}

func (c *Command) blocks(path string) error {
	f, err := open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	f.Len() // so that ordinals are counted from the beginning of a joined file
	if err := c.print(fmt.Sprintf("%14s %14s %9s %10s %10s\n", "offset", "record", "records", "content", "stored")); err != nil {
		return err
	}
	for b, err := range f.Blocks(f.Range()) {
		if err != nil {
			return Explain(path, err)
		}
		if err := c.print(fmt.Sprintf("%14d %14d %9d %10d %10d\n", b.Offset, b.Ordinal, b.Records, b.Raw, b.Stored)); err != nil {
			return err
		}
	}
	return nil
}

// WriteIndex adds an index to a file that has none. An interrupt while it does so can leave a torn end of the file.
func (c *Command) WriteIndex(ctx context.Context, path string) error {
	return task.Settle(ctx, nil, func() error { return c.writeIndex(ctx, path) })
}

func (c *Command) writeIndex(ctx context.Context, path string) error {
	f, err := open(path)
	if err != nil {
		return err
	}
	r, err := f.Report()
	f.Close()
	if err != nil {
		return Explain(path, err)
	}
	if r.Indexed {
		c.Note("octet: record: index: %s has an index", path)
		return nil
	}
	if r.Parts > 1 && r.Damaged == 0 {
		f := failure.New(failure.Finding, path, fmt.Errorf("a file that was joined from %d files cannot have an index", r.Parts))
		f.Detail = "To make one file of them: octet record merge " + input.Quote(path) + " -o NEW.rec"
		return f
	}
	if err := interruption(ctx); err != nil {
		return err
	}
	// Closing a Writer adds the index, also if it has written no record.
	w, err := record.Append(path, &record.Options{MaxBlock: recordfile.MaxBlock})
	if err != nil {
		return Explain(path, err)
	}
	if found := w.Report(); found.Aside != "" {
		c.Note("octet: record: index: %s was torn: %s are moved to %s", path, console.Plural(found.Torn, "byte"), found.Aside)
	}
	return Explain(path, w.Close())
}
