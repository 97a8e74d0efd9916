//go:build unix

package durable

import (
	"errors"
	"os"
	"syscall"
)

func syncDirectory(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil // the file system does not have this
	}
	return errors.Join(err, d.Close())
}
