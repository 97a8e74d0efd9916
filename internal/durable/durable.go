// Package durable makes the names of files survive a power loss. To sync a file writes its contents, but not the
// directory that has its name, so a file that was created or renamed can be gone afterwards, or have its old name.
// The package also has what else replacing a file takes: following links to it, the name of a file beside it, and its
// permissions and owner.
package durable

import (
	"io/fs"
	"os"
	"path/filepath"
	"unicode/utf8"
)

// Name syncs the directory that contains the file at path. If path is a symbolic link, that is the directory of the
// file that it refers to. On a system or a file system that cannot sync a directory, Name does nothing. An error names
// the file, too.
func Name(path string) error {
	if err := syncDirectory(directoryOf(path)); err != nil {
		return &fs.PathError{Op: "sync name of", Path: path, Err: err}
	}
	return nil
}

// directoryOf returns the directory that contains the file at path.
func directoryOf(path string) string { return filepath.Dir(Target(path)) }

// maxLinks is how many symbolic links are followed. Systems allow fewer.
const maxLinks = 255

// Target returns the path of the file that path refers to through symbolic links. The file need not exist: it is the
// one that opening path would create. If there is no such file, Target returns a path that cannot be opened either.
func Target(path string) string {
	for range maxLinks {
		if path == "" {
			break // EvalSymlinks returns the current directory
		}
		if target, err := filepath.EvalSymlinks(path); err == nil {
			return target
		}
		// Linux has links to pipes, such as /dev/fd/3, whose text is not a path.
		if _, err := os.Stat(path); err == nil {
			break
		}
		target, err := os.Readlink(path)
		if err != nil {
			break // not a link
		}
		if !filepath.IsAbs(target) {
			// The directory of the link may be a link too, which matters for a target that begins with "..".
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				break
			}
			target = filepath.Join(dir, target)
		}
		path = target
	}
	return path
}

// longestName is the number of bytes that file systems allow in a name.
const longestName = 255

// Beside returns the path of another file in the directory of the file at path: its name, of which the end is left out if
// it is too long for that, and a suffix.
func Beside(path, suffix string) string {
	dir, name := filepath.Split(path)
	if room := longestName - len(suffix); len(name) > room {
		for k := 1; k < utf8.UTFMax && room > 0 && !utf8.RuneStart(name[room]); k++ {
			room-- // not inside a character
		}
		name = name[:room]
	}
	return dir + name + suffix
}
