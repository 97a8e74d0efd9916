// Package typeplan walks a [reflect.Type] once and says what an encoder has to
// know of it: which fields a struct has, what they are called, which options
// their tags carry, and where they lie in memory.
//
// [Fields] answers for one struct type:
//
//	s, err := typeplan.Fields(reflect.TypeFor[User](), typeplan.Config{
//		Keys:     []string{"msgpack"},
//		Options: []string{"omitempty", "omitzero", "inline", "as_array"},
//	})
//
// [Walk] visits every type that a type is made of, which is how an encoder
// finds what it cannot encode, with the path that leads there.
//
// The words used: a field is promoted when it belongs to an embedded or inlined
// struct and counts as one of the outer struct. Its depth is the number of
// structs it is promoted through. A hop is a pointer to such a struct. The root
// is the type that was asked about.
//
// Nothing is cached and nothing is shared: every call computes its answer from
// the type alone, so any number of goroutines may ask at once. Who asks is
// expected to keep the answer.
package typeplan
