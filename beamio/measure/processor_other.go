//go:build !unix

package main

import "time"

// processorTime returns the time of day, because there is no simple way to ask for more.
func processorTime() time.Duration { return time.Since(began) }

var began = time.Now()
