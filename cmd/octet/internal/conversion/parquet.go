package conversion

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// Parquet is the value of the flag --to for files of columns.
const Parquet = "parquet"

// program writes Parquet. It is a command of its own because the library for that format
// would make this one much larger.
const program = "octet-parquet"

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
			return fmt.Errorf("%s has no effect on a Parquet file; see %s --help", name, program)
		}
	}
	path, err := exec.LookPath(program)
	if err != nil {
		return &failure.Error{
			Code: failure.Access, Err: errors.New(program + ", which writes Parquet, is not installed"),
			Detail: "Try: go install github.com/octet-go/octet/record/parquet/octet-parquet@latest",
		}
	}
	c := exec.CommandContext(ctx, path, r.parquetArgs()...)
	c.Stdin, c.Stdout, c.Stderr = r.Stdin, r.Stdout, r.Stderr
	c.Cancel = func() error { return interrupt(c.Process) }
	err = c.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return failure.ErrInterrupted
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return failure.New(failure.Code(exit.ExitCode()), program, errors.New("failed; run it directly to use its other flags"))
	case err != nil:
		return failure.Accessing(path, err)
	}
	return nil
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

// interrupt asks a process to end, so that it can remove its temporary file.
func interrupt(p *os.Process) error {
	if runtime.GOOS == "windows" {
		return p.Kill()
	}
	return p.Signal(os.Interrupt)
}
