package schema

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"time"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/syntax"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// Check reports whether data is one message that follows s. What a program writes from
// the type of the schema follows it, and what follows it can be decoded into the type,
// unless methods of the program or checks of its Options refuse it, a map in a variable of
// type any has keys that a Go map cannot have, or the message has a field that is
// EncodeOnly.
//
// Numbers may have any format that the type decodes without loss. Keys may be missing
// unless they are required, and there may be other keys unless the schema forbids it,
// because messages of older and newer programs differ in both. Everything else is
// exact. An error is of type [*Error].
//
// Check takes time linear in the length of data, and memory that does not depend on it.
func (s *Schema) Check(data []byte) error {
	n, err := s.CheckPrefix(data)
	if err == nil && n < len(data) {
		err = &Error{Offset: int64(n), Err: wire.ErrTrailing}
	}
	return err
}

// CheckPrefix is [Schema.Check] for the first message in data. It returns the length of
// the message.
func (s *Schema) CheckPrefix(data []byte) (n int, err error) {
	// First, so that the checks below find only whole values.
	if n, err = wire.Skip(data, msgpack.MaxDepth); err != nil {
		return 0, fault(data, n, "", err)
	}
	c := checker{data: data[:n], ahead: lookAhead * n}
	if err := c.value(s.Root); err != nil {
		return 0, err
	}
	return n, nil
}

// lookAhead limits the bytes that are read twice to find the tags of unions, as a
// multiple of the length of the message.
const lookAhead = 16

// A checker checks the value at pos of a valid message.
type checker struct {
	data  []byte
	pos   int
	ahead int // what look-ahead may still read
}

// fault returns the error for the value at offset n.
func fault(data []byte, n int, want string, err error) error {
	e := &Error{Offset: int64(n), Path: syntax.PathTo(data, n), Want: want, Err: err}
	if n < len(data) {
		e.Found = syntax.Describe(data[n:])
	}
	return e
}

func (c *checker) mismatch(t *Type) error { return fault(c.data, c.pos, t.String(), ErrKind) }

// skip passes over one value.
func (c *checker) skip() {
	n, _ := wire.Skip(c.data[c.pos:], msgpack.MaxDepth) // the message is valid
	c.pos += n
}

// value checks the value at pos and moves past it. Each level of the schema takes one of
// the message, whose depth was checked.
func (c *checker) value(v Value) error {
	t := v.Type
	h, size, _ := wire.ConsumeHeader(c.data[c.pos:])
	kind := h.Format.Kind()
	if kind == wire.KindNil && (v.Nil || t.Kind <= msgpack.FormOwn) {
		c.pos++
		return nil
	}
	switch t.Kind {
	case msgpack.FormAny, msgpack.FormRaw, msgpack.FormOwn:
		c.skip()
		return nil
	case msgpack.FormArray:
		if kind != wire.KindArray || t.Length >= 0 && uint64(h.Count) != uint64(t.Length) {
			return c.mismatch(t)
		}
		c.pos += size
		for range h.Count {
			if err := c.value(t.Elem); err != nil {
				return err
			}
		}
		return nil
	case msgpack.FormMap:
		if kind != wire.KindMap {
			return c.mismatch(t)
		}
		c.pos += size
		for range h.Count {
			if err := c.value(t.Key); err != nil {
				return err
			}
			if err := c.value(t.Elem); err != nil {
				return err
			}
		}
		return nil
	case msgpack.FormStruct:
		switch {
		case t.AsArray && kind == wire.KindArray:
			return c.elements(t, h, size)
		case !t.AsArray && kind == wire.KindMap:
			return c.fields(t, h, size, "")
		}
		return c.mismatch(t)
	case msgpack.FormUnion:
		return c.union(t, h, size)
	}
	return c.scalar(t, h, size)
}

// scalar checks a value without elements.
func (c *checker) scalar(t *Type, h wire.Header, size int) error {
	kind, at := h.Format.Kind(), c.data[c.pos:]
	ok := false
	switch t.Kind {
	case msgpack.FormBool:
		ok = kind == wire.KindBool
	case msgpack.FormInt, msgpack.FormUint, msgpack.FormFloat, msgpack.FormNumber:
		if ok = kind == wire.KindInt || kind == wire.KindFloat; ok && !inRange(t, at) {
			return fault(c.data, c.pos, t.String(), wire.ErrRange)
		}
	case msgpack.FormStr:
		ok = kind == wire.KindStr && (t.Length < 0 || uint64(h.Payload) == uint64(t.Length))
	case msgpack.FormBin:
		ok = kind == wire.KindBin && (t.Length < 0 || uint64(h.Payload) == uint64(t.Length))
	case msgpack.FormExt:
		ok = kind == wire.KindExt && (t.AnyExt || h.Ext == t.Ext)
		if ok && h.Ext == wire.TimestampType {
			_, _, err := wire.ParseTimestamp(at[size : size+int(h.Payload)])
			ok = err == nil
		}
	case msgpack.FormTime:
		ok = isTime(t.Time, kind, at)
	}
	if !ok {
		return c.mismatch(t)
	}
	c.pos += size + int(h.Payload)
	return nil
}

