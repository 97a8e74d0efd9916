// Package octetgen writes methods with which packages msgpack and layout encode and decode struct types faster. The command
// octet-gen calls it, and tests call [Current].
//
// Add a comment to each type and to one file of the package:
//
//	//go:generate go run github.com/octet-go/octet/cmd/octet-gen
//
//	//octet:generate
//	type User struct {
//		ID   int64  `msgpack:"id"`
//		Name string `msgpack:"name"`
//	}
//
// Nothing else changes: Marshal, Unmarshal, For, streams and record files use the methods by themselves. The printed
// functions contain only what is usual. They leave everything else, such as keys in another order, unknown keys, or
// invalid input, to the plan that package msgpack compiles from the type, so the results and the errors are the same.
// Types whose tags have changed use that plan until octet-gen is run again.
//
// The tags of the fields of a type say for which package it gets methods. If they have none, the tags of what is in them
// count; without any, it is msgpack. Those for package layout encode and decode whole messages in memory. If a message has
// unions, an expression for a Codec with them follows the comment, as in //octet:generate codec. The methods are then used
// by all Codecs with the same unions.
//
// docs/should-i-generate.md says for which programs this is worth it.
package octetgen
