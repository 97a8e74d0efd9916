// Package get prints the values at a path.
package get

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/diag"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/locate"
	"github.com/octet-go/octet/cmd/octet/internal/lost"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/output"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// The forms in which values are printed.
const (
	JSON        = "json"
	MessagePack = "msgpack"
	Diag        = "diag"
)

// Forms lists the forms.
var Forms = []string{JSON, MessagePack, Diag}

// Options select the values and how they are printed.
type Options struct {
	Path       locate.Path
	To         string // one of Forms
	JSON       bool   // print an object for each value, with its place
	Raw        bool   // print the bytes of a str or bin as they are
	Reversible bool   // values that JSON lacks become objects
}

// Files prints the values in files. If a top-level value lacks the path, the error has
// the code Finding, and all others have been printed.
func Files(ctx context.Context, files *input.Files, w io.Writer, o *Options) error {
	missing, first := int64(0), ""
	var changed transcode.Changed
	err := files.Each(ctx, func(in *input.Input) error {
		return in.Stream(w, func(w *bufio.Writer, r io.Reader) error {
			p := printer{Options: o, w: w, in: in, changed: &changed}
			return o.Path.Each(scan.New(r, 0), p.print, func(number, _ int64, lacks bool) error {
				if p.number++; lacks {
					if missing++; missing == 1 {
						first = fmt.Sprintf("%s: no value at the path %s in value %d", errtext.Line(in.Name), o.Path, number+1)
					}
				}
				return nil
			})
		})
	})
	if changed.Total() > 0 {
		files.Console.Note("octet: get: %s; --reversible keeps them", lost.Text(changed))
	}
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
	*Options
	w       *bufio.Writer
	in      *input.Input
	number  int64 // of the top-level value
	data    bytes.Buffer
	text    []byte
	changed *transcode.Changed // values that JSON lacks
}

func (p *printer) print(m *locate.Match) error {
	switch kind := m.Format.Kind(); {
	case p.To == MessagePack:
		_, err := m.WriteTo(p.w)
		return err
	case p.Raw && (kind == wire.KindStr || kind == wire.KindBin):
		return p.payload(m, kind)
	}
	// WriteTo moves the scanner, so the path must be taken before it.
	path, offset := "", m.Offset
	if p.JSON {
		path = m.Path()
	}
	p.data.Reset()
	if _, err := m.WriteTo(&p.data); err != nil {
		return err
	}
	if p.To == Diag {
		d := diag.Writer{W: p.w}
		_, err := d.Write(scan.New(&p.data, 0))
		return err
	}
	var err error
	p.text, err = transcode.AppendJSON(p.text[:0], p.data.Bytes(), &transcode.Options{Reversible: p.Reversible})
	if err != nil {
		return p.in.ExplainJSON(err, offset, p.number)
	}
	if !p.Reversible {
		lost.Count(p.changed, p.data.Bytes())
	}
	if p.JSON {
		o := object{File: p.in.Name, Value: p.number, Path: path, JSON: p.text}
		if p.in.Format == sniff.MessagePack { // an offset in converted JSON would not be one in the file
			o.Offset, o.Length = &offset, int64(p.data.Len())
		}
		return output.JSONLines(p.w).Encode(o)
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

// An object is one line of octet get --json.
type object struct {
	File   string          `json:"file"`
	Value  int64           `json:"value"` // number of the top-level value, from 0
	Path   string          `json:"path"`
	Offset *int64          `json:"offset,omitempty"`
	Length int64           `json:"length,omitempty"`
	JSON   json.RawMessage `json:"json"`
}