// isTime reports whether a value is a time in the form, or a timestamp.
func isTime(form msgpack.TimeForm, kind wire.Kind, at []byte) bool {
	switch {
	case kind == wire.KindExt:
		_, _, err := wire.ConsumeTime(at)
		return err == nil
	case form == msgpack.TimeRFC3339 && kind == wire.KindStr:
		s, _, _ := wire.ConsumeString(at)
		var t time.Time
		return t.UnmarshalText(s) == nil
	case form > msgpack.TimeRFC3339 && kind == wire.KindInt:
		_, _, err := wire.ConsumeInt(at)
		return err == nil
	}
	return false
}

// inRange reports whether the number at the start of b fits a type of numbers without
// loss, apart from the rounding of a float 64 to 32 bits.
func inRange(t *Type, b []byte) bool {
	if h, _, _ := wire.ConsumeHeader(b); h.Format.Kind() == wire.KindFloat {
		f, _, _ := wire.ConsumeFloat64(b)
		switch t.Kind {
		case msgpack.FormFloat:
			return t.Bits == 64 || math.IsInf(f, 0) || !math.IsInf(float64(float32(f)), 0)
		case msgpack.FormNumber:
			return true
		case msgpack.FormUint:
			return f == math.Trunc(f) && f >= 0 && f < math.Ldexp(1, t.Bits)
		}
		return f == math.Trunc(f) && f >= -math.Ldexp(1, t.Bits-1) && f < math.Ldexp(1, t.Bits-1)
	}
	i, _, err := wire.ConsumeInt(b)
	u := uint64(i)
	if err != nil { // above the range of int64
		u, _, _ = wire.ConsumeUint(b)
	}
	negative := err == nil && i < 0
	switch t.Kind {
	case msgpack.FormInt:
		return err == nil && i>>(t.Bits-1) == i>>63
	case msgpack.FormUint:
		return !negative && (t.Bits == 64 || u>>t.Bits == 0)
	case msgpack.FormFloat:
		if negative {
			u = -u
		}
		mantissa := 53
		if t.Bits == 32 {
			mantissa = 24
		}
		return bits.Len64(u)-bits.TrailingZeros64(u) <= mantissa
	}
	return true
}

// elements checks a struct that is an array.
func (c *checker) elements(t *Type, h wire.Header, size int) error {
	n, fields := uint64(h.Count), uint64(len(t.Fields))
	if t.ExactArrays && n != fields {
		return fault(c.data, c.pos, t.String()+" of "+errtext.Counted(len(t.Fields), "element"), msgpack.ErrLength)
	}
	for i := n; i < fields; i++ {
		if t.Fields[i].Required {
			return fault(c.data, c.pos, "element "+strconv.FormatUint(i, 10)+", "+strconv.Quote(t.Fields[i].Name), ErrKey)
		}
	}
	c.pos += size
	for i := range n {
		if i >= fields {
			c.skip()
		} else if err := c.value(t.Fields[i].Value); err != nil {
			return err
		}
	}
	return nil
}

// fields checks a struct that is a map. tag is the key of the tag of the union around
// it, which is not a field.
func (c *checker) fields(t *Type, h wire.Header, size int, tag string) error {
	start := c.pos
	var few [4]uint64 // for up to 256 fields, without an allocation
	seen := few[:]
	if len(t.Fields) > 64*len(few) {
		seen = make([]uint64, len(t.Fields)/64+1)
	}
	c.pos += size
	next := 0 // most messages have the order of the fields
	for range h.Count {
		key := c.pos
		c.skip()
		i := t.find(c.data[key:c.pos], next)
		switch {
		case i >= 0:
			next = i + 1
			seen[i/64] |= 1 << (i % 64)
			if err := c.value(t.Fields[i].Value); err != nil {
				return err
			}
		case tag != "" && isKey(c.data[key:c.pos], tag):
			c.skip()
		case t.Rest:
			if h, _, _ := wire.ConsumeHeader(c.data[key:]); h.Format.Kind() != wire.KindStr {
				return fault(c.data, key, "str", ErrKey)
			}
			if err := c.value(t.Elem); err != nil {
				return err
			}
		case t.RejectUnknown:
			return fault(c.data, key, t.String(), msgpack.ErrUnknownField)
		default:
			c.skip()
		}
	}
	for i := range t.Fields {
		if f := &t.Fields[i]; f.Required && seen[i/64]>>(i%64)&1 == 0 {
			return fault(c.data, start, "key "+strconv.Quote(f.Name), ErrKey)
		}
	}
	return nil
}

