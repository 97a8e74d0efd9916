package conversion

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/companion"
)

// Parquet is the value of the flag --to for files of columns.
const Parquet = "parquet"

// isParquet reports whether the output is a Parquet file.
func (r *Conversion) isParquet() bool {
	return r.ToName == Parquet || r.ToName == "" && strings.EqualFold(filepath.Ext(r.Output), ".parquet")
}

// onlyParquet returns a flag that is set and only has a meaning for Parquet files, or "".
func (r *Conversion) onlyParquet() string {
	switch {
	case r.Schema != "":
		return "--schema"
	case r.Infer:
		return "--infer"
	case r.Lossy:
		return "--lossy"
	}
	return ""
}

// parquet starts the program with the same inputs.
func (r *Conversion) parquet(ctx context.Context) error {
	for name, set := range map[string]bool{"--pretty": r.Pretty, "--skip-bad": r.SkipBad, "--compress": r.Compress, "--force": r.Force} {
		if set {
			return fmt.Errorf("%s has no effect on a Parquet file; see %s --help", name, companion.Parquet.Name())
		}
	}
	return companion.Parquet.Run(ctx, r.Console, r.parquetArgs())
}

// parquetArgs returns the arguments of the program.
func (r *Conversion) parquetArgs() []string {
	args := []string{"--output=" + r.Output}
	if r.FromName != "" {
		args = append(args, "--from="+r.FromName)
	}
	if r.Schema != "" {
		args = append(args, "--schema="+r.Schema)
	}
	for _, f := range []struct {
		name string
		set  bool
	}{{"--infer", r.Infer}, {"--lossy", r.Lossy}, {"--reversible", r.Reversible}, {"--round", r.Round}, {"--quiet", r.Quiet}, {"--progress=never", r.NoProgress}} {
		if f.set {
			args = append(args, f.name)
		}
	}
	for _, in := range r.Inputs {
		if in != "-" && strings.HasPrefix(in, "-") {
			in = "./" + in
		}
		args = append(args, in)
	}
	return args
}
