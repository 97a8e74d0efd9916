package arrayfile

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/arrays"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

// Stats prints the distribution of the elements, and draws it into the file chart
// unless that is empty.
func (c *Command) Stats(ctx context.Context, f *File, bins int, chart string, asJSON bool) error {
	return explain(f, c.stats(ctx, f, bins, chart, asJSON))
}

func (c *Command) stats(ctx context.Context, f *File, bins int, chart string, asJSON bool) error {
	if chart != "" && !strings.EqualFold(filepath.Ext(chart), ".svg") {
		return usageError("--chart must name a file that ends in .svg")
	}
	if f.Path == "" {
		return failure.ErrNoName
	}
	remove, err := c.spool(ctx, f)
	if err != nil {
		return err
	}
	defer remove()
	s, err := c.source(f)
	if err != nil {
		return err
	}
	// The type of the elements determines how often Calculate reads the file, which
	// the progress must know. If opening fails, Calculate returns the error.
	if in, err := s.Open(false); err == nil {
		f.passes = int64(arrays.Passes(in.Kind))
		in.Close()
		f.read.Reset() // Calculate reads these bytes again
	}
	stats, err := withProgress(ctx, c, f, nil, func() (*arrays.Statistics, error) {
		return arrays.Calculate(func() (*arrays.Input, error) { return s.Open(false) }, bins)
	})
	if err != nil {
		return err
	}
	if chart != "" {
		err := task.Write(ctx, chart, c.Stdout, func(w io.Writer) error { return stats.Chart(w, filepath.Base(f.title())) })
		if err != nil {
			return err
		}
	}
	text := stats.Text(c.Width(c.Stdout))
	if asJSON {
		b, err := stats.JSON()
		if err != nil {
			return err
		}
		text = string(b) + "\n"
	}
	if _, err := fmt.Fprint(c.Stdout, text); err != nil {
		return failure.Accessing("standard output", err)
	}
	return nil
}
