//go:build race

package main

// instrumented tells that this build looks for races, which makes all code several times slower.
const instrumented = true
