package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/page"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/transcode"
)

const pageHelp = `Page writes the inspector: one HTML file that shows MessagePack in a browser, as a
tree, as bytes and as text. It explains every bit, finds problems, shows which
paths take how many bytes, compares two files, edits values, and exports JSON,
diagnostic notation, Go literals and Go structs.

The file needs no other files. It works offline, from the disk, and its content
security policy forbids every network access. Its size is about 1.4 MB plus the
compressed data. Press ? in the page to see the keyboard shortcuts.

Without FILE, the page asks for a file, which you can open, drop or paste. JSON is
converted to MessagePack. A page cannot contain more than 128 MiB of data, but can
open a larger file.`

const pageExamples = `  octet page std.msgpack -o std.html     then open std.html in a browser
  octet page -o inspector.html           a page without data, to keep
  octet query '.[0]' std.msgpack --to msgpack | octet page - -o first.html`

func (a *app) pageCommand() *cobra.Command {
	var r reading
	t := task.Target{Path: "-"}
	c := &cobra.Command{
		Use:     "page [FILE]",
		GroupID: groupLook,
		Short:   "Write the inspector, a page for the browser",
		Long:    pageHelp,
		Example: pageExamples,
		Args:    oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			r.paths = args
			return a.page(c.Context(), &r, t)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVarP(&t.Path, "output", "o", t.Path, "`FILE` to write, - for standard output")
	r.readFlags(c)
	return c
}

func oneFile(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("a page shows one file, not %d", len(args))
	}
	return nil
}

func (a *app) page(ctx context.Context, r *reading, t task.Target) error {
	if t.Path == "-" && a.IsTerminal(a.Stdout) {
		return errors.New("refusing to write a page to a terminal; use -o FILE.html or a pipe")
	}
	return a.produce(ctx, t, func(w io.Writer) error { return a.writePage(ctx, r, w) })
}

// writePage writes a page with the values of the only input, or without values.
func (a *app) writePage(ctx context.Context, r *reading, w io.Writer) error {
	if len(r.paths) == 0 {
		return page.Write(w, "", nil)
	}
	return a.files(r).Each(ctx, func(in *input.Input) error {
		values := in.MessagePack(transcode.Options{})
		defer values.Close()
		data, err := io.ReadAll(io.LimitReader(values, page.MaxData+1)) // one more byte shows that there are too many
		if err != nil {
			return err
		}
		if len(data) > page.MaxData {
			return failure.New(failure.Usage, in.Name, fmt.Errorf("a page can contain at most %d MiB; write a page without a file, and open this file in it", page.MaxData>>20))
		}
		if data == nil {
			data = []byte{} // nil would be a page that asks for a file
		}
		var b bytes.Buffer
		if err := page.Write(&b, filepath.Base(in.Name), data); err != nil {
			return err
		}
		_, err = w.Write(b.Bytes())
		return err
	})
}
