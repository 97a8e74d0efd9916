package format

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/cmd/octet/internal/convert"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/locate"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/transcode"
)

// checkFormat checks that the flags can be used with the format of the input.
func (o *Options) checkFormat(in *input.Input) error {
	if o.Pretty && in.Format == sniff.MessagePack {
		return errors.New("--pretty requires JSON, but " + errtext.Line(in.Name) + " is MessagePack")
	}
	if o.Write && !in.Plain() {
		return errors.New("--write does not rewrite record, compressed or UTF-16 files: " + errtext.Line(in.Name))
	}
	return nil
}

// rewrite writes the values of in and returns their number.
func (o *Options) rewrite(w io.Writer, in *input.Input) (values int64, err error) {
	if !o.Canonical {
		result, err := convert.Stream(w, in, convert.Options{From: in.Format, To: in.Format, Pretty: o.Pretty})
		return result.Values, err
	}
	r := canonical.Rewriter{Sort: true, Unique: true, Narrow: in.Format == sniff.MessagePack}
	style := transcode.Options{}
	if o.Pretty {
		style.Indent = "  "
	}
	err = in.Stream(w, func(w *bufio.Writer, from io.Reader) error {
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
				return o.duplicate(in, t, err)
			}
			if in.Format == sniff.JSON {
				if text, err = transcode.AppendJSON(text[:0], data, &style); err != nil {
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

// duplicate returns the error for a value with duplicate keys. JSON has none here,
// because converting it has failed before.
func (o *Options) duplicate(in *input.Input, t scan.Token, err error) error {
	var d *canonical.DuplicateError
	if !errors.As(err, &d) {
		return err
	}
	place := scan.Place(t.Offset+int64(d.Offset), "")
	f := failure.New(failure.Data, in.Name, errors.New(place+": duplicate key"))
	f.Detail = "To see all duplicate keys: octet lint " + input.Quote(in.Path)
	return f
}
