// Package layout encodes and decodes binary messages that structs declare: network
// protocols and file formats with lengths, counts, checksums, unions, bit fields
// and conditions. Struct tags say how each field is written.
//
//	type Frame struct {
//		Command uint8  `layout:"const=2"`
//		Length  uint32 `layout:"len=Items"`
//		Items   []Item
//	}
//
//	type Item struct {
//		ID     uint8
//		Length uint16 `layout:"len=Data"`
//		Data   []byte
//	}
//
//	b, err := layout.Marshal(&Frame{Items: items})
//	err = layout.Unmarshal(b, &frame)
//
// [Typed.Describe] draws the bytes of a type:
//
//	offset    size  field     form     meaning
//	     0       1  Command   u8       constant 2
//	     1       4  Length    u32 be   length of Items
//	     5  Length  Items     []Item
//	     0       1    ID      u8
//	     1       2    Length  u16 be   length of Data
//	     3  Length    Data    bytes
//
// Lengths, counts, checksums and the tags of unions are computed when a message is
// encoded, whatever their fields hold, and compared when it is decoded. An [Error]
// has the path and the offset:
//
//	layout: Frame.Items[2].Data at offset 17: length 4096 exceeds the 12 bytes left in Items
//
// For data of fixed size without tags, use package binary.
//
// # Words
//
// A number is measured in bytes on the wire, or in bits. The frame of a field is the
// bytes that it may take: those of the nearest prefix or link around it, otherwise
// the message. A link is a number that says how long other fields are. A union is
// an interface whose type another number says.
//
// # Types
//
// A bool is one byte, 0 or 1. Sized integers and floats have the width of the Go
// type, unless the tag has another one; int and uint need one. Arrays, slices,
// structs and pointers to structs contain other fields. A nil pointer is an error
// when encoding; decoding allocates. Embedded structs are part of the struct around
// them. Unexported fields need the tag "-". Maps, channels, functions and complex
// numbers are not supported.
//
// A type with the methods of [Appender] and [Decoder] encodes itself. So does a
// type with the methods of [encoding.BinaryAppender] or [encoding.BinaryMarshaler],
// and [encoding.BinaryUnmarshaler], in a field that has a prefix, a fixed length or
// a link, because such a type does not know where it ends.
//
// # Tags
//
// The key is layout. Options are separated by commas. W is u8, u16, u24, u32, u48,
// u64 or varint; F, A and B are fields; A..B are all fields from A to B.
//
//   - no bytes
//     be, le                     byte order of the field and everything inside that states none;
//     on a first field _ struct{} with nothing else, of the whole struct
//     order=F                    byte order that the constant of F names
//     u8 … u64, i8 … i64,        number of that width: 8, 16, 24, 32, 40, 48, 56 or 64 bits
//     f32, f64
//     varint, zigzag, sleb128    number of variable width
//     oct=n, dec=n               n bytes of digits, written with leading zeros and a final NUL
//     bits=n, msb, lsb, end      bit field; see below
//     prefix=W                   the length in bytes precedes the bytes, slice, struct, union
//     fixed=n, fill=0xNN         n bytes, or n elements
//     cstring, until=0xNN        bytes up to a terminator
//     utf16                      a string in UTF-16
//     count=W                    the number of elements precedes the slice
//     until=zero                 elements up to one that is zero, which is not stored
//     until=end                  everything up to the end of the frame; the same as no option
//     len=F, len=A..B            on a number: the length in bytes of fields
//     len=F*k+c                  the same, if the length is the number times k plus c
//     count=F                    on a number: the number of elements
//     if=F, if=F&m, if=F==n,     the field is there only if that is so
//     if=F!=n
//     if=more                    the field is there only if the frame has bytes left
//     switch=F                   on an interface: F says what it holds
//     const=n, const=n|be        the value; if repeated, one of them
//     magic=TEXT                 constant bytes, with escapes such as \x89
//     skip=n, align=n            on a field _ struct{}: n zeros; zeros up to a multiple of n
//     crc32=A..B, crc32c=,       checksum of a range
//     adler32=, inet=, sum8=, xor8=
//     sum=NAME:A..B              checksum of [Options].Sums
//     max=n                      the largest value, length or number of elements
//     raw=A..B                   on a []byte: the bytes of a range, set when decoding, not written
//
// A wrong tag is [ErrTag] when the type is used for the first time. The error says
// which field it is, what is wrong and what would be right.
//
// # Rules
//
// Names are looked up in the struct, then in the structs around it. A field that a
// name denotes must be known where it is needed: conditions, order and switch need
// an earlier field, and one that is not computed from bytes that come later.
//
// The rest. A string, []byte or slice without a length takes what its frame leaves
// after the fields that follow, whose sizes must be known by then. The variant of a
// union takes what it needs; only a field in it that takes the rest, or an
// [Unknown], takes the rest of the frame of the union.
//
// Lengths count all bytes of a field on the wire, including its prefix and its
// terminator. Several numbers for one length are allowed and must agree. A number
// that is absent measures nothing: what it alone measures must be empty. A number in
// an element of a slice cannot measure a field outside of the slice.
//
// Bits. Adjacent bit fields form a run of at most 64 bits, whatever their Go types.
// A run is whole bytes; end closes it early. It is one integer of its width in the
// byte order in force. With msb, the default for big-endian, the first field has the
// highest bits; with lsb, the default for little-endian, the lowest. So msb with be
// is the drawing in an RFC, lsb with le is C on a little-endian machine:
//
//	 0                   1
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5     A uint8  `layout:"bits=4"`
//	+-------+-----+-----------------+     B uint8  `layout:"bits=3"`
//	|   A   |  B  |        C        |     C uint16 `layout:"bits=9"`
//	+-------+-----+-----------------+
//
// Constants. If the field is zero, the first constant is written. Any other value
// that is not among them is [ErrConst].
//
// Conditions. A field that is absent is set to zero when decoding and must be zero
// when encoding. A field with if=more is written if it is not zero or if something
// follows in its frame. A slice that is empty but not nil is not zero.
//
// Strings of a fixed length lose the fill bytes at their end when decoded, and a
// []byte does if its tag has fill; without fill it must have exactly that length. A
// value that ends in a fill byte cannot be encoded. The option max limits the length
// of the Go value. Numbers in digits may have leading spaces and end in NUL, space or
// with the field.
//
// Blank fields, and what skip and align leave free, are written as zeros and not
// looked at when decoding. Align counts from the start of the message.
//
// Elements of a slice take at least one byte. A zero element cannot stand in a slice
// with until=zero; empty slices count as zero there.
//
// Checksums are computed when everything else is written, each after those in its
// range. A checksum counts its own bytes as zero.
//
// # Decoding
//
// No input makes the package panic, loop or use memory out of proportion: a length is
// compared with the bytes that are there before memory is allocated. What goes past
// the message is [ErrTruncated]; what goes past an inner frame, or does not fill it,
// is [ErrLength]. Pointers, unions and recursive structs may be nested 512 deep.
//
// Decoding sets every field of the target. It reuses the arrays of slices that the
// target has, except those of bytes, and always allocates what pointers and
// interfaces hold. After an error the target has undefined contents.
//
// # Left out
//
// Offsets in tags: use [At]. Expressions: use a type of your own, or compute the
// value before. Unions that look ahead, compression, and encodings of text other
// than UTF-8 and UTF-16: use a type of your own. Payloads larger than memory: declare
// the header, and copy the payload from the reader after [Read].
package layout
