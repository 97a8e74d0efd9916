// Package cases has what the program bench measures: the values, the libraries that Octet is compared with, and the
// limits. [Contests] returns all of it.
//
// The libraries and values are in library.go, peers.go, generated.go and values*.go, and for the other groups in
// streams.go, files.go, fixed*.go, layouts.go, messages.go, arrays.go, buffers.go, growth.go and
// first.go. limits.go and
// by_hand*.go contain the limits, abouts.go the descriptions. size.go measures the sizes of programs, and large*.go
// ways to write and read large arrays.
package cases
