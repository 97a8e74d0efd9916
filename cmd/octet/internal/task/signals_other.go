//go:build js || wasip1

package task

import "os"

// StopSignals are the signals that interrupt the tool.
var StopSignals = []os.Signal{os.Interrupt}

// CatchClosedPipes does nothing: these systems have no SIGPIPE.
func CatchClosedPipes() {}
