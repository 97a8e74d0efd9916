// Package randtype generates random Go types and random values of them for
// tests.
//
//	r := randtype.FromSeed(seed)
//	t := r.Type()
//	v := r.Value(t) // a reflect.Value, addressable
//
// The same seed produces the same type and value on every machine. In a fuzz
// target, use [FromBytes]: it derives all choices from the input, so that the
// fuzzer can search for interesting types. If the input is used up, the
// remaining choices are the simplest ones.
//
// Types consist of all kinds that can be encoded: structs with tags, embedded
// structs and shadowed names, slices, arrays, maps with every kind of
// comparable key, pointers, empty interfaces, times, byte strings, complex
// numbers, and some declared types that reflection cannot create, such as
// recursive types, types with methods and types with unexported fields. All
// tags are well-formed. Add types of the package under test as a [Leaf].
//
// Values include extreme cases: nil and empty values, NaN and negative zero,
// integers near powers of two, text that is not UTF-8, and some lengths near
// 16, 32, 256 or 65536.
//
// [Diff] compares two values with the equality that decoding preserves.
//
// Types that reflection creates are never freed, so a test that generates
// millions of them needs much memory.
package randtype
