// Package syntax reads MessagePack bytes without building Go values. It finds the
// end of a value, checks a value against rules, and describes values and their
// positions for errors. It is the layer between the headers of package wire and the Go
// types of package msgpack; the commands of this repository use it, too. It uses
// neither reflection nor unsafe memory.
//
//	scan.go      finds the end of a value that arrives in pieces, and counts the
//	             values that open containers still expect
//	check.go     checks the rules of Options, and compares and orders keys of maps
//	describe.go  describes a value and the path to it for errors
//
// The function Fits of package wire decides whether the count in a header is
// accepted.
package syntax
