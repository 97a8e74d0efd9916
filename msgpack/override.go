package msgpack

// Override encodes and decodes values of type T with two functions, for
// [Config].Types. It is for types to which methods cannot be added.
//
// append appends exactly one MessagePack value to dst and returns the extended
// slice, which it must not keep. The result is checked. Package
// [github.com/octet-go/octet/msgpack/wire] has functions that append values. parse
// returns the Go value for the bytes of one valid value of any kind. The bytes are
// part of the input: parse must not modify them, and must copy those that it keeps.
// An [*Error] wraps the errors of both functions and adds the path.
//
// The functions are used for all values of exactly type T, even if T has methods,
// and for values that pointers to T point to. If T is a pointer or interface type,
// nil is encoded as nil and decoded from nil without a call. Functions for a
// pointer type are also used for variables of the type that it points to; append
// then receives a pointer to a copy. Functions for an interface type are used for
// variables of that type, whatever they hold. A struct that embeds a struct T has
// the fields of T, unless its tag gives T a name. Override does not change what
// Unmarshal stores in an any.
//
// T cannot be any, a pointer to an interface or to a pointer, a function, a type
// of this package, a type that Unmarshal stores in an any, such as []any, or a
// predeclared type other than complex64 and complex128.
func Override[T any](append func(dst []byte, v T) ([]byte, error), parse func(data []byte) (T, error)) TypeCoder {
	f := makeFunctions(append, parse)
	return TypeCoder{func(r *registrar) error { return r.addFunctions(f, makeOverrideCodec) }}
}

func makeOverrideCodec(f *functions) codec {
	return f.codec(asValue("result of the append function for "+f.typ.String()), (*decoder).rawValue)
}
