package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/convert"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/locate"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/transcode"
)

const fmtHelp = `Fmt rewrites values without changing between JSON and MessagePack. In MessagePack,
values get their shortest formats; floats keep their width, and maps keep their
order. JSON is written with one value per line, or indented with --pretty; numbers
keep their digits.

With --canonical, equal values become equal bytes. MessagePack then has the form
of Options.Canonical of the Go package msgpack:

  - the keys of maps are sorted: integers, floats, str and bin by their bytes,
    then all others by the bytes of the whole value
  - a float 64 that a float 32 holds exactly is a float 32
  - every NaN is the float 32 with the bits 7fc00000

JSON then has sorted names, the fewest possible escapes, and numbers with the value
that octet convert reads. With --canonical, duplicate keys are an error.

The result is written to standard output or -o FILE. --write replaces each file
with its result. --check only lists the files that would change; if there are any,
the exit code is 1.

Without --canonical, memory use does not depend on the size of the input. With
--canonical, it is up to 20 times the length of the largest value.`

const fmtExamples = `  octet fmt --canonical a.msgpack -o b.msgpack
  octet fmt --canonical a.msgpack | sha256sum        the same for equal values
  octet fmt --pretty -w config.json
  octet fmt --canonical --check *.msgpack
  octet fmt --json --check *.msgpack                 with the bytes that would be saved`

// fmtFlags holds the flags of the fmt command.
type fmtFlags struct {
	reading
	task.Target
	canonical, pretty, write, check, json bool
}

