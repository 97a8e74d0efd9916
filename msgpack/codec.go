package msgpack

// A Codec encodes and decodes according to its [Config]. It is immutable, and all
// its methods are safe for concurrent use. Each does what the package function of
// the same name does, and can be used as a function value:
//
//	var marshal func(any) ([]byte, error) = codec.Marshal
//	var unmarshal func([]byte, any) error = codec.Unmarshal
//
// A Codec compiles each Go type on first use and keeps the result, so callers
// should make one Codec and reuse it. The zero Codec cannot be used: see [New].
type Codec struct {
	plans plans
}

// defaults is the codec that implements the functions of the package.
var defaults = Codec{plans{options: defaultOptions}}

// New returns a Codec for c, or an error that names the field of c that is invalid
// and says why. With the zero Config, the Codec does what the functions of the
// package do.
func New(c Config) (*Codec, error) {
	o, err := c.options()
	if err != nil {
		return nil, err
	}
	codec := &Codec{plans{options: o}}
	if err := codec.plans.checkUnions(); err != nil {
		return nil, err
	}
	return codec, nil
}

// Marshal returns the MessagePack encoding of v. See [Marshal].
func (c *Codec) Marshal(v any) ([]byte, error) { return c.plans.marshal(v) }

// MarshalAppend appends the MessagePack encoding of v to dst. See [MarshalAppend].
func (c *Codec) MarshalAppend(dst []byte, v any) ([]byte, error) {
	return c.plans.marshalAppend(dst, v)
}

// Unmarshal decodes the only value in data into the variable that v points to. See
// [Unmarshal].
func (c *Codec) Unmarshal(data []byte, v any) error { return c.plans.unmarshalWhole(data, v) }

// UnmarshalPrefix decodes the first value in data and returns its length. See
// [UnmarshalPrefix].
func (c *Codec) UnmarshalPrefix(data []byte, v any) (n int, err error) {
	return c.plans.unmarshal(data, v)
}

// Valid returns nil if data is exactly one valid value. See [Valid].
func (c *Codec) Valid(data []byte) error { return c.plans.validate(data) }
