// Package randtype makes random Go types and random values of them, so that
// tests can try what nobody thought of.
//
//	r := randtype.FromSeed(seed)
//	t := r.Type()
//	v := r.Value(t) // a reflect.Value, addressable
//
// The same seed gives the same type and value on every machine. In a fuzz
// target [FromBytes] takes its decisions from the input instead, so that the
// fuzzer can look for the types that matter; input that ends early makes what
// follows small and simple.
//
// Types are made of all kinds that can be encoded: structs with tags, embedded
// structs and shadowed names, slices, arrays, maps with any kind of comparable
// key, pointers, empty interfaces, times, byte strings, complex numbers, and a
// gallery of declared types that reflection cannot make: recursive ones, such
// with methods, such with unexported parts. All tags are well-formed. Types
// that belong to the package under test join as [Leaf].
//
// Values are as extreme as their types allow: nil and empty, NaN and negative
// zero, the integers around every power of two that matters, text that is not
// UTF-8, and now and then a length around 16, 32, 256 or 65536.
//
// [Diff] compares two values as decoding defines equality.
//
// A type that reflection makes is never freed: a test that draws millions of
// them needs much memory.
package randtype
