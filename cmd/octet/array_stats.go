package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/arrays"
	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/output"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
)

func plural(n int64, word string) string { return console.Plural(n, word) }

func (a *app) arrayStatsCommand() *cobra.Command {
	var v arrayInput
	bins := flags.Number(20)
	asJSON := false
	chart := ""
	c := &cobra.Command{
		Use:   "stats FILE",
		Short: "Show the distribution of the elements of an array",
		Long: `Stats prints the number of elements, the minimum, maximum and mean, the standard
deviation of the population, quantiles and a histogram. NaNs are counted, but are
not part of the other results. The quantiles are exact: each is the smallest element
for which at least the given part of all elements is not greater.

Stats reads the file two times, or four times for elements of 64 bits, so it
cannot read from a pipe. Complex numbers have no order and no statistics.`,
		Example: `  octet array stats samples.npy
  octet array stats --bins 50 --chart samples.svg samples.npy
  octet array stats --json --type int16 --order big recording.raw`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return fmt.Errorf("unexpected argument %q; stats takes one file", args[1])
			case len(args) == 0:
				return errors.New("missing file name")
			case args[0] == "-":
				return errors.New("stats reads a file several times and cannot read standard input")
			}
			v.path = args[0]
			return nil
		},
	}
	v.flags(c)
	f := c.Flags()
	f.Var(&bins, "bins", "number of bars of the histogram, at most 1000")
	f.StringVar(&chart, "chart", "", "also write the histogram to `FILE`, which ends in .svg or .png")
	f.BoolVar(&asJSON, "json", false, "print a JSON object")
	f.BoolVarP(&v.quiet, "quiet", "q", false, "print no progress")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if bins > 1000 {
			return errors.New("--bins must be at most 1000")
		}
		return explainArray(&v, a.arrayStats(c.Context(), &v, int(bins), chart, asJSON))
	}
	return c
}

func (a *app) arrayStats(ctx context.Context, v *arrayInput, bins int, chart string, asJSON bool) error {
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(chart)), ".")
	if chart != "" && format != "svg" && format != "png" {
		return usageError("--chart must name a file that ends in .svg or .png")
	}
	if info, err := os.Stat(v.path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return usageError("stats reads a file several times, and " + v.path + " is not a regular file")
	}
	s, err := a.source(v)
	if err != nil {
		return err
	}
	// The type of the elements determines how often Calculate reads the file, which
	// the progress must know. If opening fails, Calculate returns the error.
	if in, err := s.Open(false); err == nil {
		v.passes = int64(arrays.Passes(in.Kind))
		in.Close()
		v.read.Reset() // Calculate reads these bytes again
	}
	stats, err := withProgress(ctx, a, v, a.Stdout, func() (*arrays.Statistics, error) {
		return arrays.Calculate(func() (*arrays.Input, error) { return s.Open(false) }, bins)
	})
	if err != nil {
		return err
	}
	if chart != "" {
		out, err := output.Create(chart, a.Stdout)
		if err != nil {
			return failure.Accessing(chart, err)
		}
		if err := stats.Chart(out, format, filepath.Base(v.path)); err != nil {
			out.Discard()
			return failure.Accessing(chart, err)
		}
		if err := out.Commit(); err != nil {
			return failure.Accessing(chart, err)
		}
	}
	text := stats.Text(a.Width(a.Stdout))
	if asJSON {
		// JSON cannot hold NaN and infinities, so the fields that can be one of them
		// replace those of Statistics.
		b, err := json.Marshal(struct {
			*arrays.Statistics
			Mean      *float64 `json:"mean,omitempty"`
			Deviation *float64 `json:"deviation,omitempty"`
		}{stats, finite(stats, stats.Mean), finite(stats, stats.Deviation)})
		if err != nil {
			return err
		}
		text = string(b) + "\n"
	}
	if _, err := fmt.Fprint(a.Stdout, text); err != nil {
		return failure.Accessing("standard output", err)
	}
	return nil
}

// finite returns v for JSON, or nil if there are no elements or v is not finite.
func finite(s *arrays.Statistics, v float64) *float64 {
	if s.Count == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func (a *app) arrayDiffCommand() *cobra.Command {
	var v arrayInput
	other := ""
	limit := flags.Limit(10)
	tolerance := 0.0
	c := &cobra.Command{
		Use:   "diff FILE FILE",
		Short: "Compare two arrays element by element",
		Long: `Diff prints the elements that differ, with their index. If the arrays differ, the
exit code is 1. Types and shapes must be equal; formats and byte orders may
differ. NaNs are equal to each other. The flags for the input apply to both files.`,
		Example: `  octet array diff before.npy after.npy
  octet array diff --limit all --tolerance 1e-9 before.npy after.npy
  octet array diff --type float32 a.csv b.npy`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("diff takes two files, not %d", len(args))
			}
			v.path, other = args[0], args[1]
			if v.path == "-" && other == "-" {
				return errors.New("only one of the files can be standard input")
			}
			return nil
		},
	}
	v.flags(c)
	f := c.Flags()
	f.Var(&limit, "limit", "print at most N differences")
	f.Float64Var(&tolerance, "tolerance", 0, "numbers that differ by at most `X` are equal")
	f.BoolVarP(&v.quiet, "quiet", "q", false, "print no progress")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if math.IsNaN(tolerance) || tolerance < 0 {
			return errors.New("--tolerance must not be negative")
		}
		return a.arrayDiff(c.Context(), &v, other, limit, tolerance)
	}
	return c
}

func (a *app) arrayDiff(ctx context.Context, v *arrayInput, path string, limit flags.Limit, tolerance float64) error {
	// The second input has the same flags. It counts its own bytes, and the progress
	// shows only those of the first.
	w := arrayInput{path: path, from: v.from, kind: v.kind, order: v.order, name: v.name, header: v.header}
	first, err := a.source(v)
	if err != nil {
		return err
	}
	second, err := a.source(&w)
	if err != nil {
		return err
	}
	to := &tally.Writer{W: a.Stdout}
	d := arrays.Difference{Limit: int64(limit), Tolerance: tolerance, Report: func(at []int, x, y string) {
		index := strings.ReplaceAll(strings.Trim(fmt.Sprint(at), "[]"), " ", ",") // 2,7
		fmt.Fprintf(to, "[%s]\t%s\t%s\n", index, x, y)
	}}
	_, err = withProgress(ctx, a, v, a.Stdout, func() (bool, error) {
		x, err := first.Open(true)
		if err != nil {
			return false, explainArray(v, err)
		}
		defer x.Close()
		y, err := second.Open(true)
		if err != nil {
			return false, explainArray(&w, err)
		}
		defer y.Close()
		err = arrays.Compare(x, y, &d)
		if d.Failed == y {
			return false, explainArray(&w, err)
		}
		return false, explainArray(v, err)
	})
	switch {
	case err != nil:
		return err
	case to.Err() != nil:
		return failure.Accessing("standard output", to.Err())
	case d.What == "" && d.Count == 0:
		return nil
	}
	text := d.What
	if d.Count > 0 {
		text = fmt.Sprintf("%s of %s", plural(d.Count, "difference"), plural(d.Compared, "element"))
		if d.Largest > 0 {
			text += ", the largest " + strconv.FormatFloat(d.Largest, 'g', 6, 64)
		}
		if d.What != "" {
			text += "; " + d.What
		}
	}
	return failure.New(failure.Finding, v.path+" and "+path, errors.New(text))
}
