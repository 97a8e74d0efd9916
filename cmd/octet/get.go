package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/diag"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/locate"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

const getHelp = `Get prints the value at a path, for each top-level value of the input. Paths are
written as octet inspect and error messages write them:

  users[2].name        key "name" of element 2, the third, of key "users"
  ["full name"][-5]    the key "full name", then the integer key -5
  users[].name         the names of all elements
  limits{}             all values of a map
  limits{3}            the value of pair 3 of a map, whatever its key is
  .                    the whole value

The value is printed as JSON. With --raw, a str or bin is printed as its bytes,
without quotes. --to msgpack copies the bytes of the value, and --to diag writes
the notation of octet diag. --reversible writes values that JSON lacks as
objects, as in octet convert.

If a top-level value has no value at the path, get prints nothing for it, continues
with the next one, and exits with 1 at the end. MessagePack and raw output need
constant memory; JSON output needs memory for the largest value that is printed.

To filter and compute, see octet query.`

const getExamples = `  octet get '[0].ImportPath' std.msgpack
  go list -json std | octet get ImportPath
  octet get --raw 'users[0].photo' users.msgpack >photo.png
  octet get --json 'users[].id' users.msgpack        each value with its offset and path
  octet get --to msgpack payload a.msgpack | octet inspect -`

// getFlags holds the flags of the get command.
type getFlags struct {
	reading
	task.Target
	selected              locate.Path
	to                    flags.Choice
	json, raw, reversible bool
}

func (a *app) getCommand() *cobra.Command {
	forms := []string{"json", "msgpack", "diag"}
	v := getFlags{to: flags.Choice{Value: "json", Words: forms}}
	c := &cobra.Command{
		Use:     "get PATH [FILE]...",
		GroupID: groupLook,
		Short:   "Print the value at a path such as users[3].name",
		Long:    getHelp,
		Example: getExamples,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("missing path, such as users[3].name")
			}
			if err := checkNotFile("get", "path", args); err != nil {
				return err
			}
			var err error
			if v.selected, err = locate.Parse(args[0]); err != nil {
				return err
			}
			return a.setPaths(&v.reading, args[1:])
		},
		RunE: func(c *cobra.Command, _ []string) error { return a.get(c.Context(), &v) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&v.Path, "output", "o", "-", "`FILE` to write, - for standard output")
	v.readFlags(c)
	f.Var(&v.to, "to", "form of the output")
	f.BoolVarP(&v.raw, "raw", "r", false, "print the bytes of a str or bin as they are")
	f.BoolVar(&v.reversible, "reversible", false, "write values that JSON lacks (bin, ext, timestamps, ...) as objects")
	f.BoolVar(&v.json, "json", false, "print one JSON object per value found: its file, number, path, offset, length, json")
	f.BoolVarP(&v.Force, "force", "f", false, "write MessagePack to a terminal")
	flags.Complete(c, "to", forms)
	return c
}

func (a *app) get(ctx context.Context, v *getFlags) error {
	switch {
	case v.json && (v.raw || v.to.Value != "json"):
		return errors.New("--json cannot be used with --raw or --to")
	case v.raw && v.to.Value != "json":
		return errors.New("--raw and --to cannot be used together")
	}
	v.Binary, v.Painted = v.to.Value == "msgpack", v.to.Value == "json" && !v.raw
	missing, first := int64(0), ""
	err := a.produce(ctx, v.Target, func(w io.Writer) error {
		return a.each(ctx, &v.reading, func(in *input.Input) error {
			return v.msgpack(in, w, func(w *bufio.Writer, r io.Reader) error {
				p := printer{getFlags: v, w: w, in: in}
				s := scan.New(r, 0)
				return v.selected.Each(s, p.print, func(number, found int64) error {
					if p.number++; found == 0 && !v.selected.Many() {
						if missing++; missing == 1 {
							first = fmt.Sprintf("%s: no value at the path %s in value %d", in.Name, v.selected, number+1)
						}
					}
					return nil
				})
			})
		})
	})
	if err != nil || missing == 0 {
		return err
	}
	if missing > 1 {
		first = fmt.Sprintf("%s or in %s", first, console.Plural(missing-1, "other value"))
	}
	return failure.New(failure.Finding, "", errors.New(first))
}

// A printer prints the values that a path selects.
type printer struct {
	*getFlags
	w      *bufio.Writer
	in     *input.Input
	number int64 // of the top-level value
	data   bytes.Buffer
	text   []byte
}

func (p *printer) print(m *locate.Match) error {
	switch kind := m.Format.Kind(); {
	case p.to.Value == "msgpack":
		_, err := m.WriteTo(p.w)
		return err
	case p.raw && (kind == wire.KindStr || kind == wire.KindBin):
		return p.payload(m, kind)
	}
	// WriteTo moves the scanner, so the path must be taken before it.
	path, offset := "", m.Offset
	if p.json {
		path = m.Path()
	}
	p.data.Reset()
	if _, err := m.WriteTo(&p.data); err != nil {
		return err
	}
	if p.to.Value == "diag" {
		d := diag.Writer{W: p.w}
		_, err := d.Write(scan.New(&p.data, 0))
		return err
	}
	var err error
	p.text, err = transcode.AppendJSON(p.text[:0], p.data.Bytes(), &transcode.Options{Reversible: p.reversible})
	if err != nil {
		return explainJSON(p.in, atOffset(err, offset, p.number))
	}
	if p.json {
		o := getObject{File: p.in.Name, Value: p.number, Path: path, JSON: p.text}
		if p.in.Format == sniff.MessagePack { // an offset in converted JSON would not be one in the file
			o.Offset, o.Length = &offset, int64(p.data.Len())
		}
		if p.text, err = json.Marshal(o); err != nil {
			return err
		}
	}
	_, err = p.w.Write(append(p.text, '\n'))
	return err
}

// payload copies the payload of a str or bin. A newline follows a str, as for
// the other values.
func (p *printer) payload(m *locate.Match, kind wire.Kind) error {
	if _, err := m.WriteTo(&skipWriter{w: p.w, skip: int(m.Size)}); err != nil || kind == wire.KindBin {
		return err
	}
	return p.w.WriteByte('\n')
}

// A skipWriter does not write the first skip bytes.
type skipWriter struct {
	w    io.Writer
	skip int
}

func (h *skipWriter) Write(b []byte) (int, error) {
	n := min(h.skip, len(b))
	h.skip -= n
	k, err := h.w.Write(b[n:])
	return n + k, err
}

// explainJSON returns the error for a value that JSON cannot hold.
func explainJSON(in *input.Input, err error) error {
	f := failure.New(failure.Data, in.Name, input.Brief(err))
	f.Detail = "To print values that JSON lacks as objects: --reversible"
	if errors.Is(err, transcode.ErrDuplicateKey) {
		f.Detail = "To see all duplicate keys: octet lint " + input.Quote(in.Path)
	}
	return f
}

// atOffset adds the position of a value to an error about its content.
func atOffset(err error, offset, number int64) error {
	var e *transcode.Error
	if !errors.As(err, &e) {
		return err
	}
	moved := *e
	moved.Offset += offset
	moved.Value = number
	return &moved
}

// A getObject is one line of octet get --json.
type getObject struct {
	File   string          `json:"file"`
	Value  int64           `json:"value"` // number of the top-level value, from 0
	Path   string          `json:"path"`
	Offset *int64          `json:"offset,omitempty"`
	Length int64           `json:"length,omitempty"`
	JSON   json.RawMessage `json:"json"`
}
