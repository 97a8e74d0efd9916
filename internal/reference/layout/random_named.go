package layout

import (
	"errors"
	"io"
	"reflect"
)

// The variants of the unions of random types. Their tags are in [RandomConfig].
type (
	VariantNumber struct{ N uint16 }
	VariantBytes  struct {
		A string `layout:"prefix=u8"`
		B []byte `layout:"prefix=varint"`
	}
	VariantBits struct {
		A uint8 `layout:"bits=3"`
		B uint8 `layout:"bits=5"`
		C *VariantNumber
	}
	// VariantMode has a field that depends on a number of the struct around it.
	VariantMode struct {
		ID uint16          `layout:"if=Mode"`
		A  []VariantNumber `layout:"count=u8"`
	}
)

// Recursive types, as reflection cannot make them.
type (
	// Tree is recursive by slices. Its leaf depends on a number before its children.
	Tree struct {
		Kind     uint8
		Children []Tree         `layout:"count=u8"`
		Leaf     *VariantNumber `layout:"if=Kind&1"`
	}
	// List is recursive by pointers, and has a length around what follows.
	List struct {
		More bool
		Size uint16 `layout:"len=Text"`
		Next *List  `layout:"if=More"`
		Text string
		Sum  uint8 `layout:"sum8=Size..Text"`
	}
)

// RandomConfig returns the parameters of random types. The type unknown may be
// nil, see [Union].
func RandomConfig(unknown reflect.Type) Config {
	return Config{
		Unions: map[reflect.Type]Union{reflect.TypeFor[any](): {Unknown: unknown, Variants: map[uint64]reflect.Type{
			1: reflect.TypeFor[*VariantNumber](),
			2: reflect.TypeFor[VariantBytes](),
			3: reflect.TypeFor[*VariantBits](),
			7: reflect.TypeFor[*VariantMode](),
		}}},
		Sums: map[string]func([]byte, int, int) uint64{"blank": Blank},
	}
}

// Blank is the named sum of random types: the sum of the bytes, its own bytes
// counted as spaces.
func Blank(data []byte, at, n int) (sum uint64) {
	for i, b := range data {
		if at >= 0 && i >= at && i < at+n {
			b = ' '
		}
		sum += uint64(b)
	}
	return sum & 0xffff
}

type (
	// UserText is a type that finds its own end: a byte with its length, and the
	// text.
	UserText string
	// BinaryText is a type that must be told its length. It may not contain 0xff.
	BinaryText string
)

var errText = errors.New("not a text")

// AppendLayout appends the length and the text.
func (u UserText) AppendLayout(dst []byte) ([]byte, error) {
	if len(u) > 255 {
		return dst, errText
	}
	return append(append(dst, byte(len(u))), u...), nil
}

// DecodeLayout reads the length and the text.
func (u *UserText) DecodeLayout(data []byte) (int, error) {
	if len(data) == 0 || int(data[0]) >= len(data) {
		return 0, io.ErrUnexpectedEOF
	}
	*u = UserText(data[1 : 1+int(data[0])])
	return 1 + int(data[0]), nil
}

// AppendBinary appends the text.
func (b BinaryText) AppendBinary(dst []byte) ([]byte, error) { return append(dst, b...), nil }

// UnmarshalBinary takes the text.
func (b *BinaryText) UnmarshalBinary(data []byte) error {
	for _, c := range data {
		if c == 0xff {
			return errText
		}
	}
	*b = BinaryText(data)
	return nil
}
