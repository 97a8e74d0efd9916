// Package messages declares messages of real protocols and file formats with the tags of package layout, and has an
// encoder and a decoder written by hand for each of them.
//
// The program bench compares both. They encode the same values to the same bytes and decode equal values from them,
// which the tests of this package check, and the bytes are those of the specification, which vectors from other
// programs and documents show.
//
// The code by hand is what a careful programmer writes for one message and no other. It checks every length before it
// reads, once for each run of fixed fields, and every constant, checksum and value that does not fit. It returns an
// error for any malformed input and does not panic. It uses neither package reflect nor package unsafe, and nothing of
// Octet: only all.go and message.go, which describe the messages to bench, import package layout.
//
// A message is a struct T with two functions:
//
//	func appendT(dst []byte, m *T) ([]byte, error)
//	func decodeT(data []byte, m *T) error
//
// The data of decodeT must be exactly one message. If T has slices of bytes, decodeT has a third parameter, alias, that
// says whether they refer to data or to copies. Strings are always copies, because an alias of bytes that is a string
// needs package unsafe. Like package layout, decodeT sets every field of *m and reuses the memory of slices other than
// slices of bytes.
package messages
