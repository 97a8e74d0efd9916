//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package disk

import "errors"

func makePipe(string) error { return errors.ErrUnsupported }
