//go:build !linux

package array

import "errors"

const canPopulate = false

func populatePages([]byte) error { return errors.ErrUnsupported }
func dropPages([]byte) error     { return errors.ErrUnsupported }
