//go:build !(linux || darwin || freebsd || netbsd || dragonfly)

package array

import (
	"errors"
	"os"
)

const canMap = false

func mapFile(*os.File, int64, bool) ([]byte, error) { return nil, errors.ErrUnsupported }
func unmap([]byte) error                            { return nil }
func syncMap([]byte) error                          { return nil }
