//go:build !linux

package main

// limitsFiles says that the shell command ulimit -f works.
const limitsFiles = false
