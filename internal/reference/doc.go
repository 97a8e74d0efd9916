// Package reference implements MessagePack with plain reflection, as simply as
// possible. Tests use it as an oracle: package msgpack must produce the same
// bytes and the same values, and return an error in the same cases.
//
//	ref := reference.MessagePack{Raw: reflect.TypeFor[msgpack.Raw](), Ext: reflect.TypeFor[msgpack.Ext]()}
//	want, err := ref.Marshal(v)
//
// Programs must not use it. It ignores speed and memory, parses the whole
// message into a tree before it uses the target, and resolves the fields of a
// struct again for every value. Its errors state a reason but no position.
//
// It shares no code with the packages that it checks: neither the byte
// functions nor the field rules nor unsafe code. Both can have the same error
// only if both misinterpret the same rule.
//
// # The rules
//
// Encoding uses the shortest format. Nil pointers, interfaces, slices and maps
// are encoded as nil. Byte slices and byte arrays are bin, unless the element
// type has encoding methods. Complex numbers are arrays of two floats, times
// are timestamps, and structs are maps by field name or arrays by position.
//
// Decoding accepts every encoding that holds the value. An integer may be any
// integer format or a float with an integral value. A float may be an integer
// that it represents exactly. Strings and bytes may be str or bin. A struct may
// be a map or an array. A nil sets the zero value. A count must not exceed the
// rest of the message, minus the values that the enclosing containers still
// need.
//
// Time, Raw and Ext are handled first, then the methods of a type, then its
// kind. A value is rejected when it is reached: a nil pointer to an unsupported
// type is encoded as nil, and an empty slice of an unsupported type as an empty
// array.
//
// Where the rules allow a choice, this package makes the following one:
//
//   - The array of a complex number counts as a level of nesting, so that every
//     encoded message can also be skipped.
//   - A Raw accepts nil like any other value: as the byte c0.
//   - A malformed timestamp is always an error, even in an Ext or in a value
//     that is skipped.
//   - A nil for a field of a missing embedded struct does not allocate the
//     struct.
//   - The elements of an array are cleared before they are decoded, like those
//     of a slice.
//   - The option omitempty also omits a complex 0, and treats -0 like 0.
//
// The reasons of errors can be compared too if the message itself is valid. The
// reference parses the whole message first, so it reports an error in the
// message before an error that depends on the target.
//
// # Limits of reflection
//
// An embedded struct of an unexported type whose tag has a name is a field that
// reflection can read and modify but not replace. Its methods cannot be called,
// and nil cannot clear it. Both are [ErrUnsupported] here.
package reference
