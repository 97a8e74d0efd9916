package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/inspect"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
)

const inspectHelp = `Inspect shows every value of a MessagePack stream on a line of its own: where
it begins, how many bytes it takes, these bytes, the name of their format, and
what they mean, as a tree. A value of a map stands below its key.

Long payloads are shown in part, with the number of bytes left out. A "?" for a
length stands at a container with thousands of values inside. Memory stays the
same however large the file is.

Where the input is malformed, all before the fault is shown, then the offset,
the path, what was expected, and the bytes around the fault.

See also: octet help fields, octet help exts.`

const inspectExamples = `  octet inspect std.msgpack
  octet inspect --depth 1 --limit 3 std.msgpack      an overview
  octet inspect --offset 0x1f4 std.msgpack           from a value in the middle
  octet inspect --json std.msgpack | jq 'select(.kind == "ext")'
  printf '\x81\xa2id\xcd\x03\xe8' | octet inspect -`

// An inspection is what the flags of inspect say.
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
		Short:   "Show every value of a MessagePack file beside its bytes",
		Long:    inspectHelp,
		Example: inspectExamples,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return fmt.Errorf("unexpected argument %q; files are inspected one at a time", args[1])
			case len(args) == 1:
				v.path = args[0]
			case a.IsTerminal(a.Stdin):
				return errors.New("no file; name one, or - for standard input")
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return a.inspect(c.Context(), &v) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&v.json, "json", false, "a JSON object on a line for each value, instead of the tree")
	f.Var(&v.depth, "depth", "show values inside at most N containers")
	f.Var(&v.limit, "limit", "show at most N values of the stream")
	f.Var(&v.offset, "offset", "begin at byte N of the input, where a value must begin")
	f.BoolVar(&v.noPager, "no-pager", false, "do not show the output through $PAGER, or less, on a terminal")
	f.BoolVarP(&v.force, "force", "f", false, "inspect even what looks like JSON or text")
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
		palette := console.NewPalette(a.Coloured(a.color.value, a.Stderr))
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

// show writes the values to standard output, through a pager on a terminal.
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
			Width: a.Width(), Palette: console.NewPalette(a.Coloured(a.color.value, a.Stdout)),
		})
	})
	switch {
	case err == nil || err == errInterrupted || err == errQuit:
	case from.err != nil:
		err = failure.Accessing(in.name, from.err)
	case to.err != nil:
		err = failure.Accessing("standard output", to.err)
	}
	return result, err
}

// suspect returns an error for an input that begins like a format other than
// MessagePack, or is named as JSON. A single byte is too little to tell.
func (v *inspection) suspect(in *input, head []byte) error {
	format := sniff.ByBytes(head)
	looks, try := "", ""
	switch {
	case v.offset > 0:
		return nil
	case sniff.ByName(in.path) == sniff.JSON && (format == sniff.MessagePack || format == sniff.Text):
		looks = "JSON by its name"
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
	detail := "To inspect it as MessagePack all the same: --force"
	if try != "" {
		detail = "Try: " + try + "\n" + detail
	}
	return &failure.Error{
		Code: failure.Data, Subject: in.name,
		Err:    fmt.Errorf("this looks like %s, not MessagePack", looks),
		Detail: detail,
	}
}
