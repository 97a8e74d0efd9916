package msgpack

// Override gives values of type T the form that two functions make, for
// [Config].Types. It is for types that cannot be given methods.
//
// append appends exactly one MessagePack value, which is checked, to dst and
// returns the extended slice, which it must not keep; package
// [github.com/octet-go/octet/msgpack/wire] has functions for it. parse returns
// the Go value for the bytes of one valid value of any kind. They are part of
// the input: parse must not change them, and must copy what it wants to keep.
// An error of either is returned inside an [*Error] that says where.
//
// The functions are used for values of exactly type T wherever they occur, even
// if T has methods, and for what pointers to T point at. If T is a pointer or
// interface type, nil is encoded as nil and decoded from nil without a call.
// Functions for a pointer type are also used for variables of the type that it
// points at; append is given a pointer to a copy. Functions for an interface type
// are used for variables of that type, whatever they hold. A struct that embeds a
// struct T has the fields of T, unless its tag gives T a name. What variables of
// type any become when decoded does not change.
//
// T cannot be any, a pointer to an interface or to a pointer, a function, a type
// of this package, a type that any becomes when decoded, such as []any, or a
// predeclared type other than complex64 and complex128.
func Override[T any](append func(dst []byte, v T) ([]byte, error), parse func(data []byte) (T, error)) TypeCoder {
	f := makeFunctions(append, parse)
	return TypeCoder{func(r *registrar) error { return r.addFunctions(f, makeOverrideCodec) }}
}

func makeOverrideCodec(f *functions) codec {
	return f.codec(asValue("result of the append function for "+f.typ.String()), (*decoder).one)
}
