// Package ugorji lets package msgpack of Octet call the methods that types have for
// github.com/ugorji/go/codec:
//
//	CodecEncodeSelf(*codec.Encoder)
//	CodecDecodeSelf(*codec.Decoder)
//
// A program that changes to Octet can keep such methods, and the bytes stay the
// same:
//
//	c := profile.Ugorji()
//	c.Types = append(c.Types, ugorji.Hooks())
//	codec, err := msgpack.New(c)
//
// The other library encodes and decodes everything that a method passes to its
// Encoder or Decoder, with its limits and its speed. Octet checks each value before
// CodecDecodeSelf decodes it, and each result of CodecEncodeSelf before the result
// becomes part of a message.
package ugorji
