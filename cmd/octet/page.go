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
	"github.com/octet-go/octet/transcode"
)

const pageHelp = `Page writes the inspector: one HTML file that shows MessagePack in a browser, as a
tree, as bytes and as text. It explains every bit, finds problems, shows which
paths take how many bytes, compares two files, edits values, and exports JSON,
diagnostic notation, Go literals and Go structs.

The file needs nothing else. It works offline, from the disk, and its content
security policy forbids every network access. It takes about 1.4 MB, and the
compressed data. Press ? in the page for its keys.

Without FILE, the page asks for a file: open, drop or paste one. JSON becomes the
same values in MessagePack. Data of more than 128 MiB can be opened in the page,
but not written into it.`

const pageExamples = `  octet page std.msgpack -o std.html     then open std.html in a browser
  octet page -o inspector.html           a page without data, to keep
  octet query '.[0]' std.msgpack --to msgpack | octet page - -o first.html`

func (a *app) pageCommand() *cobra.Command {
	var r reading
	t := target{path: "-"}
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
	c.Flags().StringVarP(&t.path, "output", "o", t.path, "`FILE` to write, - for standard output")
	r.readFlags(c)
	return c
}

func oneFile(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("a page shows one file; %d are given", len(args))
	}
	return nil
}

func (a *app) page(ctx context.Context, r *reading, t target) error {
	if t.path == "-" && a.IsTerminal(a.Stdout) {
		return errors.New("refusing to write a page to a terminal; use -o FILE.html or a pipe")
	}
	return a.produce(ctx, t, func(w io.Writer) error { return a.writePage(ctx, r, w) })
}

// writePage writes a page with the values of the only input, or an empty one.
func (a *app) writePage(ctx context.Context, r *reading, w io.Writer) error {
	if len(r.paths) == 0 {
		return page.Write(w, "", nil)
	}
	return a.each(ctx, r, func(in *input.Input) error {
		values := in.MessagePack(transcode.Options{})
		defer values.Close()
		data, err := io.ReadAll(io.LimitReader(values, page.MostData+1))
		if err != nil {
			return err
		}
		if len(data) > page.MostData {
			return failure.New(failure.Usage, in.Name, fmt.Errorf("more than %d MiB are too much for a page; write a page without a file and open this one in it", page.MostData>>20))
		}
		if data == nil {
			data = []byte{}
		}
		var b bytes.Buffer
		if err := page.Write(&b, filepath.Base(in.Name), data); err != nil {
			return err
		}
		_, err = w.Write(b.Bytes())
		return err
	})
}
