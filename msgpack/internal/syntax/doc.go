// Package syntax walks over MessagePack bytes without building Go values: it
// finds the end of a value, checks it against rules, and says what and where
// something is. It is the layer between the single values of package wire and the
// Go types of package msgpack, and uses neither reflection nor unsafe memory.
//
//	scan.go      the end of a value that arrives in pieces
//	check.go     the rules of a Config
//	key.go       when keys of maps are equal, and their order
//	ledger.go    what open containers still expect
//	path.go      the path to an offset
//	describe.go  what a value is, for errors
//
// Whether a header is believed is decided by Fits of package wire.
package syntax
