// Package soak has no code of its own, but tests that need all packages: TestSameWords
// compares the texts of their errors, and TestSoak uses encoders, decoders, pools,
// buffers and record writers from many goroutines at once, for as long as the
// environment variable OCTET_SOAK says:
//
//	OCTET_SOAK=60s go test -race -v ./internal/soak
//
// Every value carries the name of the goroutine that made it. TestSoak fails if a
// value appears in the message of another goroutine, or changes after it was
// decoded, or if memory or the number of goroutines grows.
package soak
