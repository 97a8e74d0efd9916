//go:build js || wasip1

package main

import "os"

// stopSignals are the signals that interrupt the tool.
var stopSignals = []os.Signal{os.Interrupt}

// catchClosedPipes does nothing: these systems have no SIGPIPE.
func catchClosedPipes() {}
