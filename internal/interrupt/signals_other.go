//go:build js || plan9 || wasip1

package interrupt

import "os"

var stopSignals = []os.Signal{os.Interrupt}

// catchClosedPipes does nothing: these systems have no SIGPIPE.
func catchClosedPipes() {}
