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
// Everything that a method encodes or decodes with its Encoder or Decoder is
// handled by the other library, with its limits and its speed. Octet checks each
// message before a DecodeMsgpack sees it, and each result of an EncodeMsgpack
// before it becomes part of a message.
package vmihailenco
