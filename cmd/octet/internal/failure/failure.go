// Package failure assigns an exit code to every error of the tool.
package failure

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/octet-go/octet/internal/errtext"
)

// A Code is an exit code. The numbers are part of the tool's interface.
type Code int

const (
	OK          Code = 0
	Finding     Code = 1   // a fault in well-formed input, a difference, or no value at a path
	Usage       Code = 2   // a flag or argument is wrong
	Access      Code = 3   // a file, device or pipe cannot be read or written
	Data        Code = 4   // the input is malformed or exceeds a limit
	Interrupted Code = 130 // by Ctrl-C; shells use 128 plus the number of the signal
)

// Help lists the exit codes. The --help of every command ends with it.
const Help = `Exit codes:
  0    success
  1    the input has a fault or a difference, or lacks what was asked for
  2    a flag or argument is wrong
  3    a file cannot be read or written
  4    the input is malformed or exceeds a limit
  130  interrupted`

// An Error is the error that ends a command.
type Error struct {
	Code    Code
	Subject string // usually the name of a file; may be empty
	Err     error
	Detail  string // more lines to print below the error; may be empty
	Exit    Code   // the exit code if it is not Code, or else 0
}

// Error returns one line, without Detail.
func (e *Error) Error() string {
	if e.Subject == "" {
		return e.Err.Error()
	}
	return errtext.Line(e.Subject) + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// ErrInterrupted is the error of a command that was interrupted.
var ErrInterrupted error = New(Interrupted, "", errors.New("interrupted"))

// ErrNoName is the error for an empty file name. It usually comes from a script
// that uses an unset variable.
var ErrNoName = errors.New("the file name is empty")

// OutputToo returns the Error for an input that is also standard output.
func OutputToo(subject string) *Error {
	return New(Access, subject, errors.New("this file is also standard output; write to another file"))
}

// New returns an Error about the subject.
func New(code Code, subject string, err error) *Error {
	return &Error{Code: code, Subject: subject, Err: err}
}

// Accessing returns the Error for a file that cannot be opened, read or
// written. If a signal has ended the attempt, it returns ErrInterrupted.
func Accessing(subject string, err error) *Error {
	if errors.Is(err, context.Canceled) || errors.Is(err, ErrInterrupted) {
		return ErrInterrupted.(*Error)
	}
	return New(Access, subject, bare(err))
}

// bare removes the operation and path that the os package adds, because the
// subject already names the file. An error on one line that wraps several, such as
// output.ErrNotDurable, says more, and stays as it is.
func bare(err error) error {
	for e := err; e != nil; e = errors.Unwrap(e) {
		if several, ok := e.(interface{ Unwrap() []error }); ok && len(several.Unwrap()) > 1 && !strings.Contains(err.Error(), "\n") {
			return err
		}
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	var call *os.SyscallError
	if errors.As(err, &call) {
		return call.Err
	}
	return err
}

// ExitOf returns the exit code for an error that a command returned.
func ExitOf(err error) Code {
	var e *Error
	if errors.As(err, &e) && e.Exit != OK {
		return e.Exit
	}
	return CodeOf(err)
}

// CodeOf returns the code of an error that a command returned. An error
// without a code comes from the command line parser, so its code is Usage.
func CodeOf(err error) Code {
	if err == nil {
		return OK
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Usage
}
