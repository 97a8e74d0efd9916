// Package msgpack has the names and the behavior of github.com/vmihailenco/msgpack/v5, with
// Octet below. A program changes to it without a change of its code:
//
//	go mod edit -replace github.com/vmihailenco/msgpack/v5=PATH/TO/CLONE/compat/vmihailenco
//
// The module has the path of the library, because Go builds packages below it, such as
// msgpcode, only then. The tests of the library pass with it.
//
// Values of types without methods of the library, interfaces and registered exts are encoded
// and decoded by a Codec of github.com/octet-go/octet/msgpack. Everything else is encoded and
// decoded here, value by value, so that methods can write and read what they like, types can
// be registered for the whole program, and strings interned.
//
// The test TestSpeed compares the time of many calls with that of the library, if OCTET_SPEED=1
// is set.
//
// These things are different:
//   - A value is written with one call of Write. If it cannot be encoded, nothing of it is
//     written, and its strings are not interned.
//   - Values that are nested more than 10,000 levels deep are an error. The library overflows
//     the stack.
//   - Memory is reserved for what was read, never for what a header claims.
//   - What panics there is an error here, or has the obvious result: nil for a time, a key that
//     a Go map cannot hold, a number for an interface with methods, intern on a field that is
//     not a string, nil for a field of an embedded nil pointer to an unexported struct.
//   - A negative length is an error. The library writes a header with another length.
//   - Some messages that the library refuses can be decoded: in a struct, keys that are not
//     strings are skipped, a float without a fraction becomes an integer, an array of numbers a
//     byte slice.
//   - A nil for a pointer to a type with methods sets the pointer to nil, and for a pointer to a
//     nil map or slice with methods the method is called. What the library does depends on which
//     of the types it has seen before. A nil RawMessage is written as nil.
//   - A query with two asterisks finds the values in all elements. After the inner array, the
//     library takes the rest of an element for the next one.
//   - If a message has a key of a struct twice, and both values are slices or arrays, nothing of
//     the elements of the first remains in those of the second. In the library, the second value
//     changes the elements of the first.
//   - While a value is decoded, a [bytes.Reader] or [bytes.Buffer] can stand before it. A method
//     that uses it must get it from [Decoder.Buffered], which moves it to the next byte.
//   - If two fields have the same name, nothing is logged.
//   - UsePreallocateValues and DisableAllocLimit do nothing.
//
// New programs should use github.com/octet-go/octet/msgpack, and programs that are to get rid of
// the old names the command octet-migrate.
package msgpack
