//go:build !linux

package output

import "errors"

func renameNew(string, string) error { return errors.ErrUnsupported }
