package msgpack

import (
	"encoding"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// Some types of the standard library have methods that would lose a part of
// their values, or that take more than linear time or memory on hostile input.
// They have forms of their own here. They are known by name, since importing
// their packages would put those into every program; all others follow the rules
// for methods and kinds.

// makeStandardCodec returns the codec of such a type, an empty one for all others.
func (k *compiler) makeStandardCodec(t reflect.Type) codec {
	switch t.PkgPath() {
	case "net":
		if t.Name() == "IP" && t.Kind() == reflect.Slice {
			return k.makeIPCodec(t)
		}
	case "math/big":
		switch t.Name() {
		case "Int":
			return makeBigCodec(t, bigForms{text: true, bin: true}, k.plans.textHeader())
		case "Rat":
			return makeBigCodec(t, bigForms{text: true}, k.plans.textHeader())
		case "Float":
			return makeBigCodec(t, bigForms{bin: true}, k.plans.textHeader())
		}
	}
	return codec{}
}

// makeIPCodec is for net.IP. Its text does not tell the four bytes of an IPv4
// address from the sixteen of the same address, so it is a bin. Text is read,
// too, which is why a str cannot be the bytes.
func (k *compiler) makeIPCodec(t reflect.Type) codec {
	c := k.makeBytesCodec(t)
	binary := c.decode
	text := makePayloadDecoder(t, false, true)
	c.encode = func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
		ip := *mem.At[[]byte](p)
		if ip == nil {
			return wire.AppendNil(dst), nil
		}
		if uint64(len(ip)) > math.MaxUint32 {
			return dst, failed(ErrLimit, t.String())
		}
		return wire.AppendBin(dst, ip), nil
	}
	c.decode = func(d *decoder, p mem.Ptr) error {
		if d.left() > 0 && wire.FormatOf(d.data[d.pos]).Kind() == wire.KindStr {
			return text(d, p)
		}
		return binary(d, p)
	}
	return c
}

// bigForms are those in which a type of math/big is written: the shorter numbers
// as text if it has that form, else as the bytes of GobEncode. A Float's text
// would lose its precision and rounding mode.
type bigForms struct{ text, bin bool }

// A bigNumber is an *Int, *Rat or *Float.
type bigNumber interface {
	encoding.TextAppender
	encoding.TextUnmarshaler
	GobEncode() ([]byte, error)
	GobDecode([]byte) error
}

// maxNumberText is the length of the longest text of a number. Parsing one takes
// time and memory that grow with the square of the length.
const maxNumberText = 1 << 12

// emptyFloat is how many bytes GobEncode makes of a Float whose mantissa it has
// lost, as it does where the precision is less than a word below MaxPrec. An Int
// so short is text.
const emptyFloat = 10

func makeBigCodec(t reflect.Type, forms bigForms, textHeader headerFunc) codec {
	want := t.String()
	return codec{
		func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
			v := heapCopy(t, p).Interface().(bigNumber)
			if forms.text {
				s := scratchPool.Get().(*scratch)
				defer scratchPool.Put(s)
				text, err := v.AppendText(s.buf[:0])
				switch {
				case err != nil:
					return dst, failed(err, want)
				case len(text) <= maxNumberText:
					return append(textHeader(dst, uint32(len(text))), text...), nil
				case !forms.bin:
					return dst, failed(ErrLimit, want)
				}
			}
			b, err := v.GobEncode()
			if err != nil {
				return dst, failed(err, want)
			}
			if len(b) == emptyFloat || uint64(len(b)) > math.MaxUint32 {
				return dst, failed(ErrLimit, want)
			}
			return wire.AppendBin(dst, b), nil
		},
		func(d *decoder, p mem.Ptr) error {
			if d.isNil() {
				mem.Value(t, p).SetZero()
				return nil
			}
			start := d.pos
			b, err := d.bytes(want)
			if err != nil {
				return err
			}
			v := reflect.New(t) // not a copy, to whose precision a Float would be rounded
			if err := forms.parse(v.Interface().(bigNumber), b); err != nil {
				d.pos = start
				return d.fail(err, want)
			}
			mem.Value(t, p).Set(v.Elem())
			return nil
		},
	}
}

// parse sets v from text or, told by its first byte, from what GobEncode made.
func (f bigForms) parse(v bigNumber, b []byte) error {
	switch {
	case f.bin && len(b) > 0 && b[0] < ' ':
		return v.GobDecode(b)
	case len(b) > maxNumberText:
		return ErrLimit
	case !f.bin && slices.ContainsFunc(b, func(c byte) bool { return strings.IndexByte("+-/0123456789", c) < 0 }):
		return ErrMismatch // a Rat with an exponent may be much longer than its text
	}
	return v.UnmarshalText(b)
}
