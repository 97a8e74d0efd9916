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
// Marshal and Unmarshal process whole messages, [UnmarshalPrefix] and [At] find the end
// of a message in other data, and [Read] and [Write] use a stream. A [Codec] does the
// same with [Options]. A [Typed] is for one type and takes the least time.
//
// [Typed.Describe] draws the bytes of a type:
//
//	Frame: at least 5 bytes
//
//	offset    size  field     form    meaning
//	     0       1  Command   u8      constant 2
//	     1       4  Length    u32 be  length of Items
//	     5  Length  Items     []Item
//	     0       1    ID      u8
//	     1       2    Length  u16 be  length of Data
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
// The width of a number is its length on the wire, in bytes or bits. A link is a
// number that holds the length or count of other fields. The frame of a field is the
// bytes that it may occupy: those of the nearest prefix or link around it, otherwise
// the message. A union is a field of an interface type; another number selects the
// type that it holds.
//
// # Types
//
// A bool is one byte, 0 or 1. Sized integers and floats have the width of the Go
// type. The tag can say another one, also for a bool; int and uint need one. Arrays, slices,
// structs and pointers to structs contain other fields. A nil pointer is an error
// when encoding; decoding allocates. Embedded structs are part of the struct around
// them. Unexported fields need the tag "-". Maps, channels, functions and complex
// numbers are not supported.
//
// A type with the methods of [Appender] and [Decoder] encodes itself. So does a
// type with the methods of [encoding.BinaryAppender] or [encoding.BinaryMarshaler],
// and [encoding.BinaryUnmarshaler], in a field that has a prefix, a fixed length or
// a link, because such a type does not know where it ends. A struct with such methods of an
// embedded field must have no other fields, which they would leave out, and embed no
// pointer or interface, which would be nil when decoding.
//
// # Tags
//
// The key is layout. Options are separated by commas. W is u8, u16, u24, u32, u48,
// u64 or varint; F, A and B are fields; A..B are all fields from A to B.
//
//	be, le                     byte order of the field and of everything inside that states none;
//	                           on a first field _ struct{} with nothing else, of the whole struct
//	order=F                    byte order that the constant of F names
//	u8 … u64, i8 … i64,        number of that width: 8, 16, 24, 32, 40, 48, 56 or 64 bits
//	f32, f64
//	varint, zigzag, sleb128    number of variable width
//	oct=n, dec=n               n bytes of digits, written with leading zeros, and a final NUL if there is room
//	bits=n, msb, lsb, end      bit field; see below
//	prefix=W                   the length in bytes precedes the bytes, slice, struct or union
//	fixed=n, fill=0xNN         n bytes, or n elements
//	cstring, until=0xNN        bytes up to a terminator
//	utf16                      a string in UTF-16
//	count=W                    the number of elements precedes the slice
//	until=zero                 elements up to one that is zero, which is not part of the slice
//	until=end                  everything up to the end of the frame; the same as no option
//	len=F, len=A..B            on a number: the length in bytes of fields
//	len=F*k+c                  the same, if the length is the number times k plus c
//	count=F                    on a number: the number of elements of F
//	count=F*k+c                the same, if the number of elements is the number times k plus c
//	if=F, if=F&m, if=F==n,     the field is present only if the condition is true;
//	if=F!=n                    if repeated, only if all are
//	if=more                    the field is present only if the frame has bytes left
//	switch=F                   on an interface: F selects the type that it holds
//	const=n, const=n|be        the value; if repeated, one of the values
//	magic=TEXT                 constant bytes, with escapes such as \x89
//	skip=n, align=n            on a field _ struct{}: n zeros; zeros up to a multiple of n
//	crc32=A..B, crc32c=,       checksum of a range
//	adler32=, inet=, sum8=, xor8=
//	sum=NAME:A..B              checksum of [Options].Sums
//	max=n                      the largest value, length or number of elements
//	raw=A..B                   on a []byte: the bytes of a range, set when decoding, not written
//	-                          no bytes: the field is not part of the message
//
// An invalid tag is [ErrTag] when the type is used for the first time. So is a tag on a
// field that is not exported, unless it is "-" or the field is an embedded struct. The
// error names the field, and says what is wrong and what to write instead. A type that
// is not supported is [ErrUnsupported].
//
// # Rules
//
// Names are looked up in the struct, then in the structs around it. The value of a
// named field must be known where it is needed: conditions, order and switch need a
// field that comes earlier and is not computed from later bytes.
//
// The rest. A string, []byte or slice without a length takes the rest of its frame,
// up to the fields that follow, whose sizes must be known by then. The variant of a
// union takes only the bytes of its fields, unless one of them takes the rest, or
// the variant is an [Unknown], which takes the rest of the frame of the union.
//
// Lengths count all bytes of a field on the wire, including its prefix and its terminator.
// The bytes of a bit field are those of its run. With k and c, the option computes the
// length from the number: the header length of IPv4 has bits=4,len=Options*4-20, so that 6
// means 4 bytes of options. Several numbers for one length are allowed and must agree. A
// number that says a length or count is never negative, whatever k and c are. If a number
// is absent, the fields whose length only this number holds must be empty, and the range
// that it measures is not a frame. A number in an element of a slice cannot hold the
// length of a field outside the slice. If the number that a union switches on is absent,
// the tag is 0.
//
// Bits. Adjacent bit fields form a run of at most 64 bits, whatever their Go types.
// A run is whole bytes; end closes it early. It is one integer of its width in the
// byte order that applies. With msb, the default for big-endian, the first field has
// the highest bits; with lsb, the default for little-endian, the lowest. So msb with
// be is the order of diagrams in RFCs, and lsb with le is the order of C on a
// little-endian machine:
//
//	 0                   1
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5     A uint8  `layout:"bits=4"`
//	+-------+-----+-----------------+     B uint8  `layout:"bits=3"`
//	|   A   |  B  |        C        |     C uint16 `layout:"bits=9"`
//	+-------+-----+-----------------+
//
// Constants. If the field is zero, and zero is none of the constants, the first
// constant is written. Any other value must be one of the constants; otherwise the error
// is [ErrConst].
//
// Conditions. A field that is absent is set to zero when decoding and must be zero
// when encoding. A field with if=more is written if it is not zero or if other bytes
// follow in its frame. If an earlier number holds its length, this is its frame: it is
// present if the number says more than 0 bytes, and written if it is not zero. A slice is
// also present if an earlier number counts elements in it. A slice that is empty but not
// nil is not zero. A type with methods, and a struct with other conditions in it, counts
// as bytes that follow if it is not zero.
//
// The fill bytes at the end of a string of fixed length are removed when decoding.
// The same holds for a []byte whose tag has fill; without fill, it must have
// exactly that length. A value that ends in a fill byte cannot be encoded. The
// option max limits the length of the Go value. A number in digits may have leading
// spaces, and ends with a NUL, a space or the field.
//
// Blank fields, and the bytes of skip and align, are written as zeros and ignored
// when decoding. Align counts from the start of the message.
//
// Elements of a slice take at least one byte. A slice with until=zero cannot contain
// a zero element. Slices and maps that are empty but not nil count as zero there, and so do pointers
// to zero. Fields of the element with if=F, where F is its first number, are absent if that
// is zero: a list of numbered fields, as in Thrift and BSON, ends with one number. An element
// that cannot be encoded where it is zero is refused: instead of a slice with fixed=n, use an
// array. So is one with the length of fields that have bytes where the element is zero, or that
// conditions on fields outside of it, methods or align can give some: the length would not be 0.
//
// Checksums are computed when everything else is written, each after the checksums
// in its range. A checksum counts its own bytes as zero.
//
// # Decoding
//
// No input causes a panic or an endless loop, and memory is proportional to the
// input: a length is compared with the remaining bytes before memory is allocated. The
// values of slices, pointers and unions take at most 256 bytes for each byte of the
// input, plus 1 MiB, and the raw fields and checksums of recursive structs read at most
// 16, plus 1 MiB. More is [ErrLimit].
// A field that extends past the message is [ErrTruncated]; one that extends past an
// inner frame, or does not fill it, is [ErrLength]. ErrTruncated matches
// [io.ErrUnexpectedEOF]; if there is no input at all, the error matches [io.EOF], too.
// Recursive structs may be nested 512 levels deep; more is [ErrDepth]. A struct that
// always contains another one of its type, such as by a pointer without the option if,
// is [ErrTag].
//
// A number of variable width may have more bytes than it needs, up to 10, as in most
// protocols: 80 00 is 0. It is encoded with the fewest. To refuse other forms, compare
// the length of the message with that of its encoding.
//
// Decoding sets every field of the target. It reuses the memory of slices, except
// slices of bytes, and always allocates the values of pointers and interfaces. Strings
// and []byte of at most 128 bytes share allocations of up to 512 bytes: one that is
// retained can keep so many bytes of the message in memory. After an error, the contents
// of the target are undefined.
//
// # Speed
//
// The aim is, for every message and in processor time: [Typed.Append] takes at most two
// times as long as code written by hand, plus 10 ns, and [MarshalAppend] 5 ns more.
// [Typed.Unmarshal] takes at most 1.5 times as long plus 20 ns, or with
// [Options].AliasInput two times plus 16 ns. A slice of 64 or more elements of fixed size
// takes at most 1.2 times as long. Nothing is allocated but what the value needs.
//
// Not all messages are that fast yet. Those with many short fields or conditions, and
// short messages of fixed size, take longer; so do recursive structs. The directory bench
// compares the messages of 43 protocols and file formats with code by hand:
// go run ./bench -run '^messages/'.
//
// # Not supported
//
// For offsets, use [At]. For expressions, use a type with methods, or compute the
// value before encoding. For unions that depend on later bytes, compression, and
// text encodings other than UTF-8 and UTF-16, use a type with methods. For payloads
// larger than memory, declare the header, and copy the payload from the reader
// after [Read].
package layout
