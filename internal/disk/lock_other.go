//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package disk

import "os"

const nonBlocking = 0

func lock(f *os.File) error { return hold(f) }

func unlock(*os.File) {}
