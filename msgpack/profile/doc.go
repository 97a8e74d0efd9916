// Package profile has [msgpack.Options] with which programs write the bytes
// that other Go libraries write by default. With them, programs can change to Octet
// one after the other, while the rest still use the old library and exchange the
// same messages and files:
//
//	codec, err := msgpack.New(profile.Vmihailenco())
//
// The forms that only another library writes are in the field Compat. All fields can
// be changed before the Options are given to msgpack.New, for example to add
// TypeCoders:
//
//	o := profile.Vmihailenco()
//	o.Types = append(o.Types, …)
//
// The documentation of each function lists what stays different, and names the version of
// the library that tests compare it with. Most messages of the other libraries are read
// under all Options. Times that a library writes as str or as ext 5, and complex numbers,
// need its profile. A profile also chooses the types of its library for values in
// variables of type any, and what happens to the values that a variable already has.
package profile
