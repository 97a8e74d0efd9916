// Package layout implements the messages of the package layout of Octet with
// plain reflection, as simply as possible. Tests use it as an oracle: the
// package layout must produce the same bytes and the same values, refuse the
// same messages and refuse the same declarations.
//
//	ref := layout.Config{Unions: map[reflect.Type]layout.Union{…}}
//	want, err := ref.Marshal(v)
//
// Programs must not use it. It ignores speed and memory. It encodes a message
// repeatedly until all derived numbers are stable, and then decodes it to check
// that it can be read back.
//
// It shares no code with the package that it checks. Both can have the same
// error only if both misinterpret the same rule.
//
// # How a value is encoded
//
// One pass writes all fields and notes where each of them begins and ends.
// Derived numbers have the values that the previous pass computed; in the first
// pass they are zero. After a pass, lengths and counts are computed from the notes. When two passes
// compute the same numbers, a strict pass checks all values, and checksums are
// filled in.
//
// # How a value is decoded
//
// Fields are read one after the other. A length that has been read becomes a
// bound of the fields that it counts: they may not go past it and must end at
// it. A field that takes the rest ends at the nearest bound minus the size of
// the fields between it and that bound.
//
// Where the rules allow a choice, this package makes the following one:
//
//   - Strings of a fixed length lose their trailing fill bytes when decoded,
//     and a string that ends in one is not encoded. Byte slices of a fixed
//     length do so only if the tag has fill; without it they have exactly that
//     length.
//   - Bytes of skip and align are written as zeros and not checked.
//   - When decoded, a number of variable length may have more bytes than needed.
//   - A union has no frame of its own without a prefix or link. Its variant may
//     leave bytes to the fields that follow.
//   - A field with if=more is written if it is not the zero value. An empty
//     slice that is not nil is not the zero value.
//   - Zero elements end a slice with until=zero. Empty slices and strings in
//     them count as zero.
//   - Elements of a slice must take at least one byte.
package layout
