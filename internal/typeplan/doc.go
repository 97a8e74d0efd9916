// Package typeplan analyzes a [reflect.Type] for an encoder. It finds the
// fields of a struct, their names, the options in their tags, and their offsets
// in memory.
//
// [Fields] analyzes one struct type:
//
//	s, err := typeplan.Fields(reflect.TypeFor[User](), typeplan.Config{
//		Keys:    []string{"msgpack"},
//		Options: []string{"omitempty", "omitzero", "inline", "as_array"},
//	})
//
// [Walk] visits every type that a type contains. An encoder uses it to find
// types that it cannot encode, with their paths.
//
// A field is promoted if it belongs to an embedded or inlined struct and is
// treated as a field of the outer struct. Its depth is the number of structs
// that it is promoted through. A hop is a pointer to such a struct. The root is
// the type passed to the function.
//
// The functions keep no cache and share no state, so they are safe for
// concurrent use. Callers should cache the results.
package typeplan
