// Command octet converts between JSON and MessagePack, shows the bytes of
// MessagePack files, and queries, checks and compares files of both formats.
//
//	octet convert   converts streams of JSON values to MessagePack, or back
//	octet inspect   shows every value of MessagePack files next to its bytes
//	octet get       prints the values at a path
//	octet query     runs a program in the language of jq
//	octet stat      counts values and bytes by path and format
//	octet diag      writes MessagePack as lossless text, and reads it back
//	octet fmt       rewrites values in the shortest or canonical form
//	octet types     writes types for Go, TypeScript or Python
//	octet lint      finds long formats, duplicate keys and malformed values
//	octet diff      compares two files by value
//	octet schema    prints, compares and checks schemas of messages
//	octet page      writes the inspector, a page for the browser
//	octet serve     serves the inspector at an address of this computer
//	octet array     shows, converts and compares arrays of numbers
//	octet record    shows, joins, divides and repairs record files
//
// Each command prints its documentation and examples with --help.
package main

import "github.com/octet-go/octet/cmd/octet/internal/command"

func main() { command.Main(run) }
