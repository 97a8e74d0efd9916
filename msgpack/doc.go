// Package msgpack turns Go values into MessagePack and back, as fast as
// generated code and without generating any.
//
// It is for programs that send or store Go values: services, caches, queues.
// Most need two calls:
//
//	data, err := msgpack.Marshal(user)
//	err = msgpack.Unmarshal(data, &user)
//
// To marshal is to turn a Go value into bytes, to unmarshal the reverse. The
// formats are those of the specification, drawn in package
// [github.com/octet-go/octet/msgpack/wire]; a value,
// header, payload or element is meant as it is there.
//
// # From Go to MessagePack
//
// Every value takes the shortest format that holds it.
//
//	Go                               MessagePack
//	nil, nil pointer, nil interface  nil
//	nil slice, nil map               nil (empty ones: array, bin or map of length 0)
//	bool                             bool
//	all ints and uints               int
//	float32, float64                 float 32, float 64
//	complex64, complex128            array of two floats: real part, imaginary part
//	string                           str, its bytes as they are
//	[]byte, [N]byte                  bin
//	other slices and arrays          array
//	map                              map, in no particular order
//	struct                           map from field name to value, in order of declaration
//	time.Time                        timestamp (ext -1)
//	Raw                              the value that it holds
//	Ext                              ext
//	pointer, interface               what it points at or holds
//
// A named type is encoded as the type it is defined by. A type can have methods
// instead, of which the first of these is used: AppendMsgpack ([Appender]),
// MarshalMsgpack ([Marshaler]), those that [Implements] registers, AppendBinary,
// MarshalBinary (each makes a bin), AppendText, MarshalText (each makes a str).
// Methods with a pointer receiver also work for values that have no address. A
// nil pointer is nil; no method is called for it.
//
// Different keys of a Go map may be written as the same value, as int(1) and
// int8(1) in a map[any]int, or two pointers to equal values. That is
// [ErrDuplicateKey] under Config.SortKeys, Canonical and RejectDuplicates.
// Otherwise it is not detected, and the message has the key twice.
//
// Channels, functions, uintptr and unsafe.Pointer are [ErrUnsupported] where a
// value of them occurs, and so is a struct that has unexported fields only and
// no methods of these names: it would lose all it holds. As in encoding/json,
// the methods of an embedded type are those of the outer one, which they may
// not know: a struct that embeds time.Time needs methods of its own.
//
// A type that has hand-written methods of another library, named EncodeMsgpack
// or CodecEncodeSelf, is [ErrUnsupported] too, because such a method may leave out
// what the fields would show; for decoding, so is one with DecodeMsgpack or
// CodecDecodeSelf. Methods of this package for the same direction, Config.Types
// and Config.IgnoreForeignHooks allow it.
//
// Types of the standard library follow these rules, or have a form of their own if
// their methods would lose data or could take too long:
//
//	net.IP                        bin: its bytes; text is read, too
//	net.IPMask, net.HardwareAddr  bin: its bytes
//	net.IPNet, net.TCPAddr, …     map by field
//	netip.Addr                    bin: 4 or 16 bytes, then the zone
//	netip.AddrPort                bin: the address, then the port, little-endian
//	netip.Prefix                  bin: the address, then a byte for the bits
//	big.Int                       str: "-12"; if that is over 4096 bytes, bin: 02, or 03 below zero,
//	                              then the number, big-endian
//	big.Rat                       str: "-3/7" or "5", up to 4096 bytes
//	big.Float                     bin, as of GobEncode: 01; mode<<5 | (accuracy+1)<<3 | form<<1 | sign;
//	                              precision in 4 bytes; if finite, exponent in 4 bytes, then mantissa
//	url.URL                       bin: its text
//	regexp.Regexp                 str: its text, which is compiled as by regexp.Compile
//	slog.Level                    str: "INFO+2"
//	time.Duration                 int: nanoseconds
//	time.Month, time.Weekday      int
//	json.Number                   str
//	json.RawMessage               bin: the JSON text
//	sql.Null, sql.NullString, …   map by field
//	atomic.Bool, Int32, Int64,    bool or int, by Load and Store
//	  Uint32 and Uint64
//	sync.Mutex, atomic.Value, …   ErrUnsupported
//
// # From MessagePack to Go
//
// A value is decoded into any Go type that holds it without loss:
//
//	MessagePack   Go types that take it
//	nil           all: becomes nil, or the zero value of a type that has no nil
//	bool          bool
//	int           all ints and uints that hold it, floats that hold it exactly
//	float         floats; ints and uints if it has no fraction and fits
//	str, bin      string, []byte, [N]byte of that length
//	array         slices, arrays of that length, structs by position, complex of two; []byte of ints
//	map           maps, structs by field name
//	timestamp     time.Time, in UTC
//	any ext       Ext
//	anything      any, Raw, and pointers to what takes it
//
// A float 64 is rounded to the nearest float32, but not to infinity. What does
// not fit is [ErrRange] or [ErrMismatch], never cut off.
//
// An empty interface gets nil, bool, int64 (uint64 above its range), float64,
// string, []byte, []any, time.Time, Ext, and map[string]any, or map[any]any
// where a key is not a str. An interface that holds a non-nil pointer is
// decoded into what it points at.
//
// A slice keeps its memory where that is long enough. A map keeps its entries
// and gets new ones. A struct keeps the fields that the input does not name;
// keys without a field are passed over, and of equal keys the last one counts.
// In array form, missing elements leave their fields alone and surplus ones are
// passed over.
//
// A type that has methods is decoded by them: UnmarshalMsgpack ([Unmarshaler]),
// or else those that [Implements] registers, from any value; otherwise
// UnmarshalBinary from a bin and UnmarshalText from a str, or either of the two
// from both formats if it is the only one. They are called on a copy of the
// variable, which is then assigned back.
//
// # Struct tags
//
//	Field int `msgpack:"name,options"`
//
// The name "-" leaves the field out; "-," is the name "-". The default is the name
// of the field. Options, separated by commas:
//
//	omitempty   left out if false, 0, a nil pointer or interface, or of length 0
//	omitzero    left out if its method IsZero says so, or without one if it is the zero value
//	inline      the fields of this struct, or pointer to one, belong to the outer struct;
//	            a map with strings as keys holds the keys that have no field, both ways
//	required    a map or array that is decoded into the struct must have it: [ErrMissingField]
//	as_array    this struct, or pointer to one, is an array of its fields; all are there
//	set         this map[T]struct{}, or pointer to one, is an array of its keys
//
// On a blank field, _ struct{} `msgpack:",as_array"` puts the whole type in
// array form. Both forms of structs and sets are always decoded. Fields of
// embedded structs are promoted and shadowed as in encoding/json. A tag that is
// misplaced or unknown is an error. The default of a field is what the variable
// holds before it is decoded into.
//
// # Parts of a message
//
// [Get] returns one value from the inside of a message without decoding what
// is around it, and reads no further than it has to. A [View] is of a message
// that has been checked as a whole, and walks through it without allocating.
// What they return are parts of the input, not copies.
//
// # Codecs
//
// [New] makes a [Codec] from a [Config], which changes the rules of this page; the
// zero Config does not change any. A Codec has methods with the names of the
// functions of the package.
//
//	codec, err := msgpack.New(msgpack.Config{
//		TagKeys:       []string{"msgpack", "json"},
//		RejectUnknown: true,
//		MaxElements:   10_000,
//	})
//	err = codec.Unmarshal(data, &user)
//
// Config.Types gives single types forms of their own: [ExtType] makes a Go type an
// ext, [Override] gives another form to a type that cannot be given methods, and
// [Union] lets variables of an interface type hold one of several types, told
// apart by a tag. [Implements] calls the methods that types have for another
// library.
//
// [For] returns an encoder and decoder of one type, for a Codec or for the package.
// They are the fastest way to encode and decode.
//
// # Streams
//
// [MarshalWrite] and [UnmarshalRead] are for one value on an io.Writer or
// io.Reader. [Encoder] and [Decoder] are for one after the other. An Encoder is
// buffered: call [Encoder.Flush] after the last value, or [Encoder.AutoFlush] at the
// start.
//
//	enc := msgpack.NewEncoder(conn)        dec := msgpack.NewDecoder(conn)
//	for _, event := range events {         for event, err := range msgpack.Values[Event](dec) {
//		err = enc.Encode(event)                …
//	}                                      }
//	err = enc.Flush()
//
// A value that does not fit in memory is written and read in parts: its header,
// then as many values as the header announces, each of them whole or in parts. The
// payload of a long str, bin or ext is written and read in pieces. [EncodeSeq] and
// [EncodeSeq2] write the values of an iterator.
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
// A Decoder holds one value in memory at a time, as it arrives: at most four times
// its bytes while the buffer grows, and what it is decoded into. The rules under
// Limits apply to streams too. If the input ends inside a value, the Decoder stops;
// use [Decoder.Tail] for a file that still grows.
//
// # Limits
//
// Containers may be nested 512 deep ([MaxDepth]). Any input is safe: decoding
// takes time linear in its length and memory in proportion to it, whatever its
// headers claim, since the elements announced by a container must fit into the
// bytes that are left along with all that is still owed to the containers
// around it. See SECURITY.md for the bounds. What the methods of a type allocate,
// those of regexp.Regexp for example, comes on top of them.
//
// # Errors
//
// All errors are of type *[Error], with the offset in the input, the path to
// the Go value, what was found and what the target takes; errors.Is finds the
// reason, such as [ErrTruncated]. What an io.Reader or io.Writer returns is passed
// on as it is, and the end of a stream is [io.EOF].
//
// All functions are safe for concurrent use, as long as nobody changes the value
// that is being encoded. An Encoder or Decoder is for one goroutine at a time.
//
// # Other libraries
//
// The folder docs of the repository has migration guides from shamaton/msgpack,
// vmihailenco/msgpack, ugorji/go/codec and tinylib/msgp. They list the calls, the
// tags, and every measured difference in bytes and behavior.
package msgpack
