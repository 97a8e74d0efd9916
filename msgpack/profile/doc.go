// Package profile has Options of package msgpack with which programs write the bytes
// that other Go libraries write by default. With them, programs can change to Octet
// one after the other, while the rest still use the old library and exchange the
// same messages and files:
//
//	codec, err := msgpack.New(profile.Vmihailenco())
//
// Options can be changed before it is given to msgpack.New, for example to add
// TypeCoders:
//
//	c := profile.Vmihailenco()
//	c.Types = append(c.Types, …)
//
// The documentation of each function lists what stays different. Tests compare the
// profiles with the libraries. All messages of the other libraries are read by every
// Options; the profiles also choose their types for values in variables of type any.
package profile
