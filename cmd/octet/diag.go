package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/diag"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

const diagHelp = `Diag writes MessagePack as lossless text: reading the text back with --reverse gives
the same bytes. Use it to look at a value, to change it in an editor, and to write
test data.

The notation looks like JSON, and all JSON is valid notation. It adds:

  nil                                 null is accepted
  h'0102'  b64'AQI='                  bin
  time'2026-11-21T08:00:00Z'          timestamp; time(SECONDS, NANOSECONDS) for
                                      a year that is not 0 to 9999
  ext(5, h'0102')                     other ext
  1.5_f32  nan  inf  -inf             floats; without a suffix they have 64 bits
  "\xff"                              a byte that is not UTF-8
  {1: 2, nil: []}                     keys of every kind
  # comment                           to the end of the line

A suffix names a format that is not the shortest:

  5_u16  5_i64                        integer
  "a"_8  h'01'_16  [1]_32  {}_16      bits of the length or count
  ext(5, h'01')_8                     ext with a length of 8 bits
  time'2026-11-21T08:00:00Z'_96       timestamp with 96 bits

Diag writes one top-level value per line, or several lines with --pretty. It
needs constant memory. --reverse needs memory for the largest value, and accepts
any white space. Files named .diag are read as with --reverse.

The page docs/diagnostic-notation.md has the grammar.`

const diagExamples = `  octet diag std.msgpack | less
  octet diag --pretty std.msgpack >std.diag           change std.diag, then:
  octet diag std.diag -o std.msgpack
  echo "{7: h'00ff', \"n\": 5_u64}" | octet diag -r | octet inspect -
  octet diag --json a.msgpack                 offset, length and text of each value`

// diagFlags holds the flags of the diag command.
type diagFlags struct {
	reading
	task.Target
	pretty, json, reverse bool
}

func (a *app) diagCommand() *cobra.Command {
	var v diagFlags
	c := &cobra.Command{
		Use:     "diag [FILE]...",
		GroupID: groupConvert,
		Short:   "Write MessagePack as lossless text, and read the text back",
		Long:    diagHelp,
		Example: diagExamples,
		Args:    a.pathArgs(&v.reading),
		RunE:    func(c *cobra.Command, _ []string) error { return a.diag(c.Context(), &v) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&v.Path, "output", "o", "-", "`FILE` to write, - for standard output")
	v.readFlags(c)
	f.BoolVarP(&v.reverse, "reverse", "r", false, "read the notation and write MessagePack")
	f.BoolVar(&v.pretty, "pretty", false, "write each element on a line of its own")
	f.BoolVar(&v.json, "json", false, "print one JSON object per top-level value: number, offset, length, diag")
	f.BoolVarP(&v.Force, "force", "f", false, "write MessagePack to a terminal")
	return c
}

func (a *app) diag(ctx context.Context, v *diagFlags) error {
	notation := 0 // files that are named .diag
	for _, path := range v.paths {
		if strings.EqualFold(filepath.Ext(path), ".diag") {
			notation++
		}
	}
	if notation > 0 && notation == len(v.paths) {
		v.reverse = true
	}
	switch {
	case v.reverse && (v.json || v.pretty):
		return errors.New("--reverse writes MessagePack, so it cannot be used with --json or --pretty")
	case v.reverse && v.from.Value != "":
		return errors.New("--reverse reads diagnostic notation, so it cannot be used with --from")
	case notation > 0 && !v.reverse:
		return errors.New("some of the files are diagnostic notation and some are not; use two commands")
	}
	v.Binary = v.reverse
	return a.produce(ctx, v.Target, func(w io.Writer) error {
		if v.reverse {
			return a.encodeDiag(ctx, v, w)
		}
		return a.each(ctx, &v.reading, func(in *input.Input) error {
			return v.msgpack(in, w, func(w *bufio.Writer, r io.Reader) error { return v.write(w, scan.New(r, 0), in) })
		})
	})
}

// write writes the values of s as text.
func (v *diagFlags) write(w *bufio.Writer, s *scan.Scanner, in *input.Input) error {
	d := diag.Writer{W: w}
	if v.pretty {
		d.Indent = "  "
	}
	if !v.json {
		_, err := d.Write(s)
		return err
	}
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	var text bytes.Buffer
	d.W = bufio.NewWriter(&text)
	for number := int64(0); ; number++ {
		text.Reset()
		d.W.Reset(&text)
		start := s.Offset()
		err := d.Next(s)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := d.W.Flush(); err != nil {
			return err
		}
		o := diagObject{Value: number, Diag: text.String()}
		// JSON input was converted, so an offset would not be one in the file.
		if in.Format == sniff.MessagePack {
			o.Offset, o.Length = &start, s.Offset()-start
		}
		if err := lines.Encode(o); err != nil {
			return err
		}
	}
}

// A diagObject is one line of octet diag --json.
type diagObject struct {
	Value  int64  `json:"value"` // number in the stream, from 0
	Offset *int64 `json:"offset,omitempty"`
	Length int64  `json:"length,omitempty"`
	Diag   string `json:"diag"`
}

// encodeDiag reads the notation of all inputs and writes MessagePack.
func (a *app) encodeDiag(ctx context.Context, v *diagFlags, w io.Writer) error {
	o := input.Options{Raw: true, Format: sniff.JSON} // the notation is text, as JSON is
	for in, err := range input.All(ctx, a.Console, v.paths, o) {
		if err != nil {
			return err
		}
		if err := encodeDiag(in, w); err != nil {
			return err
		}
	}
	return nil
}

func encodeDiag(in *input.Input, w io.Writer) error {
	r := diag.NewReader(in)
	var data []byte
	for {
		var err error
		if data, err = r.Append(data[:0]); err == io.EOF {
			return nil
		}
		var syntax *diag.SyntaxError
		if errors.As(err, &syntax) {
			text := syntax.Error()
			if syntax.Value > 0 {
				text = fmt.Sprintf("value %d, %s", syntax.Value+1, text)
			}
			return failure.New(failure.Data, in.Name, errors.New(text))
		}
		if err != nil {
			return in.Explain(err)
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
}
