//go:build !race

package main

const instrumented = false
