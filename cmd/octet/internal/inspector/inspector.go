// Package inspector writes the page of package page for a file.
package inspector

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/page"
)

// Write writes a page with the values of the only input, or without values.
func Write(ctx context.Context, files *input.Files, w io.Writer) error {
	if len(files.Paths) == 0 {
		return page.Write(w, "", nil)
	}
	return files.Each(ctx, func(in *input.Input) error {
		values := in.MessagePack()
		defer values.Close()
		data, err := io.ReadAll(io.LimitReader(values, page.MaxData+1)) // one more byte shows that there are too many
		if err != nil {
			return err
		}
		if len(data) > page.MaxData {
			return failure.New(failure.Usage, in.Name, fmt.Errorf("a page can contain at most %d MiB; write a page without a file, and open this file in it", page.MaxData>>20))
		}
		if data == nil {
			data = []byte{} // nil would be a page that asks for a file
		}
		var b bytes.Buffer
		if err := page.Write(&b, filepath.Base(in.Name), data); err != nil {
			return err
		}
		_, err = w.Write(b.Bytes())
		return err
	})
}
