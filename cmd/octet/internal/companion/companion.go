// Package companion starts the programs that do a part of the work of octet. They are
// programs of their own because what they link would make octet larger, and slower to
// build.
package companion

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// A Program is a program that octet starts.
type Program struct {
	Does string // such as "writes Parquet"
	Path string // of its package, which ends with its name
}

// Parquet and Serve are all of these programs.
var (
	Parquet = Program{"writes Parquet", "github.com/octet-go/octet/record/parquet/octet-parquet"}
	Serve   = Program{"serves the inspector", "github.com/octet-go/octet/cmd/octet/octet-serve"}
)

// Name returns the name of the program.
func (p Program) Name() string { return path.Base(p.Path) }

// ErrPrinted is inside the error of a program that failed and has printed why.
var ErrPrinted = errors.New("the program has printed the error")

// Run runs the program with the streams of c. On Unix, if these are the streams of the
// process, the program takes the place of octet, and Run returns only if it cannot be
// started. Otherwise Run returns when the program has ended. If ctx is canceled, it
// interrupts the program, and returns [failure.ErrInterrupted] when that has ended. For a
// program that failed, it returns [ErrPrinted] with the exit code of the program.
func (p Program) Run(ctx context.Context, c *console.Console, args []string) error {
	self, err := os.Executable()
	if err != nil {
		self = "" // only PATH is left
	}
	file, err := p.find(self)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return failure.ErrInterrupted // the program would not know of it
	}
	if done, err := replace(c, file, args); done {
		return failure.Accessing(file, err)
	}
	child := exec.CommandContext(ctx, file, args...)
	child.Stdin, child.Stdout, child.Stderr = c.Stdin, c.Stdout, c.Stderr
	child.Cancel = func() error { return interrupt(child.Process) }
	err = child.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return failure.ErrInterrupted
	case errors.As(err, &exit) && exit.ExitCode() > 0:
		return failure.New(failure.Code(exit.ExitCode()), p.Name(), ErrPrinted)
	case err != nil:
		return failure.Accessing(file, err)
	}
	return nil
}

// find returns the file of the program: the one in the folder of the executable self, which
// has the same version, or else the first one in PATH.
func (p Program) find(self string) (string, error) {
	if self != "" {
		places := []string{self}
		if target, err := filepath.EvalSymlinks(self); err == nil && target != self {
			places = append(places, target)
		}
		for _, place := range places {
			if file, err := exec.LookPath(filepath.Join(filepath.Dir(place), p.Name())); err == nil {
				return file, nil
			}
		}
	}
	if file, err := exec.LookPath(p.Name()); err == nil {
		return file, nil
	}
	return "", failure.New(failure.Access, "", fmt.Errorf("%s, which %s, is not installed; the archives of octet have it, and so does: go install %s@latest", p.Name(), p.Does, p.Path))
}

// interrupt asks a process to end, so that it can remove its temporary file.
func interrupt(p *os.Process) error {
	if runtime.GOOS == "windows" {
		return p.Kill()
	}
	return p.Signal(os.Interrupt)
}
