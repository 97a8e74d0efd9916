package arrayfile

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/arrays"
	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
)

// Diff prints at most limit elements that differ, and all if it is negative. Elements
// that differ by up to tolerance are equal. The progress is that of the first file.
func (c *Command) Diff(ctx context.Context, f, g *File, limit int64, tolerance float64) error {
	first, err := c.source(f)
	if err != nil {
		return err
	}
	second, err := c.source(g)
	if err != nil {
		return err
	}
	to := &tally.Writer{W: c.Stdout}
	d := arrays.Difference{Limit: limit, Tolerance: tolerance, Report: func(at []int, x, y string) {
		index := strings.ReplaceAll(strings.Trim(fmt.Sprint(at), "[]"), " ", ",") // 2,7
		fmt.Fprintf(to, "[%s]\t%s\t%s\n", index, x, y)
	}}
	_, err = withProgress(ctx, c, f, c.Stdout, func() (bool, error) {
		x, err := first.Open(true)
		if err != nil {
			return false, explain(f, err)
		}
		defer x.Close()
		y, err := second.Open(true)
		if err != nil {
			return false, explain(g, err)
		}
		defer y.Close()
		err = arrays.Compare(x, y, &d)
		if d.Failed == y {
			return false, explain(g, err)
		}
		return false, explain(f, err)
	})
	switch {
	case err != nil:
		return err
	case to.Err() != nil:
		return failure.Accessing("standard output", to.Err())
	case d.What == "" && d.Count == 0:
		return nil
	}
	return failure.New(failure.Finding, f.Path+" and "+g.Path, errors.New(summary(&d)))
}

// summary returns a line about all differences.
func summary(d *arrays.Difference) string {
	if d.Count == 0 {
		return d.What
	}
	text := fmt.Sprintf("%s of %s", console.Plural(d.Count, "difference"), console.Plural(d.Compared, "element"))
	if d.Largest > 0 {
		text += ", the largest " + strconv.FormatFloat(d.Largest, 'g', 6, 64)
	}
	if d.What != "" {
		text += "; " + d.What
	}
	return text
}
