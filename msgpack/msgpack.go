package msgpack

// Marshal returns v in MessagePack. The package comment says which Go values
// become which formats; nil becomes nil.
//
// Errors are of type *[Error]: an unsupported type, nesting beyond [MaxDepth],
// or what a user's method returned.
func Marshal(v any) ([]byte, error) { return defaults.plans.marshal(v) }

// MarshalAppend appends v in MessagePack to dst and returns the extended
// slice. It does not allocate where dst has room, unless a user's method does.
// Room that the result leaves may be written to as well. On error it returns
// dst as it was.
//
// Errors are those of [Marshal].
func MarshalAppend(dst []byte, v any) ([]byte, error) { return defaults.plans.marshalAppend(dst, v) }

// Unmarshal decodes the one value in data into the variable that v points to.
// The package comment says which formats fit which Go types. Bytes after the
// value are an error: see [UnmarshalPrefix].
//
// What is decoded does not share memory with data. It may share memory with
// the rest of what is decoded: whoever keeps a string or a slice of numbers of
// less than 192 bytes, a number in an any, or a string of less than 512 bytes in
// an any, keeps up to 2 KiB of its neighbours.
//
// Errors are of type *[Error]; *v may be partly set then.
func Unmarshal(data []byte, v any) error { return defaults.plans.unmarshalWhole(data, v) }

// UnmarshalPrefix decodes the first value in data like [Unmarshal] and returns
// how many bytes it took, 0 on error. Other values may follow.
func UnmarshalPrefix(data []byte, v any) (n int, err error) { return defaults.plans.unmarshal(data, v) }

// Valid reports whether data is exactly one valid value, without building it:
// complete, nested no deeper than [MaxDepth], with well-formed timestamps and
// nothing behind it. That a str is UTF-8 is not required.
//
// The error, of type *[Error], says where the first fault lies.
func Valid(data []byte) error { return defaults.plans.validate(data) }
