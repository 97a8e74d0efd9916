package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/inspect"
	"github.com/octet-go/octet/cmd/octet/internal/locate"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

const inspectHelp = `Inspect prints one line for each value of a MessagePack stream: its offset, its
length in bytes, its bytes, the name of its format, and the value itself. The
values form a tree. The value of a map entry is below its key. A terminal with
few columns shows no format names.

For a long array or map, inspect prints the first 50 elements and the number of the
others; --all prints all of them. Long payloads are truncated; the line shows how
many bytes are missing. The length of a container with thousands of values is
printed as "?", because inspect does not read that far ahead. Memory use does not
depend on the size of the input.

Input compressed by gzip or zstd is decompressed; offsets are those in the
decompressed data.

With --path, inspect prints only the value at a path, in each value of the
stream. A path is written as in the errors of the tool: users[3].name, or
["a key"] for a key that is not an identifier.

Inspect marks strings that are not UTF-8, malformed timestamps, and duplicate
keys. It compares the first 262,144 keys of the maps that are incomplete at the same
time. If there are such findings, the exit code is 1.

If the input is malformed, inspect prints all values before the error, then the
offset and path of the error, what was expected, what was found, and the bytes
around it.

` + layoutHelp + `

See also: octet help fields, octet help exts.`

const inspectExamples = `  octet inspect std.msgpack
  octet inspect --depth 1 --limit 3 std.msgpack      the outer values only
  octet inspect --path Imports[0] std.msgpack        one value
  octet inspect --offset 0x1f4 std.msgpack           start at byte 0x1f4
  octet inspect --json std.msgpack | jq 'select(.kind == "ext")'
  octet inspect --layout png logo.png                another format
  printf '\x81\xa2id\xcd\x03\xe8' | octet inspect -`

// inspectFlags holds the flags of the inspect command.
type inspectFlags struct {
	paths                             []string
	depth, limit                      flags.Limit
	offset                            flags.Number
	path, layout                      string
	json, all, nested, noPager, force bool
}

func (a *app) inspectCommand() *cobra.Command {
	v := inspectFlags{depth: flags.All, limit: flags.All}
	c := &cobra.Command{
		Use:     "inspect [FILE]...",
		GroupID: groupLook,
		Short:   "Show every value of a MessagePack file next to its bytes",
		Long:    inspectHelp,
		Example: inspectExamples,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && a.IsTerminal(a.Stdin) && v.layout != "list" {
				return errors.New("missing file name; use - for standard input")
			}
			v.paths = args
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return a.inspect(c.Context(), &v) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&v.json, "json", false, "print one JSON object per value instead of a tree")
	f.BoolVar(&v.all, "all", false, "show all elements of long arrays and maps")
	f.StringVar(&v.path, "path", "", "show only the value at `PATH`, such as users[3].name")
	f.BoolVar(&v.nested, "nested", false, "show MessagePack inside bin and ext values")
	f.StringVar(&v.layout, "layout", "", "show the messages of the format `NAME`, such as png; \"list\" lists the formats")
	f.Var(&v.depth, "depth", "show only values inside at most N containers")
	f.Var(&v.limit, "limit", "show at most N top-level values")
	f.Var(&v.offset, "offset", "start at byte N, where a value must begin")
	f.BoolVar(&v.noPager, "no-pager", false, "do not start a pager ($PAGER or less) on a terminal")
	f.BoolVarP(&v.force, "force", "f", false, "inspect input that looks like another format")
	return c
}

func (a *app) inspect(ctx context.Context, v *inspectFlags) error {
	if v.layout != "" {
		return a.inspectMessages(ctx, v)
	}
	path, err := onePath(v.path)
	if err != nil {
		return fmt.Errorf("--path: %w", err)
	}
	o := input.Options{
		Args: a.line("inspect"), Only: sniff.MessagePack, Anyway: "--force",
		Raw: v.force,
	}
	if v.force || v.offset > 0 {
		o.Format = sniff.MessagePack
	}
	var found inspect.Result
	var name string // of the only file
	err = a.showEach(ctx, v, o, func(in *input.Input, to *tally.Writer, quit <-chan struct{}) error {
		if len(v.paths) < 2 {
			name = in.Name
		}
		return a.inspectOne(ctx, v, in, path, to, quit, &found)
	})
	if err != nil {
		return err
	}
	switch {
	case len(path) > 0 && found.Selected == 0:
		return failure.New(failure.Finding, "", fmt.Errorf("no value at %s", v.path))
	case found.Findings == 0:
		return nil
	}
	var finding error = errors.New(found.Finding)
	if found.Findings > 1 {
		finding = fmt.Errorf("%s, the first: %w", console.Plural(found.Findings, "finding"), finding)
	}
	return failure.New(failure.Finding, name, finding)
}

