//go:build !windows

package output

import "syscall"

var closedPipe = []error{syscall.EPIPE}
