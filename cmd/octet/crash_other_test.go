//go:build !linux

package main

// hasFileLimit reports whether the shell command ulimit -f works.
const hasFileLimit = false
