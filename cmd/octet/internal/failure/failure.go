// Package failure gives every error of the tool the exit code that a script
// can tell it by.
package failure

import (
	"errors"
	"io/fs"
	"os"
)

// A Code is an exit code. The numbers are part of the tool's interface.
type Code int

const (
	OK          Code = 0
	Finding     Code = 1   // the input was read, and something in it is wrong
	Usage       Code = 2   // flags or arguments
	Access      Code = 3   // a file, device or pipe cannot be read or written
	Data        Code = 4   // the input is not what it should be, or exceeds a limit
	Interrupted Code = 130 // by Ctrl-C, as shells count it
)

// Help lists the codes for the --help of every command.
const Help = `Exit codes:
  0    all went well
  1    the input was read, but something in it is wrong, or differs
  2    wrong flags or arguments
  3    a file cannot be read or written
  4    the input is malformed, or exceeds a limit
  130  interrupted`

// An Error is the end of a command.
type Error struct {
	Code    Code
	Subject string // what it is about, such as a file; may be empty
	Err     error
	Detail  string // further lines for the person who reads it; may be empty
}

// Error returns one line, without Detail.
func (e *Error) Error() string {
	if e.Subject == "" {
		return e.Err.Error()
	}
	return e.Subject + ": " + e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// New returns an Error about a subject.
func New(code Code, subject string, err error) *Error {
	return &Error{Code: code, Subject: subject, Err: err}
}

// Accessing returns the Error of a file that cannot be opened, read or written.
func Accessing(subject string, err error) *Error {
	return New(Access, subject, bare(err))
}

// bare drops the operation and path that the os package puts in front, because
// the subject already names the file.
func bare(err error) error {
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

// CodeOf returns the exit code for an error that a command returned. One that
// has no code comes from the command line.
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
