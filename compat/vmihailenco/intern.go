package msgpack

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"

	"github.com/octet-go/octet/msgpack/wire"
	"github.com/vmihailenco/msgpack/v5/msgpcode"
)

// An interned string is an ext of this type, whose payload is the number of the string in
// the dictionary.
const internedID = -128

const (
	minInterned = 3              // the length of the shortest string that is interned
	maxDict     = math.MaxUint16 // strings that are interned
)

// encodeInterned writes the number of s if it is in the dictionary, and otherwise s, which it
// adds to the dictionary if add is true.
func (e *Encoder) encodeInterned(s string, add bool) error {
	if i, ok := e.dict[s]; ok {
		switch {
		case i < 0 || int64(i) > math.MaxUint32:
			return fmt.Errorf("msgpack: interned string index=%d is too large", i)
		case i <= math.MaxUint8:
			return e.put(append(e.buf, msgpcode.FixExt1, 0x80, byte(i)))
		case i <= math.MaxUint16:
			return e.put(binary.BigEndian.AppendUint16(append(e.buf, msgpcode.FixExt2, 0x80), uint16(i)))
		}
		return e.put(binary.BigEndian.AppendUint32(append(e.buf, msgpcode.FixExt4, 0x80), uint32(i)))
	}
	if add && len(s) >= minInterned && len(e.dict) < maxDict {
		if e.dict == nil {
			e.dict = map[string]int{}
		}
		e.dict[s] = len(e.dict)
		e.news = append(e.news, interned{e.dict, s})
	}
	if uint64(len(s)) > math.MaxUint32 {
		return errLength
	}
	return e.put(wire.AppendString(e.buf, s))
}

// An interned is a string that was added to a dictionary.
type interned struct {
	dict map[string]int
	s    string
}

// forget removes the strings that were not written, because the reader will not know them.
func (e *Encoder) forget() {
	for _, n := range e.news {
		delete(n.dict, n.s)
	}
	clear(e.news)
	e.news = e.news[:0]
}

// decodeInterned reads a str, which it adds to the dictionary if add is true, or the number of
// one.
func (d *Decoder) decodeInterned(add bool) (string, error) {
	c, err := d.PeekCode()
	if err != nil {
		return "", err
	}
	if isInternedHeader(c) {
		id, n, err := d.DecodeExtHeader()
		if err != nil {
			return "", err
		}
		if id != internedID {
			return "", fmt.Errorf("msgpack: got ext type=%d, wanted %d", id, internedID)
		}
		return d.internedString(n)
	}
	if !isText(c) {
		if _, err := d.next(); err != nil {
			return "", err
		}
		return "", codeError{c, "interned string"}
	}
	s, err := d.plainString()
	if err == nil && add && len(s) >= minInterned && len(d.dict) < maxDict {
		d.dict = append(d.dict, s)
	}
	return s, err
}

func isInternedHeader(c byte) bool {
	return c == msgpcode.FixExt1 || c == msgpcode.FixExt2 || c == msgpcode.FixExt4
}

// isText reports whether c begins a str, a bin or nil, which are all decoded as a string.
func isText(c byte) bool { return c == msgpcode.Nil || msgpcode.IsString(c) || msgpcode.IsBin(c) }

// internedString reads the payload of the ext, and returns the string.
func (d *Decoder) internedString(n int) (string, error) {
	if n != 1 && n != 2 && n != 4 {
		return "", fmt.Errorf("msgpack: unsupported ext len=%d decoding interned string", n)
	}
	b, err := d.take(n)
	if err != nil {
		return "", err
	}
	i := uint64(0)
	for _, b := range b {
		i = i<<8 | uint64(b)
	}
	if i >= uint64(len(d.dict)) {
		return "", fmt.Errorf("msgpack: interned string at index=%d does not exist", i)
	}
	return d.dict[i], nil
}

// decodeInternedInto decodes into a field with the tag option intern.
func (d *Decoder) decodeInternedInto(v reflect.Value) error {
	if v.Kind() == reflect.Interface {
		c, err := d.PeekCode()
		if err != nil {
			return err
		}
		if !isText(c) && !isInternedHeader(c) {
			return decodeInterface(d, v)
		}
	}
	s, err := d.decodeInterned(true)
	if err != nil {
		return err
	}
	if v.Kind() == reflect.String {
		v.SetString(s)
		return nil
	}
	return set(v, s)
}
