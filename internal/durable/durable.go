// Package durable makes the names of files survive a power loss. To sync a file writes its contents, but not the
// directory that has its name, so a file that was created or renamed can be gone afterwards, or have its old name.
package durable

import "path/filepath"

// Name syncs the directory that contains the file at path. If path is a symbolic link, that is the directory of the
// file that it refers to. On a system or a file system that cannot sync a directory, Name does nothing.
func Name(path string) error { return syncDirectory(directoryOf(path)) }

// directoryOf returns the directory that contains the file at path.
func directoryOf(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	return filepath.Dir(path)
}
