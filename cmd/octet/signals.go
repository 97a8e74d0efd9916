//go:build !js && !wasip1

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// stopSignals are the signals that interrupt the tool.
var stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// catchClosedPipes catches SIGPIPE, which by default ends the process. The write
// to the closed pipe fails instead, and the tool can remove its temporary file.
func catchClosedPipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
