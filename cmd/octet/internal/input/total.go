package input

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// stat describes the named file. The name "-" means stdin; if that is not a file, stat
// returns an error.
func stat(path string, stdin io.Reader) (fs.FileInfo, error) {
	if path != "-" {
		return os.Stat(path)
	}
	file, _ := stdin.(*os.File)
	return file.Stat()
}

// NotOutput returns an error if one of the named files is the named pipe that the command
// writes, because it would read what it has written, or a regular file that it replaces and
// should not, because the output does not have the values of the input. No paths, and the name
// "-", mean stdin.
func NotOutput(paths []string, stdin io.Reader, output string, replaces bool) error {
	kind := "pipe"
	out, err := os.Stat(output)
	switch {
	case err != nil:
		return nil
	case out.Mode().IsRegular() && !replaces:
		kind = "file"
	case out.Mode()&fs.ModeNamedPipe == 0:
		return nil
	}
	if path := among(paths, stdin, out); path != "" {
		if path == "-" {
			path = "standard input"
		}
		return failure.New(failure.Access, path, errors.New("this "+kind+" is also the output; write to another one"))
	}
	return nil
}

// IsOutput reports whether one of the named files is the regular file output. No paths, and the name "-", mean stdin.
func IsOutput(paths []string, stdin io.Reader, output string) bool {
	out, err := os.Stat(output)
	return err == nil && out.Mode().IsRegular() && among(paths, stdin, out) != ""
}

// among returns the first path of the file out, or "".
func among(paths []string, stdin io.Reader, out fs.FileInfo) string {
	for _, path := range orStdin(paths) {
		if in, err := stat(path, stdin); err == nil && os.SameFile(in, out) {
			return path
		}
	}
	return ""
}

// Total returns the number of bytes of the named files together. No paths, and the name
// "-", mean stdin. It returns 0 if one of them is not a regular file.
func Total(paths []string, stdin io.Reader) (total int64) {
	for _, path := range orStdin(paths) {
		info, err := stat(path, stdin)
		if err != nil || !info.Mode().IsRegular() {
			return 0
		}
		total += info.Size()
	}
	return total
}

func orStdin(paths []string) []string {
	if len(paths) == 0 {
		return []string{"-"}
	}
	return paths
}
