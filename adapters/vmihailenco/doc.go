// Package vmihailenco lets package msgpack of Octet call the methods that types
// have for github.com/vmihailenco/msgpack/v5:
//
//	EncodeMsgpack(*msgpack.Encoder) error
//	DecodeMsgpack(*msgpack.Decoder) error
//
// A program that changes to Octet can keep such methods, and the bytes stay the
// same:
//
//	c := profile.Vmihailenco()
//	c.Types = append(c.Types, vmihailenco.Hooks())
//	codec, err := msgpack.New(c)
//
// The other library encodes and decodes everything that a method passes to its
// Encoder or Decoder, with its limits and its speed. Octet checks each value before
// DecodeMsgpack decodes it, and each result of EncodeMsgpack before the result
// becomes part of a message.
package vmihailenco
