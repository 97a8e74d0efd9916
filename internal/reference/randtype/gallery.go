package randtype

import (
	"errors"
	"reflect"
	"strconv"
)

// gallery lists declared types that reflection cannot create.
var gallery = []reflect.Type{
	reflect.TypeFor[Octets](),
	reflect.TypeFor[Tree](),
	reflect.TypeFor[Forest](),
	reflect.TypeFor[Dictionary](),
	reflect.TypeFor[Person](),
	reflect.TypeFor[Celsius](),
	reflect.TypeFor[[]Digit](),
	reflect.TypeFor[[2]Digit](),
	reflect.TypeFor[Point](),
	reflect.TypeFor[Version](),
	reflect.TypeFor[Level](),
}

type (
	// An Octet is a named byte type, and Octets is a byte string.
	Octet  uint8
	Octets []Octet

	// Tree, Forest and Dictionary contain themselves.
	Tree struct {
		Left  *Tree `msgpack:",omitempty"`
		Right *Tree `msgpack:"r"`
		Value int
	}
	Forest     []Forest
	Dictionary map[string]Dictionary

	// Person embeds structs by value, by pointer and with unexported types, and
	// has names that shadow others.
	Person struct {
		name
		*Address
		Other  Address `msgpack:",as_array"`
		Street string
		secret int //lint:ignore U1000 encoders must skip this field
	}
	name struct {
		First, Last string
		Street      int
	}
	Address struct {
		Street string
		Number uint16 `msgpack:"no,omitzero"`
		Last   bool
	}

	// Celsius is encoded as text by methods of the value.
	Celsius int32
	// Digit is a byte that is encoded as text, so a slice of Digits is not a
	// byte string.
	Digit uint8
	// Point is encoded as binary by methods of the pointer.
	Point struct{ X, Y int8 }
	// Version has methods for MessagePack.
	Version struct{ Major, Minor uint8 }
	// Level has an IsZero method.
	Level struct{ N int16 }
)

var errMalformed = errors.New("randtype: malformed")

func (c Celsius) MarshalText() ([]byte, error) {
	return append(strconv.AppendInt(nil, int64(c), 10), "°C"...), nil
}

func (c *Celsius) UnmarshalText(text []byte) error {
	if len(text) < len("°C") {
		return errMalformed
	}
	n, err := strconv.ParseInt(string(text[:len(text)-len("°C")]), 10, 32)
	*c = Celsius(n)
	return err
}

func (d Digit) AppendText(dst []byte) ([]byte, error) { return append(dst, byte(d)), nil }

func (d *Digit) UnmarshalText(text []byte) error {
	if len(text) != 1 {
		return errMalformed
	}
	*d = Digit(text[0])
	return nil
}

func (p *Point) AppendBinary(dst []byte) ([]byte, error) {
	return append(dst, byte(p.X), byte(p.Y)), nil
}

func (p *Point) UnmarshalBinary(data []byte) error {
	if len(data) != 2 {
		return errMalformed
	}
	*p = Point{int8(data[0]), int8(data[1])}
	return nil
}

func (v Version) AppendMsgpack(dst []byte) ([]byte, error) {
	return append(dst, 0x92, 0xcc, v.Major, 0xcc, v.Minor), nil
}

func (v *Version) UnmarshalMsgpack(data []byte) error {
	if len(data) == 1 && data[0] == 0xc0 {
		*v = Version{}
		return nil
	}
	if len(data) != 5 || data[0] != 0x92 || data[1] != 0xcc || data[3] != 0xcc {
		return errMalformed
	}
	*v = Version{data[2], data[4]}
	return nil
}

func (l *Level) IsZero() bool { return l.N <= 0 }
