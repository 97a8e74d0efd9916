package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/companion"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/inspector"
	"github.com/octet-go/octet/cmd/octet/internal/page"
	"github.com/octet-go/octet/cmd/octet/internal/serving"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

const pageHelp = `Page writes the inspector: one HTML file that shows MessagePack in a browser, as
a tree, as bytes and as text. It explains every bit, finds problems, shows which
paths take how many bytes, compares two files, edits values, and exports JSON,
diagnostic notation, Go literals and Go structs.

The file needs no other files. It works offline, from the disk, and its content
security policy forbids every network access. Its size is about 1.8 MB, nearly
all of it WebAssembly, plus 1.25 times the size of the data compressed by gzip.
Press ? in the page to see the keyboard shortcuts.

Without FILE, the page asks for a file, which you can open, drop or paste. JSON
is converted to MessagePack. A page cannot contain more than 128 MiB of data,
but can open a larger file.

With --element, page writes a script for other web pages instead, which defines
the element <octet-inspector src="FILE.msgpack">. The page docs/inspector.md
shows how to use it.`

const pageExamples = `  octet page std.msgpack -o std.html     then open std.html in a browser
  octet page -o inspector.html           a page without data, to keep
  octet page --element -o octet-inspector.js
  octet query --to msgpack .Imports std.msgpack | octet page - -o imports.html`

func (a *app) pageCommand() *cobra.Command {
	var r reading
	t, element := task.Target{Path: "-"}, false
	c := &cobra.Command{
		Use:     "page [FILE]",
		GroupID: groupLook,
		Short:   "Write the inspector, a page for the browser",
		Long:    pageHelp,
		Example: pageExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("a page shows one file, not %d", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			r.paths = args
			return a.page(c.Context(), &r, t, element)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVarP(&t.Path, "output", "o", t.Path, "`FILE` to write, - for standard output")
	c.Flags().BoolVar(&element, "element", false, "write a script that defines an element for other pages")
	r.readFlags(c)
	return c
}

func (a *app) page(ctx context.Context, r *reading, t task.Target, element bool) error {
	form, endings := "HTML", []string{"", ".html", ".htm"}
	if element {
		form, endings = "JavaScript", []string{"", ".js", ".mjs"}
	}
	extension := strings.ToLower(filepath.Ext(t.Path))
	switch {
	case t.Path == "-" && a.IsTerminal(a.Stdout):
		return errors.New("refusing to write a page to a terminal; use -o FILE.html or a pipe")
	case element && len(r.paths) > 0:
		return errors.New("the script has no data; the attribute src of the element names a file")
	case !slices.Contains(endings, extension):
		return fmt.Errorf("the output is %s, but the name %s says %s", form, t.Path, extension[1:])
	case element:
		return a.produce(ctx, t, page.WriteElement)
	}
	if err := input.NotOutput(r.paths, a.Stdin, t.Path, false); err != nil {
		return err
	}
	return a.produce(ctx, t, func(w io.Writer) error { return inspector.Write(ctx, a.files(r), w) })
}

func (a *app) serveCommand() *cobra.Command {
	c := serving.Command(func(ctx context.Context, o *serving.Options) error {
		args := o.Args()
		if a.Color.Value != "auto" {
			args = append([]string{"--color=" + a.Color.Value}, args...)
		}
		err := companion.Serve.Run(ctx, a.Console, args)
		if errors.Is(err, failure.ErrInterrupted) {
			return nil // it serves until then
		}
		return err
	})
	c.GroupID = groupLook
	return c
}
