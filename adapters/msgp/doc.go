// Package msgp lets package msgpack of Octet call the methods that types have for
// github.com/tinylib/msgp:
//
//	EncodeMsg(*msgp.Writer) error
//	DecodeMsg(*msgp.Reader) error
//
// or
//
//	MarshalMsg([]byte) ([]byte, error)
//	UnmarshalMsg([]byte) ([]byte, error)
//
// A program that changes to Octet can keep such methods, and the bytes stay the
// same:
//
//	c := profile.Msgp()
//	c.Types = append(c.Types, msgp.Hooks())
//	codec, err := msgpack.New(c)
//
// The package is for methods that are written by hand, and for generated code that
// must be kept. Without it, Octet ignores these methods, because generated methods
// only encode the fields, and Octet encodes the fields faster itself.
package msgp
