package migration

import (
	"errors"
	"time"

	"github.com/ugorji/go/codec"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

// Types that the libraries encode or decode differently. They have tags for all
// libraries.

type (
	point   struct{ X, Y int }
	private struct{ x int }
	myInt   int16
	myByte  uint8

	// A celsius has text methods, an octave has binary methods, and a scale has
	// both.
	celsius int
	octave  int
	scale   int

	emptyFields struct {
		S []int          `msgpack:"s,omitempty" codec:"s,omitempty"`
		M map[string]int `msgpack:"m,omitempty" codec:"m,omitempty"`
		T time.Time      `msgpack:"t,omitempty" codec:"t,omitempty"`
		P point          `msgpack:"p,omitempty" codec:"p,omitempty"`
		A [2]int         `msgpack:"a,omitempty" codec:"a,omitempty"`
	}
	Base     struct{ ID int }
	embedder struct {
		Base
		Name string
	}
	pointerEmbedder struct {
		*Base
		Name string
	}
	shadower struct {
		Base
		ID string
	}
	accented   struct{ Élan int }
	jsonTagged struct {
		A int `json:"a"`
	}
	holder  struct{ V any }
	inlined struct {
		B Base `msgpack:",inline"`
	}
	notInlined struct {
		Base `msgpack:",noinline"`
	}
	aliased struct {
		A int `msgpack:"a,alias:b"`
	}
	interned struct {
		S string `msgpack:"s,intern"`
	}
	dashed struct {
		A int `msgpack:"-" codec:"-"`
		B int
	}
	codecTagged struct {
		A int `codec:"a"`
	}
	foreignArrayForm struct {
		_msgpack struct{} `msgpack:",as_array"` //lint:ignore U1000 vmihailenco reads it
		A        int
		B        string
	}
)

// Types with methods of one library only. Their ext is what vmihailenco writes
// for a registered type; the method returns only the payload.
type (
	selfEncoder struct{ X int }
	selfer      struct{ X int }
	foreignExt  struct{ x byte }
	selfMarshal struct{ x int }
)

func (s *selfEncoder) EncodeMsgpack(e *vmihailenco.Encoder) error { return e.EncodeString("self") }

func (s *selfer) CodecEncodeSelf(e *codec.Encoder) { e.MustEncode("self") }
func (s *selfer) CodecDecodeSelf(*codec.Decoder)   {}

func (f *foreignExt) MarshalMsgpack() ([]byte, error) { return []byte{f.x}, nil }
func (f *foreignExt) UnmarshalMsgpack(b []byte) error { f.x = b[0]; return nil }

func (s selfMarshal) MarshalMsgpack() ([]byte, error) { return []byte("\xa4self"), nil }

func (c celsius) MarshalText() ([]byte, error) { return []byte{'0' + byte(c)}, nil }

func (c *celsius) UnmarshalText(b []byte) error {
	if len(b) != 1 {
		return errors.New("not one digit")
	}
	*c = celsius(b[0] - '0')
	return nil
}

func (o octave) MarshalBinary() ([]byte, error) { return []byte{byte(o)}, nil }

func (o *octave) UnmarshalBinary(b []byte) error {
	if len(b) != 1 {
		return errors.New("not one byte")
	}
	*o = octave(b[0])
	return nil
}

func (s scale) MarshalText() ([]byte, error)    { return celsius(s).MarshalText() }
func (s *scale) UnmarshalText(b []byte) error   { return (*celsius)(s).UnmarshalText(b) }
func (s scale) MarshalBinary() ([]byte, error)  { return octave(s).MarshalBinary() }
func (s *scale) UnmarshalBinary(b []byte) error { return (*octave)(s).UnmarshalBinary(b) }
