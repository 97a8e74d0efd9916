//go:build !(linux || darwin || freebsd || netbsd || dragonfly || windows)

package disk

import "os"

func reserve(*os.File, int64, int64) error { return ErrNoReserve }
