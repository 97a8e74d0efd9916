// Package notation writes the values of files in diagnostic notation, and reads it back.
// Package diag has the notation of a single stream.
package notation

import (
	"bufio"
	"bytes"
	"context"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/diag"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/internal/output"
)

// Options select how values are written.
type Options struct {
	Pretty bool // each element on a line of its own
	JSON   bool // one object for each top-level value, with its place
}

// Write writes the values of files.
func (o Options) Write(ctx context.Context, files *input.Files, w io.Writer) error {
	return files.Each(ctx, func(in *input.Input) error {
		return in.Stream(w, func(w *bufio.Writer, r io.Reader) error { return o.write(w, scan.New(r, 0), in) })
	})
}

// write writes the values of s.
func (o Options) write(w *bufio.Writer, s *scan.Scanner, in *input.Input) error {
	d := diag.Writer{W: w}
	if o.Pretty {
		d.Indent = "  "
	}
	if !o.JSON {
		_, err := d.Write(s)
		return err
	}
	lines := output.JSONLines(w)
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
		line := object{Value: number, Diag: text.String()}
		// JSON input was converted, so an offset would not be one in the file.
		if in.Format == sniff.MessagePack {
			line.Offset, line.Length = &start, s.Offset()-start
		}
		if err := lines.Encode(line); err != nil {
			return err
		}
	}
}

// An object is one line of octet diag --json.
type object struct {
	Value  int64  `json:"value"` // number in the stream, from 0
	Offset *int64 `json:"offset,omitempty"`
	Length int64  `json:"length,omitempty"`
	Diag   string `json:"diag"`
}

// Begin returns at least the first room characters of a value in diagnostic
// notation.
func Begin(data []byte, room int) string {
	var b bytes.Buffer
	w := diag.Writer{W: bufio.NewWriter(&limited{w: &b, left: 4*room + 64})}
	// The data is valid, so the only possible error is that limited is full.
	_ = w.Next(scan.New(bytes.NewReader(data), 0))
	_ = w.W.Flush()
	return b.String()
}

// A limited writer fails after a number of bytes.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(b []byte) (int, error) {
	if l.left < len(b) {
		_, _ = l.w.Write(b[:max(l.left, 0)])
		l.left = -1
		return 0, io.ErrShortWrite
	}
	l.left -= len(b)
	return l.w.Write(b)
}
