// Package inspect shows MessagePack to people: every value of a stream beside
// its bytes, as a tree of lines or as a JSON object each.
//
//	scan.Scanner → walker → Tree or Lines
//
// The walker turns tokens into nodes. A node knows more than a token: how long
// a container is, and whether a str is UTF-8. To know the length before the
// container is shown, the walker reads a bounded number of values ahead; of a
// container with more values inside, the length stays unknown. A payload is
// kept only as far as it is shown. So memory stays the same for input of any
// size, true or not.
package inspect
