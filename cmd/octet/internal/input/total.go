package input

import (
	"io"
	"os"
)

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
