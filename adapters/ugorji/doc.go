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
// Everything that a method encodes or decodes with its Encoder or Decoder is
// handled by the other library, with its limits and its speed. Octet checks each
// message before a CodecDecodeSelf sees it, and each result of a CodecEncodeSelf
// before it becomes part of a message.
package ugorji
