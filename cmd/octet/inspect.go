package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/inspect"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
)

const inspectHelp = `Inspect prints one line for each value of a MessagePack stream: its offset, its
length in bytes, its bytes, the name of its format, and the value itself. The
values form a tree. The value of a map entry is below its key.

Long payloads are truncated; the line says how many bytes are not shown. The
length of a container with thousands of values is printed as "?", because
inspect does not read that far ahead. Memory use does not depend on the size of
the input.

If the input is malformed, inspect prints all values before the error, then the
offset and path of the error, what was expected, what was found, and the bytes
around it.

See also: octet help fields, octet help exts.`

const inspectExamples = `  octet inspect std.msgpack
  octet inspect --depth 1 --limit 3 std.msgpack      the outer values only
  octet inspect --offset 0x1f4 std.msgpack           start at byte 0x1f4
  octet inspect --json std.msgpack | jq 'select(.kind == "ext")'
  printf '\x81\xa2id\xcd\x03\xe8' | octet inspect -`

// An inspection holds the flags of the inspect command.
type inspection struct {
	path                 string
	depth, limit         bound
	offset               position
	json, noPager, force bool
}

func (a *app) inspectCommand() *cobra.Command {
	v := inspection{path: "-", depth: unbounded, limit: unbounded}
	c := &cobra.Command{
		Use:     "inspect [FILE]",
		Short:   "Show every value of a MessagePack file next to its bytes",
		Long:    inspectHelp,
		Example: inspectExamples,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return fmt.Errorf("unexpected argument %q; inspect takes one file", args[1])
			case len(args) == 1:
				v.path = args[0]
			case a.IsTerminal(a.Stdin):
				return errors.New("missing file name; use - for standard input")
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return a.inspect(c.Context(), &v) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&v.json, "json", false, "print one JSON object per value instead of a tree")
	f.Var(&v.depth, "depth", "show only values inside at most N containers")
	f.Var(&v.limit, "limit", "show at most N top-level values")
	f.Var(&v.offset, "offset", "start at byte N, where a value must begin")
	f.BoolVar(&v.noPager, "no-pager", false, "do not start a pager ($PAGER or less) on a terminal")
	f.BoolVarP(&v.force, "force", "f", false, "inspect input that looks like JSON or text")
	return c
}

func (a *app) inspect(ctx context.Context, v *inspection) error {
	in, err := open(v.path, a.Console)
	if err != nil {
		return err
	}
	defer in.close()
	head, err := in.head(ctx)
	if err != nil {
		return err
	}
	if !v.force {
		if err := v.suspect(in, head); err != nil {
			return err
		}
	}
	if err := in.skip(ctx, int64(v.offset)); err != nil {
		return err
	}
	result, err := a.show(ctx, v, in)
	var fault *scan.Fault
	switch {
	case errors.As(err, &fault):
		palette := console.NewPalette(a.Colored(a.color.value, a.Stderr))
		return &failure.Error{
			Code: failure.Data, Subject: in.name,
			Err:    fmt.Errorf("%s: %s", fault.Place(), fault.Reason()),
			Detail: inspect.Explain(fault, palette),
		}
	case err != nil:
		return err
	case result.Findings > 1:
		err := fmt.Errorf("%s, the first: %s", console.Plural(result.Findings, "finding"), result.Finding)
		return failure.New(failure.Finding, in.name, err)
	case result.Findings == 1:
		return failure.New(failure.Finding, in.name, errors.New(result.Finding))
	}
	return nil
}

// show writes the values to standard output. On a terminal it uses a pager.
func (a *app) show(ctx context.Context, v *inspection, in *input) (inspect.Result, error) {
	to := &sink{w: a.Stdout}
	var quit <-chan struct{}
	if !v.noPager {
		if pager := a.NewPager(); pager != nil {
			quit, to.w = pager.Done(), pager
			defer func() {
				pager.Close()
				<-pager.Done()
			}()
		}
	}
	from := &source{r: in}
	result, err := await(ctx, quit, nil, func() (inspect.Result, error) {
		return inspect.Run(to, from, int64(v.offset), inspect.Options{
			JSON: v.json, Depth: int64(v.depth), Limit: int64(v.limit), Size: in.size,
			Width: a.Width(), Palette: console.NewPalette(a.Colored(a.color.value, a.Stdout)),
		})
	})
	switch {
	case err == nil || err == errInterrupted || err == errQuit:
	case from.err != nil:
		err = failure.Accessing(in.name, from.err)
	case quit != nil && errors.Is(to.err, os.ErrClosed):
		err = errQuit // the pipe to the pager is closed as soon as the pager exits
	case to.err != nil:
		err = failure.Accessing("standard output", to.err)
	}
	return result, err
}

// suspect returns an error if the input begins like a format other than
// MessagePack, or if its name says JSON. It accepts an input of one byte,
// because one byte is not enough to tell.
func (v *inspection) suspect(in *input, head []byte) error {
	format := sniff.ByBytes(head)
	looks, try := "", ""
	switch {
	case v.offset > 0:
		return nil
	case sniff.ByName(in.path) == sniff.JSON && (format == sniff.MessagePack || format == sniff.Text):
		looks = "JSON (by its file extension)"
		try = "octet convert -i " + in.path + " | octet inspect"
	case format == sniff.MessagePack || len(head) < 2:
		return nil
	case format == sniff.JSON:
		looks = "JSON"
		try = "octet convert -i " + in.path + " | octet inspect"
	case format == sniff.Text:
		looks = "text"
	default:
		looks = format.String() + " data"
		try = format.String() + " -dc " + in.path + " | octet inspect"
	}
	detail := "To inspect it as MessagePack anyway: --force"
	if try != "" {
		detail = "Try: " + try + "\n" + detail
	}
	return &failure.Error{
		Code: failure.Data, Subject: in.name,
		Err:    fmt.Errorf("this looks like %s, not MessagePack", looks),
		Detail: detail,
	}
}
