package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/show"
	"github.com/octet-go/octet/layout/formats"
)

// layoutHelp is the part of the help of inspect about --layout.
const layoutHelp = `With --layout, inspect shows the messages of another format: every field with
its offset, its bytes and its value. "octet inspect --layout list" lists the
formats. The whole file is read into memory, at most 1 GiB, and the fields of
one message take up to 200 bytes of memory for each of its bytes.`

const inspectHelp = `Inspect prints one line for each value of a MessagePack stream: its offset, its
length in bytes, its bytes, the name of its format, and the value itself. The
values form a tree. The value of a map entry is below its key. A terminal with
few columns shows no format names.

For a long array or map, inspect prints the first 50 elements and the number of
the others; --all prints all of them. Long payloads are truncated; the line
shows how many bytes are missing. The length of a container with thousands of
values is printed as "?", because inspect does not read that far ahead. Memory
use does not depend on the size of the input.

Input compressed by gzip or zstd is decompressed; offsets are those in the
decompressed data.

With --path, inspect prints only the value at a path, in each value of the
stream. A path is written as in the errors of the tool: users[3].name, or
["a key"] for a key that is not an identifier.

Inspect marks strings that are not UTF-8, malformed timestamps, and duplicate
keys. It compares the first 262,144 keys of the maps that are incomplete at the
same time. If there are such findings, the exit code is 1.

If the input is malformed, inspect prints all values before the error, then the
offset and path of the error, what was expected, what was found, and the bytes
around it.

` + layoutHelp + `

See also: octet help fields, octet help exts.`

const inspectExamples = `  octet inspect std.msgpack
  octet inspect --depth 1 --limit 3 std.msgpack  the outer values only
  octet inspect --path Match[0] std.msgpack      one value
  printf '\x81\xa2id\xcd\x03\xe8' >id.msgpack
  octet inspect id.msgpack
  octet inspect --offset 0x4 id.msgpack          start at byte 4
  octet inspect --json id.msgpack | jq .format
  gzip <std.msgpack | octet inspect --layout gzip -`

func (a *app) inspectCommand() *cobra.Command {
	v := show.Options{}
	depth, limit, offset := flags.All, flags.All, flags.Number(0)
	var paths []string
	layout := ""
	c := &cobra.Command{
		Use:     "inspect [FILE]...",
		GroupID: groupLook,
		Short:   "Show every value of a MessagePack file next to its bytes",
		Long:    inspectHelp,
		Example: inspectExamples,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && a.IsTerminal(a.Stdin) && layout != "list" {
				return errors.New("missing file name; use - for standard input")
			}
			paths = args
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			v.Depth, v.Limit, v.Offset = int64(depth), int64(limit), int64(offset)
			v.Palette, v.Faults = a.Palette(a.Stdout), a.Palette(a.Stderr)
			files := &input.Files{Console: a.Console, Paths: paths, Options: input.Options{Args: a.line("inspect")}}
			if layout != "" {
				return a.inspectMessages(c.Context(), &v, files, layout)
			}
			return v.Values(c.Context(), files)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&v.JSON, "json", false, "print one JSON object per value instead of a tree")
	f.BoolVar(&v.All, "all", false, "show all elements of long arrays and maps")
	f.StringVar(&v.Path, "path", "", "show only the value at `PATH`, such as users[3].name")
	f.BoolVar(&v.Nested, "nested", false, "show MessagePack inside bin and ext values")
	f.StringVar(&layout, "layout", "", "show the messages of the format `NAME`, such as png; \"list\" lists the formats")
	flags.Complete(c, "layout", append(formats.Names(), "list"))
	f.Var(&depth, "depth", "show only values inside at most N containers")
	f.Var(&limit, "limit", "show at most N top-level values")
	f.Var(&offset, "offset", "start at byte N, where a value must begin")
	f.BoolVar(&v.NoPager, "no-pager", false, "do not start a pager ($PAGER or less) on a terminal")
	f.BoolVarP(&v.Force, "force", "f", false, "inspect input that looks like another format")
	return c
}

// inspectMessages shows the messages of the format with this name.
func (a *app) inspectMessages(ctx context.Context, v *show.Options, files *input.Files, layout string) error {
	if layout == "list" {
		return show.Layouts(a.Stdout)
	}
	f, ok := formats.Lookup(layout)
	if !ok {
		return fmt.Errorf("--layout: unknown format %q; the formats are %s", layout, strings.Join(formats.Names(), ", "))
	}
	for _, flag := range []struct {
		name string
		set  bool
	}{{"--path", v.Path != ""}, {"--offset", v.Offset != 0}, {"--nested", v.Nested}, {"--all", v.All}} {
		if flag.set {
			return fmt.Errorf("--layout and %s cannot be used together", flag.name)
		}
	}
	return v.Messages(ctx, files, f)
}