func (a *app) fmtCommand() *cobra.Command {
	var v fmtFlags
	c := &cobra.Command{
		Use:     "fmt [FILE]...",
		GroupID: groupConvert,
		Short:   "Rewrite values in the shortest or canonical form",
		Long:    fmtHelp,
		Example: fmtExamples,
		Args:    a.pathArgs(&v.reading),
		RunE:    func(c *cobra.Command, _ []string) error { return a.fmt(c.Context(), &v) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&v.Path, "output", "o", "-", "`FILE` to write, - for standard output")
	v.readFlags(c)
	f.BoolVar(&v.canonical, "canonical", false, "sort keys and write equal values as equal bytes")
	f.BoolVar(&v.pretty, "pretty", false, "indent JSON (default: one value per line)")
	f.BoolVarP(&v.write, "write", "w", false, "replace each file with its result")
	f.BoolVar(&v.check, "check", false, "list the files that would change, and write nothing")
	f.BoolVar(&v.json, "json", false, "with --write or --check, print one JSON object per file: file, format, values,\nbytes_in, bytes_out, changed")
	f.BoolVarP(&v.Force, "force", "f", false, "write MessagePack to a terminal")
	return c
}

func (a *app) fmt(ctx context.Context, v *fmtFlags) error {
	inFiles := v.write || v.check
	switch {
	case v.write && v.check:
		return errors.New("--write and --check cannot be used together")
	case inFiles && v.Path != "-":
		return errors.New("--output cannot be used with --write or --check")
	case v.write && (len(v.paths) == 0 || slices.Contains(v.paths, "-")):
		return errors.New("--write needs files")
	case v.json && !inFiles:
		return errors.New("--json requires --write or --check")
	case inFiles:
		return a.fmtFiles(ctx, v)
	}
	formats := map[sniff.Format]bool{}
	return a.produce(ctx, v.Target, func(w io.Writer) error {
		return a.each(ctx, &v.reading, func(in *input.Input) error {
			if err := v.checkFormat(in); err != nil {
				return err
			}
			if formats[in.Format] = true; len(formats) > 1 {
				return errors.New("some of the files are JSON and some are MessagePack, so they cannot have one output; use --write")
			}
			if in.Format == sniff.MessagePack && v.Path == "-" && !v.Force && a.IsTerminal(a.Stdout) {
				return task.ErrTerminal
			}
			_, err := v.rewrite(w, in)
			return err
		})
	})
}

// checkFormat checks that the flags can be used with the format of the input.
func (v *fmtFlags) checkFormat(in *input.Input) error {
	if v.pretty && in.Format == sniff.MessagePack {
		return errors.New("--pretty requires JSON, but " + in.Name + " is MessagePack")
	}
	if v.write && !in.Plain() {
		return errors.New("--write does not rewrite record, compressed or UTF-16 files: " + in.Name)
	}
	return nil
}

// rewrite writes the values of in and returns their number.
func (v *fmtFlags) rewrite(w io.Writer, in *input.Input) (values int64, err error) {
	if !v.canonical {
		result, err := convert.Stream(w, in, convert.Options{From: in.Format, To: in.Format, Pretty: v.pretty})
		return result.Values, err
	}
	r := canonical.Rewriter{Sort: true, Unique: true, Narrow: in.Format == sniff.MessagePack}
	o := transcode.Options{}
	if v.pretty {
		o.Indent = "  "
	}
	err = v.msgpack(in, w, func(w *bufio.Writer, from io.Reader) error {
		s := scan.New(from, 0)
		var old bytes.Buffer
		var data, text []byte
		for ; ; values++ {
			old.Reset()
			t, err := s.Next()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if _, err := locate.Copy(&old, s, t.Depth); err != nil {
				return err
			}
			if data, err = r.Append(data[:0], old.Bytes()); err != nil {
				return v.duplicate(in, t, err)
			}
			if in.Format == sniff.JSON {
				if text, err = transcode.AppendJSON(text[:0], data, &o); err != nil {
					return err
				}
				_, err = w.Write(append(text, '\n'))
			} else {
				_, err = w.Write(data)
			}
			if err != nil {
				return err
			}
		}
	})
	return values, err
}

// duplicate returns the error for a value with duplicate keys.
func (v *fmtFlags) duplicate(in *input.Input, t scan.Token, err error) error {
	var d *canonical.DuplicateError
	if !errors.As(err, &d) {
		return err
	}
	place := fmt.Sprintf("value %d: ", t.Index+1)
	if in.Format == sniff.MessagePack {
		place = scan.Place(t.Offset+int64(d.Offset), "") + ": "
	}
	f := failure.New(failure.Data, in.Name, errors.New(place+"duplicate key"))
	f.Detail = "To see all duplicate keys: octet lint " + input.Quote(in.Path)
	return f
}

// A fmtObject is one line of octet fmt --json.
type fmtObject struct {
	File     string `json:"file"`
	Format   string `json:"format"`
	Values   int64  `json:"values"`
	BytesIn  int64  `json:"bytes_in"`
	BytesOut int64  `json:"bytes_out"`
	Changed  bool   `json:"changed"`
}

// fmtFiles rewrites or checks each file.
func (a *app) fmtFiles(ctx context.Context, v *fmtFlags) error {
	changed := int64(0)
	err := a.produce(ctx, task.Target{Path: "-"}, func(w io.Writer) error {
		return a.each(ctx, &v.reading, func(in *input.Input) error {
			if err := v.checkFormat(in); err != nil {
				return err
			}
			o, err := a.fmtFile(v, in)
			if err != nil {
				return err
			}
			if o.Changed {
				changed++
			}
			switch {
			case v.json:
				e := json.NewEncoder(w)
				e.SetEscapeHTML(false)
				return e.Encode(o)
			case v.check && o.Changed:
				_, err = fmt.Fprintln(w, in.Name)
			}
			return err
		})
	})
	if err == nil && v.check && changed > 0 {
		return failure.New(failure.Finding, "", errors.New(console.Plural(changed, "file")+" would change"))
	}
	return err
}

// fmtFile rewrites or checks one file.
func (a *app) fmtFile(v *fmtFlags, in *input.Input) (fmtObject, error) {
	o := fmtObject{File: in.Name, Format: in.Format.String()}
	var to io.Writer = io.Discard
	if v.write {
		out, err := a.rewritten.Create(in.Path, a.Stdout)
		if err != nil {
			return o, err
		}
		defer a.rewritten.Discard() // unless it is committed
		to = out
	}
	// The hashes show whether the result differs from the file. Neither is kept in
	// memory.
	before, after := &digest{Hash: sha256.New()}, &digest{Hash: sha256.New()}
	in.Reader = bufio.NewReaderSize(io.TeeReader(in.Reader, before), 64<<10)
	values, err := v.rewrite(io.MultiWriter(to, after), in)
	if err != nil {
		return o, err
	}
	o.Values, o.BytesIn, o.BytesOut = values, before.n, after.n
	o.Changed = !bytes.Equal(before.Sum(nil), after.Sum(nil))
	if o.Changed && v.write {
		return o, a.rewritten.Commit()
	}
	return o, nil
}

// A digest hashes and counts bytes.
type digest struct {
	hash.Hash
	n int64
}

func (d *digest) Write(b []byte) (int, error) {
	d.n += int64(len(b))
	return d.Hash.Write(b)
}