// find returns the index of the field that a key stands for, or -1. It tries next first.
func (t *Type) find(key []byte, next int) int {
	var room [20]byte // for the longest integer
	text, ok := keyText(key, t.IntegerKeys, room[:0])
	switch {
	case !ok:
		return -1
	case next < len(t.Fields) && string(text) == t.Fields[next].Name:
		return next
	}
	for i := range t.Fields {
		if t.Fields[i].has(text) {
			return i
		}
	}
	return -1
}

// has reports whether name is a key of the field. The name, which can be a long one of a
// message, is not copied.
func (f *Field) has(name []byte) bool {
	return f.Name == string(name) || slices.ContainsFunc(f.Aliases, func(alias string) bool { return alias == string(name) })
}

// keyText returns the text of a str or, for integers, the number in decimal, which it
// appends to room. ok is false for other keys.
func keyText(key []byte, integers bool, room []byte) (text []byte, ok bool) {
	if !integers {
		text, _, err := wire.ConsumeString(key)
		return text, err == nil
	}
	if h, _, err := wire.ConsumeHeader(key); err != nil || h.Format.Kind() != wire.KindInt {
		return nil, false
	}
	if i, _, err := wire.ConsumeInt(key); err == nil {
		return strconv.AppendInt(room, i, 10), true
	}
	u, _, err := wire.ConsumeUint(key)
	return strconv.AppendUint(room, u, 10), err == nil
}

// isKey reports whether a key is a str with the given text.
func isKey(key []byte, name string) bool {
	s, _, err := wire.ConsumeString(key)
	return err == nil && string(s) == name
}

// union checks a union.
func (c *checker) union(t *Type, h wire.Header, size int) error {
	start, kind := c.pos, h.Format.Kind()
	if t.Discriminator == "" {
		if kind != wire.KindArray || h.Count != 2 {
			return c.mismatch(t)
		}
		c.pos += size
		v := t.variant(c.data[c.pos:])
		if v == nil {
			return fault(c.data, c.pos, "tag of "+t.String(), msgpack.ErrVariant)
		}
		c.skip()
		return c.value(v.Value)
	}
	if kind != wire.KindMap {
		return c.mismatch(t)
	}
	c.pos += size
	for range h.Count {
		if c.ahead < 0 {
			return fault(c.data, start, t.String()+" whose tags come first", wire.ErrLimit)
		}
		key := c.pos
		c.skip()
		if !isKey(c.data[key:c.pos], t.Discriminator) {
			c.skip()
			c.ahead -= c.pos - key
			continue
		}
		v := t.variant(c.data[c.pos:])
		if v == nil {
			return fault(c.data, c.pos, "tag of "+t.String(), msgpack.ErrVariant)
		}
		c.pos = start
		if v.Type.Kind != msgpack.FormStruct {
			return c.mismatch(t)
		}
		return c.fields(v.Type, h, size, t.Discriminator)
	}
	return fault(c.data, start, "key "+strconv.Quote(t.Discriminator), ErrKey)
}

// variant returns the variant whose tag is at the start of b, or nil.
func (t *Type) variant(b []byte) *Variant {
	s, _, notText := wire.ConsumeString(b)
	n, _, notInt := wire.ConsumeInt(b)
	for i := range t.Variants {
		switch tag := t.Variants[i].Tag.(type) {
		case string:
			if notText == nil && string(s) == tag {
				return &t.Variants[i]
			}
		case int64:
			if notInt == nil && n == tag {
				return &t.Variants[i]
			}
		}
	}
	return nil
}

// String returns a short text for people, such as "int of 32 bits" or "User".
func (t *Type) String() string {
	switch t.Kind {
	case msgpack.FormOwn:
		return t.Name
	case msgpack.FormInt, msgpack.FormUint, msgpack.FormFloat:
		return t.Kind.String() + " of " + strconv.Itoa(t.Bits) + " bits"
	case msgpack.FormStr, msgpack.FormBin:
		s := t.Kind.String()
		if t.Checked {
			s += " (" + t.Name + ")"
		}
		if t.Length >= 0 {
			s += " of " + strconv.Itoa(t.Length) + " bytes"
		}
		return s
	case msgpack.FormTime:
		return "time (" + timeForms[t.Time] + ")"
	case msgpack.FormExt:
		if t.AnyExt {
			return "ext"
		}
		return "ext of type " + strconv.Itoa(int(t.Ext))
	case msgpack.FormArray:
		s := "array"
		if t.Set {
			s = "set"
		}
		if t.Length >= 0 {
			s += " of " + errtext.Counted(t.Length, "element")
		}
		return s
	}
	if t.Name != "" {
		return t.Kind.String() + " " + t.Name
	}
	return t.Kind.String()
}
