// Package msgpack encodes Go values as MessagePack and decodes them. It is about
// as fast as generated code, without a code generator.
//
// It is for programs that send or store Go values, such as services, caches and
// queues. Most programs need two calls:
//
//	data, err := msgpack.Marshal(user)
//	err = msgpack.Unmarshal(data, &user)
//
// Marshal turns a Go value into bytes, and Unmarshal turns bytes into a Go value.
// Package [github.com/octet-go/octet/msgpack/wire] shows the formats of the
// specification and defines the words value, header, payload and element, which
// have the same meaning here.
//
// # From Go to MessagePack
//
// Every value is written in the shortest format that can hold it.
//
//	Go                               MessagePack
//	nil, nil pointer, nil interface  nil
//	nil slice, nil map               nil (empty ones: array, bin or map of length 0)
//	bool                             bool
//	all ints and uints               int
//	float32, float64                 float 32, float 64
//	complex64, complex128            array of two floats: real part, imaginary part
//	string                           str, with its bytes unchanged
//	[]byte, [N]byte                  bin
//	other slices and arrays          array
//	map                              map, in no particular order
//	struct                           map from field name to value, in declaration order
//	time.Time                        timestamp (ext -1)
//	Raw                              the value that it holds
//	Ext                              ext
//	pointer, interface               the value that it points to or holds
//
// A named type is encoded like its underlying type, unless it has methods that
// encode it. If it has several, the first of this list is used: AppendMsgpack
// ([Appender]), MarshalMsgpack ([Marshaler]), the methods that [Implements]
// registers, AppendBinary, MarshalBinary (both write a bin), AppendText,
// MarshalText (both write a str). MarshalBinary and MarshalText precede the Append
// method of a struct that is embedded deeper, such as a time.Time. Methods with a pointer
// receiver are also used for values that are not addressable. A nil pointer is written as
// nil, without a call of its methods.
//
// Two keys of a Go map can have the same encoding, for example int(1) and int8(1)
// in a map[any]int, or two pointers to equal values. This is [ErrDuplicateKey] if
// Options.SortKeys, Canonical or RejectDuplicates is set. Otherwise it is not
// detected, and the message contains the key twice.
//
// Values of type chan, func, uintptr and unsafe.Pointer cannot be encoded; the
// error is [ErrUnsupported]. The same holds for a struct that has only unexported
// fields and none of these methods, because all of its data would be lost. As in
// encoding/json, the methods of an embedded type are promoted to the outer struct,
// and they do not encode its other fields. A struct that embeds time.Time
// therefore needs its own methods. Methods that two embedded types have are not
// promoted; it is then an error if one of them is a struct without exported fields.
//
// Types with hand-written methods of another library, named EncodeMsgpack or
// CodecEncodeSelf, are [ErrUnsupported] too, because such a method may hide fields
// on purpose. For decoding, the same holds for DecodeMsgpack and CodecDecodeSelf.
// To allow such a type, give it methods of this package for that direction, list
// it in Options.Types, or set Options.IgnoreForeignHooks.
//
// Types of the standard library follow these rules, except for the types below
// whose methods would lose data or could take too long, and for uuid.UUID of Go 1.27,
// which is encoded like the UUID types of other packages:
//
//	net.IP                        bin: its bytes (text is also decoded)
//	net.IPMask, net.HardwareAddr  bin: its bytes
//	net.IPNet, net.TCPAddr, …     map by field
//	netip.Addr                    bin: 4 or 16 bytes, then the zone
//	netip.AddrPort                bin: the address, then the port, little-endian
//	netip.Prefix                  bin: the address, then one byte with the prefix length
//	big.Int                       str: "-12"; if the text exceeds 4096 bytes, bin: 02, or 03 if
//	                              negative, then the absolute value, big-endian
//	big.Rat                       str: "-3/7" or "5", up to 4096 bytes
//	big.Float                     bin, the format of GobEncode: 01; mode<<5 | (accuracy+1)<<3 | form<<1 | sign;
//	                              precision in 4 bytes; if finite, exponent in 4 bytes, then mantissa
//	uuid.UUID                     bin: its 16 bytes (text is also decoded)
//	url.URL                       bin: its text
//	regexp.Regexp                 str: its text; regexp.Compile decodes it
//	slog.Level                    str: "INFO+2"
//	time.Duration                 int: nanoseconds
//	time.Month, time.Weekday      int
//	json.Number                   str
//	json.RawMessage               bin: the JSON text
//	sql.Null, sql.NullString, …   map by field
//	atomic.Bool, Int32, Int64,    bool or int, accessed with Load and Store
//	  Uint32 and Uint64
//	sync.Mutex, atomic.Value, …   ErrUnsupported
//
// # From MessagePack to Go
//
// A value can be decoded into any Go type that holds it without loss:
//
//	MessagePack   Go types
//	nil           all: becomes nil, or the zero value of a type that has no nil
//	bool          bool
//	int           all ints and uints in range, floats that represent it exactly
//	float         floats; ints and uints if it has no fraction and is in range
//	str, bin      string, []byte, [N]byte of that length
//	array         slices, arrays of that length, structs by position, complex of two; []byte of ints
//	map           maps, structs by field name
//	timestamp     time.Time, in UTC
//	any ext       Ext
//	anything      any, Raw, and pointers to a type in this table
//
// A float 64 is rounded to the nearest float32, but never to infinity. A value
// that does not fit is [ErrRange] or [ErrMismatch]; it is never truncated.
//
// A variable of type any receives nil, bool, int64 (uint64 for larger integers),
// float64, string, []byte, []any, time.Time, Ext, and map[string]any, or
// map[any]any if a key is not a str. If an interface holds a non-nil pointer, the
// value is decoded into the variable that it points to.
//
// A slice is reused if its capacity suffices. Its elements, and those of arrays, count
// as zero, but what they refer to is reused in the same way: slices, the variables of
// pointers, and maps of up to 64 entries. As with encoding/json, a program that keeps
// such a part of an earlier result and decodes into the same variable finds it changed,
// and if two elements share a part, such as after v[0] = v[1], the value decoded last
// is in both. Elements beyond the old length of a slice are new. Entries are added to an existing
// map, and the variable that a pointer points to is decoded into.
//
// In a struct, fields that the input does not contain are unchanged, keys
// without a field are skipped, and if a key appears more than once, the last value
// wins. In array form, fields of missing elements are unchanged, and surplus
// elements are skipped.
//
// A type with methods is decoded by the first of these: UnmarshalMsgpack
// ([Unmarshaler]) or the methods that [Implements] registers, which accept any
// value; UnmarshalBinary, which accepts a bin; UnmarshalText, which accepts a str.
// If a type has only one of the last two, it accepts both formats. Methods are
// called on a copy of the variable, which is then assigned back.
//
// # Struct tags
//
//	Field int `msgpack:"name,options"`
//
// The name "-" omits the field; "-," sets the name "-". Without a name, the key is
// the name of the field. Options are separated by commas:
//
//	omitempty   omits the field if it is false, 0, a nil pointer or interface, or of length 0
//	omitzero    omits the field if its method IsZero returns true, or, if it has no such
//	            method, if it is the zero value
//	inline      treats the fields of this struct, or pointer to a struct, as fields of the outer
//	            struct; a map with string keys holds the keys that match no field
//	required    decoding fails with [ErrMissingField] if the input lacks the field; encoding
//	            never omits it, and writes nil for one behind an embedded nil pointer
//	as_array    encodes this struct, or pointer to a struct, as an array of all its fields
//	set         encodes this map[T]struct{}, or pointer to one, as an array of its keys
//	alias=name  decodes the field from this key, too; it is never written, and may be repeated
//	keyasint    the name is an integer, and so is the key: `msgpack:"1,keyasint"`
//
// If one field has the option keyasint, all fields of the struct must have it. The keys
// are written in the shortest format, and decoded from every format of an int. A struct
// of six fields takes 1.0 times as long as with names of one letter, in both directions
// (BenchmarkEncodeKeys and BenchmarkDecodeKeys of the tests). Aliases cost nothing in
// structs that have none.
//
// The tag of a blank field, _ struct{} `msgpack:",as_array"`, selects the array form
// for the whole type. Both forms of structs and sets are always decoded. Fields of
// embedded structs are promoted and shadowed as in encoding/json, but a nil for a field
// behind an embedded nil pointer leaves the pointer nil. An unknown or misplaced option
// is an error, and so is a tag other than "-" on an unexported field. To give a field a
// default value, set it before decoding.
//
// # Parts of a message
//
// [Get] returns one value from inside a message. It does not decode the values
// around it, and reads no further than necessary. A [View] checks the whole message
// first and then gives access to its parts without allocating. Both return parts of
// the input, not copies.
//
// # Codecs
//
// [New] makes a [Codec] from [Options], which change the rules on this page; the
// zero Options change none of them. A Codec has a method for each function of the
// package, with the same name.
//
//	codec, err := msgpack.New(msgpack.Options{
//		TagKeys:       []string{"msgpack", "json"},
//		RejectUnknown: true,
//		MaxElements:   10_000,
//	})
//	err = codec.Unmarshal(data, &user)
//
// Options.Types changes how individual types are encoded: [ExtType] encodes a Go
// type as an ext, [Override] encodes a type to which methods cannot be added, and
// [Union] encodes an interface that holds one of several types, together with a
// tag that identifies the type. [Implements] calls the methods that types have for
// another library.
//
// [For] returns an encoder and decoder of one type, for a Codec or for the package.
// They are the fastest way to encode and decode.
//
// # Streams
//
// [MarshalWrite] writes one value to an io.Writer, and [UnmarshalRead] reads one
// value from an io.Reader. An [Encoder] writes and a [Decoder] reads a sequence of
// values. An Encoder is buffered: call [Encoder.Flush] after the last value, or
// [Encoder.AutoFlush] at the start.
//
//	enc := msgpack.NewEncoder(conn)        dec := msgpack.NewDecoder(conn)
//	for _, event := range events {         for event, err := range msgpack.Values[Event](dec) {
//		err = enc.Encode(event)                …
//	}                                      }
//	err = enc.Flush()
//
// A value that does not fit in memory is written and read in parts: first its
// header, then as many values as the header announces. Each of these can be in
// parts again. The payload of a long str, bin or ext is written and read in pieces.
// [EncodeSeq] and [EncodeSeq2] write the values of an iterator.
//
//	err = enc.WriteMapHeader(2)            n, err := dec.ReadMapHeader()
//	err = enc.WriteString("rows")          key, err := dec.ReadString()
//	err = enc.WriteArrayHeader(1e9)        n, err = dec.ReadArrayHeader()
//	for … {                                for range n {
//		err = enc.Encode(row)                  err = dec.Decode(&row)
//	}                                      }
//	err = enc.WriteString("file")          key, err = dec.ReadString()
//	err = enc.WriteBytesHeader(size)       header, payload, err := dec.ReadPayload()
//	_, err = io.Copy(enc, file)            _, err = io.Copy(file, payload)
//
// A Decoder holds one encoded value in memory at a time. While its buffer grows, it
// takes at most four times the length of that value, besides the decoded result.
// The rules under Limits apply to streams too. If the input ends inside a value, the
// Decoder stops; use [Decoder.Tail] for a file that still grows.
//
// # Limits
//
// Containers can be nested up to 512 levels deep ([MaxDepth]). Decoding is safe for
// any input: time and memory are linear in its length, whatever its headers claim.
// A container is refused if the rest of the input is too short for its elements and
// for those that the containers around it still expect. SECURITY.md lists the
// bounds. They do not include memory that methods of a type allocate, such as those
// of regexp.Regexp.
//
// # Errors
//
// All errors are of type *[Error]. They contain the offset in the input, the path to
// the Go value, what was found and what was wanted. Use errors.Is to test for a
// reason such as [ErrTruncated]. Errors from an io.Reader or io.Writer are returned
// unchanged. The errors of [New] are [ErrOptions].
//
// The end of a stream is [io.EOF]. Input that ends inside a value is ErrTruncated,
// which matches [io.ErrUnexpectedEOF] but not io.EOF. Empty input is ErrTruncated and
// matches both. If a method of a type, or a reader inside a value, returns an error
// that matches io.EOF, the *Error that contains it does not. A loop that ends at io.EOF
// therefore never ends before the input does.
//
// All functions are safe for concurrent use, provided that a value is not modified
// while it is being encoded. An Encoder or Decoder must not be used by several
// goroutines at the same time, and not by the methods of a value that it encodes or
// decodes.
//
// # Other libraries
//
// The docs folder of the repository has migration guides for shamaton/msgpack,
// vmihailenco/msgpack, ugorji/go/codec and tinylib/msgp. They list the calls, the
// tags, and every measured difference in bytes and behavior.
package msgpack
