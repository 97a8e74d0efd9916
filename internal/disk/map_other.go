//go:build !(linux || darwin || freebsd || netbsd || dragonfly)

package disk

import (
	"errors"
	"os"
)

// CanMap reports whether files can be mapped on this system.
const CanMap = false

func mapFile(*os.File, int64, bool) ([]byte, error) { return nil, errors.ErrUnsupported }
func unmap([]byte) error                            { return nil }
func syncMap([]byte) error                          { return nil }
