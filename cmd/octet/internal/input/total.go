package input

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// NotOutput returns an error if one of the named files is the named pipe that the command
// writes, because it would read what it has written.
func NotOutput(paths []string, output string) error {
	out, err := os.Stat(output)
	if err != nil || out.Mode()&fs.ModeNamedPipe == 0 {
		return nil
	}
	for _, path := range paths {
		if in, err := os.Stat(path); err == nil && os.SameFile(in, out) {
			return failure.New(failure.Access, path, errors.New("this pipe is also the output; write to another one"))
		}
	}
	return nil
}

// Total returns the number of bytes of the named files together. No paths, and the name
// "-", mean stdin. It returns 0 if one of them is not a regular file.
func Total(paths []string, stdin io.Reader) (total int64) {
	if len(paths) == 0 {
		paths = []string{"-"}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if path == "-" {
			file, ok := stdin.(*os.File)
			if !ok {
				return 0
			}
			info, err = file.Stat()
		}
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		total += info.Size()
	}
	return total
}
