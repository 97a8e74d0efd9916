// Package reference encodes and decodes MessagePack by plain reflection, slowly
// and as obviously as can be. It is the oracle for tests: package msgpack has
// to give the same bytes, the same values, and an error in the same cases.
//
//	ref := reference.MessagePack{Raw: reflect.TypeFor[msgpack.Raw](), Ext: reflect.TypeFor[msgpack.Ext]()}
//	want, err := ref.Marshal(v)
//
// It is not for programs. It does not care about speed or memory, builds the
// whole message as a tree before it looks at the target, resolves the fields of
// a struct anew for every value, and its errors name a reason but no place.
//
// What makes it worth comparing with is that it shares nothing with what it
// checks: neither the byte functions, nor the field rules, nor unsafe. The two
// can be wrong together only where both misread the same rule.
//
// # The rules
//
// Encoding takes the shortest format. Nil pointers, interfaces, slices and maps
// are nil; byte slices and byte arrays are bin, unless the element type has
// methods of its own; complex numbers are arrays of two floats; times are
// timestamps; structs are maps by field name or arrays by position.
//
// Decoding takes what holds the value: any integer format and any integral
// float for an integer, an integer for a float that represents it exactly, str
// and bin for both strings and bytes, a map or an array for a struct. A nil sets
// the zero value. A count has to fit what is left of the message together with
// all that the containers around it still expect.
//
// Time, Raw and Ext come first, then the methods of a type, then its kind. A
// value is refused when it is met: a nil pointer to a type that cannot be
// encoded is nil, and a slice of them that is empty is an empty array.
//
// Where a rule leaves a choice, this is the one taken here:
//
//   - The array that a complex number becomes is a level of nesting, lest what is
//     encoded be refused where it is skipped.
//   - A Raw takes nil like any other value: as the byte c0.
//   - A malformed timestamp is an error wherever it stands, in an Ext or in a
//     value that is skipped too.
//   - A nil for a field of an embedded struct that is not there does not
//     allocate the struct.
//   - The elements of an array are cleared before they are decoded, as those of
//     a slice are.
//   - omitempty leaves out a complex 0 as well, and a -0 like a 0.
//
// The reasons of errors can be compared too, as long as the message by itself is
// valid: the reference reads all of it first, so that a fault in the bytes comes
// before one that only the target makes.
//
// # Where reflection ends
//
// An embedded struct of an unexported type whose tag gives it a name is a field
// that reflection may read and fill but not replace. Its own methods cannot be
// called and a nil cannot clear it: both are [ErrUnsupported] here.
package reference