// showEach calls show for each input, with the stream to write to: the pager, if one is
// started, and otherwise standard output. quit is closed when the pager exits.
func (a *app) showEach(ctx context.Context, v *inspectFlags, o input.Options, show func(in *input.Input, to *tally.Writer, quit <-chan struct{}) error) error {
	var to *tally.Writer
	var quit <-chan struct{}
	for in, err := range input.All(ctx, a.Console, v.paths, o) {
		if err != nil {
			return err
		}
		if to == nil {
			to = &tally.Writer{W: a.Stdout}
			if pager := a.pager(v); pager != nil {
				quit, to.W = pager.Done(), pager
				defer func() {
					pager.Close()
					<-pager.Done()
				}()
			}
		}
		if err := show(in, to, quit); err != nil {
			return err
		}
	}
	return nil
}

// onePath returns a path that selects at most one value.
func onePath(text string) (locate.Path, error) {
	path, err := locate.Parse(text)
	if err == nil && path.Many() {
		err = fmt.Errorf("%s selects many values, and inspect shows one; octet get prints them all", path)
	}
	return path, err
}

// pager starts a pager, or returns nil.
func (a *app) pager(v *inspectFlags) *console.Pager {
	if v.noPager {
		return nil
	}
	return a.NewPager()
}

// inspectOne shows one input and adds its result to found.
func (a *app) inspectOne(ctx context.Context, v *inspectFlags, in *input.Input, path locate.Path, to *tally.Writer, quit <-chan struct{}, found *inspect.Result) error {
	if err := skipTo(ctx, in, int64(v.offset)); err != nil {
		return err
	}
	o := inspect.Options{
		JSON: v.json, All: v.all, Nested: v.nested, Path: path,
		Depth: int64(v.depth), Limit: int64(v.limit),
		Width: a.Width(a.Stdout), Palette: console.NewPalette(a.Colored(a.color.Value, a.Stdout)),
	}
	if in.Plain() {
		o.Size = in.Size()
	}
	if len(v.paths) > 1 {
		o.File = in.Name
		if !v.json {
			if err := a.heading(to, in.Name, o.Palette); err != nil {
				return explainShow(err, in, to, quit)
			}
		}
	}
	result, err := task.Await(ctx, quit, nil, func() (inspect.Result, error) {
		return inspect.Run(to, in, int64(v.offset), o)
	})
	if found.Findings == 0 && result.Findings > 0 {
		found.Finding = result.Finding
		if len(v.paths) > 1 {
			found.Finding = in.Name + ": " + found.Finding
		}
	}
	found.Findings += result.Findings
	found.Selected += result.Selected
	var fault *scan.Fault
	if errors.As(err, &fault) {
		palette := console.NewPalette(a.Colored(a.color.Value, a.Stderr))
		return &failure.Error{
			Code: failure.Data, Subject: in.Name,
			Err:    fmt.Errorf("%s: %s", fault.Place(), fault.Reason()),
			Detail: inspect.Explain(fault, palette, a.Width(a.Stderr)),
		}
	}
	return explainShow(err, in, to, quit)
}

// heading prints the name of a file, with an empty line before it unless it is
// the first output.
func (a *app) heading(to *tally.Writer, name string, p *console.Palette) error {
	space := "\n"
	if to.N() == 0 {
		space = ""
	}
	_, err := io.WriteString(to, space+p.Container(name)+"\n")
	return err
}

// explainShow converts an error of showing an input into one that the user understands.
func explainShow(err error, in *input.Input, to *tally.Writer, quit <-chan struct{}) error {
	switch {
	case err == nil || err == failure.ErrInterrupted || err == task.ErrQuit:
		return err
	case quit != nil && (errors.Is(to.Err(), os.ErrClosed) || errors.Is(to.Err(), syscall.EPIPE)):
		return task.ErrQuit // the pipe to the pager is closed as soon as the pager exits
	case to.Err() != nil:
		return failure.Accessing("standard output", to.Err())
	}
	return in.Explain(err)
}

// skipTo skips the bytes before the offset.
func skipTo(ctx context.Context, in *input.Input, offset int64) error {
	if offset == 0 {
		return nil
	}
	skipped, err := task.Await(ctx, nil, nil, func() (int64, error) { return in.Skip(offset) })
	switch err {
	case io.EOF:
		return in.OffsetError(offset, skipped)
	case nil, failure.ErrInterrupted:
		return err
	default:
		return in.Explain(err)
	}
}
