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

	"github.com/octet-go/octet/cmd/octet/internal/inspector"
	"github.com/octet-go/octet/cmd/octet/internal/page"
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
		Args:    oneFile,
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

func oneFile(_ *cobra.Command, args []string) error {
	if len(args) > 1 {
		return fmt.Errorf("a page shows one file, not %d", len(args))
	}
	return nil
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
	return a.produce(ctx, t, func(w io.Writer) error { return inspector.Write(ctx, a.files(r), w) })
}

const serveHelp = `Serve runs a web server for the page of octet page on the loopback interface of
this computer, and prints the address. The address contains a secret, so that
other users of the computer and other pages in the browser cannot read the file.
Each time the page is loaded, serve reads the file again. Serve runs until it is
interrupted.`

const serveExamples = `  octet serve std.msgpack                prints the address, http://127.0.0.1:…
  octet serve --open std.msgpack         opens the browser too
  octet serve --port 8080 std.msgpack
  octet serve                            a page that asks for a file`

func (a *app) serveCommand() *cobra.Command {
	var r reading
	port, open := uint16(0), false
	c := &cobra.Command{
		Use:     "serve [FILE]",
		GroupID: groupLook,
		Short:   "Serve the inspector at an address of this computer",
		Long:    serveHelp,
		Example: serveExamples,
		Args:    oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if r.paths = args; len(args) > 0 && args[0] == "-" {
				return errors.New("serve reads the file each time the page is loaded, which standard input does not allow; use octet page - -o FILE.html")
			}
			return inspector.Serve(c.Context(), a.files(&r), port, open)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().Uint16Var(&port, "port", 0, "TCP port `N`; 0 selects a free one")
	c.Flags().BoolVar(&open, "open", false, "open the page in the browser")
	r.readFlags(c)
	return c
}
