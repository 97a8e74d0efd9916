//go:build !js && !wasip1

package task

import (
	"os"
	"os/signal"
	"syscall"
)

// StopSignals are the signals that interrupt the tool.
var StopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// CatchClosedPipes catches SIGPIPE, which by default ends the process. The write
// to the closed pipe fails instead, and the tool can remove its temporary file.
func CatchClosedPipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
