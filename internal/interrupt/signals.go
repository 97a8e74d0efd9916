//go:build !js && !plan9 && !wasip1

package interrupt

import (
	"os"
	"os/signal"
	"syscall"
)

var stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

func catchClosedPipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
