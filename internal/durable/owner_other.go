//go:build !unix

package durable

import (
	"io/fs"
	"os"
)

// keepOwner does nothing because the system has no file owners that a program
// can set.
func keepOwner(*os.File, fs.FileInfo) {}
