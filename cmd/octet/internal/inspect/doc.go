// Package inspect prints every value of a MessagePack stream next to its bytes,
// as a tree of lines or as JSON objects.
//
//	scan.Scanner → walker → tree or lines
//
// The walker converts tokens to nodes. A node has information that a token
// lacks: the length of a container, and whether a str is valid UTF-8. To know
// the length of a container before printing it, the walker reads a limited
// number of values ahead. The length of a larger container stays unknown. Only
// the part of a payload that is printed is kept in memory, so memory use has a
// fixed limit for every input, including malformed input.
package inspect
