package msgpack

// Marshal returns the MessagePack encoding of v. The package comment lists the
// format of each Go type; nil is encoded as nil.
//
// Errors are of type *[Error]. The reason is, for example, an unsupported type,
// nesting beyond [MaxDepth], or an error from a method of the value.
func Marshal(v any) ([]byte, error) { return defaults.plans.marshal(v) }

// MarshalAppend appends the MessagePack encoding of v to dst and returns the
// extended slice. It does not allocate if dst has enough capacity, unless a method
// of the value does. It may also write to the free capacity of the result. On error
// it returns dst with its original length.
//
// Errors are those of [Marshal].
func MarshalAppend(dst []byte, v any) ([]byte, error) { return defaults.plans.marshalAppend(dst, v) }

// Unmarshal decodes the only value in data into the variable that v points to.
// The package comment lists the Go types that each format can be decoded into.
// Bytes after the value are an error; use [UnmarshalPrefix] to allow them.
//
// The decoded value does not share memory with data, but small parts of it can
// share memory with each other. A retained string or slice of numbers of less than
// 192 bytes, a retained number in an any, or a retained string of less than 512
// bytes in an any can keep up to 2 KiB of the decoded value alive.
//
// Errors are of type *[Error]. After an error, *v may be partly set.
func Unmarshal(data []byte, v any) error { return defaults.plans.unmarshalWhole(data, v) }

// UnmarshalPrefix decodes the first value in data like [Unmarshal] and returns
// the length of the value, or 0 on error. Other values may follow.
func UnmarshalPrefix(data []byte, v any) (n int, err error) { return defaults.plans.unmarshal(data, v) }

// Valid returns nil if data is exactly one valid value: complete, nested no deeper
// than [MaxDepth], with well-formed timestamps and no bytes after it. It does not
// require a str to be UTF-8, and does not decode the value.
//
// The error is of type *[Error] and has the offset of the first fault.
func Valid(data []byte) error { return defaults.plans.validate(data) }
