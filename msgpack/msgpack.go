package msgpack

import "github.com/octet-go/octet/msgpack/wire"

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
// share memory with each other. A retained string, or slice of values without pointers,
// of less than 192 bytes, a retained pointer to such a string or to a number, a retained number in
// an any, or a retained string of less than 512 bytes in an any can keep up to 2 KiB of
// the decoded value alive.
//
// Errors are of type *[Error]. After an error, *v may be partly set.
func Unmarshal(data []byte, v any) error {
	_, err := defaults.plans.unmarshal(nil, data, v, false)
	return err
}

// UnmarshalPrefix decodes the first value in data like [Unmarshal] and returns
// the length of the value, or 0 on error. Other values may follow.
func UnmarshalPrefix(data []byte, v any) (n int, err error) {
	return defaults.plans.unmarshal(nil, data, v, true)
}

// Valid returns nil if data is exactly one valid value: complete, nested no deeper
// than [MaxDepth], with well-formed timestamps and no bytes after it. It does not
// require a str to be UTF-8, and does not decode the value.
//
// The error is of type *[Error] and has the offset of the first fault. If a header claims
// more than there is, a malformed value after it is the fault, as it is for a [Decoder],
// which does not know the end of its input.
func Valid(data []byte) error { return defaults.plans.validate(data) }

// Raw is one encoded value of any kind. Encoding checks that it is exactly one
// valid value and writes it unchanged. Decoding copies the bytes of the value. A
// nil or empty Raw is encoded as nil.
type Raw []byte

// Ext is a value of an extension type. Types from 0 to 127 are for applications;
// the specification reserves negative types. Any ext can be decoded into an Ext,
// including a timestamp. The decoded Data is a copy.
type Ext struct {
	Type int8
	Data []byte
}

// Appender is implemented by types that encode themselves. The method appends
// exactly one valid value to dst and returns the extended slice, which it must
// not keep.
type Appender interface {
	AppendMsgpack(dst []byte) ([]byte, error)
}

// Marshaler is implemented by types that encode themselves. The method returns
// exactly one valid value.
type Marshaler interface {
	MarshalMsgpack() ([]byte, error)
}

// Unmarshaler is implemented by types that decode themselves. The argument is one
// valid value, which is part of the input: the method must not modify the bytes,
// and must copy those that it keeps.
type Unmarshaler interface {
	UnmarshalMsgpack(data []byte) error
}

// MaxDepth is the default limit for the nesting of arrays and maps. A value that is
// nested more deeply is [ErrDepth].
const MaxDepth = wire.MaxDepth

// A Codec encodes and decodes according to its [Options]. It is immutable, and all
// its methods are safe for concurrent use. Each does what the package function of
// the same name does, and can be used as a function value:
//
//	var marshal func(any) ([]byte, error) = codec.Marshal
//	var unmarshal func([]byte, any) error = codec.Unmarshal
//
// A Codec compiles each Go type on first use and keeps the result, so callers
// should make one Codec and reuse it. The zero Codec and a nil *Codec do what the
// functions of the package do.
type Codec struct {
	plans plans
}

// defaults is the codec that implements the functions of the package.
var defaults = Codec{plans{policy: defaultPolicy}}

// New returns a Codec for o. If a field of o is invalid, the error is [ErrOptions];
// its text names the field and says why. With the zero Options, the Codec does what
// the functions of the package do.
func New(o Options) (*Codec, error) {
	p, err := o.check()
	if err != nil {
		return nil, err
	}
	c := &Codec{plans{policy: p}}
	if err := c.plans.checkUnions(); err != nil {
		return nil, err
	}
	return c, nil
}

// orDefault returns the plans of c, or those of the package if c is nil. The plans of
// a zero Codec are replaced later, where that costs nothing: see [plans.orDefault].
func (c *Codec) orDefault() *plans {
	if c == nil {
		c = &defaults
	}
	return &c.plans
}

// ready returns the plans of c, or those of the package if c is nil or the zero Codec.
func (c *Codec) ready() *plans { return c.orDefault().orDefault() }

// Options returns the Options of c. Changes of the result, and of the slices in it,
// do not affect c.
func (c *Codec) Options() Options { return c.ready().Options.clone() }

// Marshal returns the MessagePack encoding of v. See [Marshal].
func (c *Codec) Marshal(v any) (b []byte, err error) {
	b, err = c.orDefault().marshal(v) // a return statement with the call would not be inlined
	return b, err
}

// MarshalAppend appends the MessagePack encoding of v to dst. See [MarshalAppend].
func (c *Codec) MarshalAppend(dst []byte, v any) (b []byte, err error) {
	b, err = c.orDefault().marshalAppend(dst, v)
	return b, err
}

// Unmarshal decodes the only value in data into the variable that v points to. See
// [Unmarshal].
func (c *Codec) Unmarshal(data []byte, v any) (err error) {
	_, err = c.orDefault().unmarshal(nil, data, v, false)
	return err
}

// UnmarshalPrefix decodes the first value in data and returns its length. See
// [UnmarshalPrefix].
func (c *Codec) UnmarshalPrefix(data []byte, v any) (n int, err error) {
	n, err = c.orDefault().unmarshal(nil, data, v, true)
	return n, err
}

// Valid returns nil if data is exactly one valid value. See [Valid].
func (c *Codec) Valid(data []byte) error { return c.orDefault().validate(data) }
