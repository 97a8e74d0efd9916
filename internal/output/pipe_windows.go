package output

import (
	"syscall"

	"golang.org/x/sys/windows"
)

var closedPipe = []error{syscall.EPIPE, windows.ERROR_BROKEN_PIPE, windows.ERROR_NO_DATA}
