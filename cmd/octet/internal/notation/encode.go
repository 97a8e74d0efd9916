package notation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/diag"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
)

// Encode reads the notation in files and writes MessagePack.
func Encode(ctx context.Context, files *input.Files, w io.Writer) error {
	f := *files
	f.Options = input.Options{Raw: true, Format: sniff.JSON} // the notation is text, as JSON is
	return f.Each(ctx, func(in *input.Input) error { return encode(in, w) })
}

// IsNamed reports whether a file name has the extension of the notation.
func IsNamed(path string) bool { return strings.EqualFold(filepath.Ext(path), ".diag") }

// encode reads the notation of one input and writes MessagePack.
func encode(in *input.Input, w io.Writer) error {
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
