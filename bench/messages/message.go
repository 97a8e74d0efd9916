package messages

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/octet-go/octet/layout"
)

// A Message is a message of a protocol or file format.
type Message struct {
	Name  string
	About string // a few words about what it contains
	Spec  string // the document that defines it, with the section
	Alias bool   // it has slices of bytes, so that there are two ways to decode it
	kind
}

// A kind is a *message[T] of any T.
type kind interface {
	// Open creates values and verifies that layout and the code by hand agree on all of them. The seed selects the
	// values.
	Open(seed uint64) (*Work, error)
}

// Values is the number of different values of a Work.
const Values = 256

// A Loop performs an operation n times, on one value after the other.
type Loop func(n int) error

// A Work is the operations on the values of a message. Each appends to a buffer that is large enough, or decodes into
// a target that it reuses.
type Work struct {
	Size int // mean number of bytes of an encoded value

	AppendTyped    Loop // layout's Typed.Append
	AppendMarshal  Loop // layout's MarshalAppend
	AppendByHand   Loop
	AppendStandard Loop // by calls of encoding/binary, or nil

	DecodeTyped    Loop // layout's Typed.Unmarshal
	DecodePrefix   Loop // layout's UnmarshalPrefix
	DecodeByHand   Loop
	DecodeStandard Loop // by calls of encoding/binary, or nil

	// The same with slices of bytes that refer to the input. In layout, so do strings.
	AliasTyped  Loop
	AliasPrefix Loop
	AliasByHand Loop // nil if the message has no slices of bytes

	Copy Loop // copies the encoded bytes
}

// A message is the implementation of a Message whose values have type T.
type message[T any] struct {
	append func(dst []byte, m *T) ([]byte, error)
	decode func(data []byte, m *T) error
	alias  func(data []byte, m *T, alias bool) error // instead of decode, if T has slices of bytes
	random func(*rand.Rand) *T

	standard *standard[T] // nil for most messages
}

// A standard encodes and decodes a message by calls of encoding/binary.
type standard[T any] struct {
	write func(w *bytes.Buffer, m *T) error
	read  func(r *bytes.Reader, m *T) error
}

// decodeTo decodes by hand.
func (m *message[T]) decodeTo(v *T, data []byte, alias bool) error {
	if m.alias != nil {
		return m.alias(data, v, alias)
	}
	return m.decode(data, v)
}

func (m *message[T]) values(seed uint64, n int) []*T {
	r := rand.New(rand.NewPCG(seed, 0))
	list := make([]*T, n)
	for i := range list {
		list[i] = m.random(r)
	}
	return list
}

// layouts is layout's handles of a type.
type layouts[T any] struct {
	codec, aliasCodec *layout.Codec
	copies, aliases   layout.Typed[T]
}

func layoutsOf[T any]() (l layouts[T], err error) {
	if l.codec, err = layout.New(options(false)); err != nil {
		return l, err
	}
	if l.aliasCodec, err = layout.New(options(true)); err != nil {
		return l, err
	}
	if l.copies, err = layout.For[T](l.codec); err != nil {
		return l, err
	}
	l.aliases, err = layout.For[T](l.aliasCodec)
	return l, err
}

// Open implements kind.
func (m *message[T]) Open(seed uint64) (*Work, error) {
	l, err := layoutsOf[T]()
	if err != nil {
		return nil, err
	}
	values := m.values(seed, Values)
	encoded := make([][]byte, Values)
	w, size := &Work{}, 0
	for i, v := range values {
		if encoded[i], err = m.append(nil, v); err != nil {
			return nil, err
		}
		if err := m.verify(&l, v, encoded[i]); err != nil {
			return nil, fmt.Errorf("value %d: %w", i, err)
		}
		w.Size += len(encoded[i])
		size = max(size, len(encoded[i]))
	}
	w.Size /= Values
	m.encoders(w, &l, values, size)
	m.decoders(w, &l, encoded, size)
	return w, nil
}

// verify checks that all ways to encode v return want, and that all ways to decode want return equal values.
func (m *message[T]) verify(l *layouts[T], v *T, want []byte) error {
	for way, encode := range map[string]func() ([]byte, error){
		"Typed.Append":  func() ([]byte, error) { return l.copies.Append(nil, v) },
		"MarshalAppend": func() ([]byte, error) { return l.codec.MarshalAppend(nil, v) },
		"Marshal":       func() ([]byte, error) { return l.codec.Marshal(v) },
	} {
		if b, err := encode(); err != nil || !bytes.Equal(b, want) {
			return fmt.Errorf("%s: % x, %w, by hand % x", way, b, err, want)
		}
	}
	byHand := new(T)
	if err := m.decodeTo(byHand, want, false); err != nil {
		return fmt.Errorf("by hand: % x: %w", want, err)
	}
	if s := m.standard; s != nil {
		var b bytes.Buffer
		if err := s.write(&b, v); err != nil || !bytes.Equal(b.Bytes(), want) {
			return fmt.Errorf("encoding/binary: % x, %w, by hand % x", b.Bytes(), err, want)
		}
		got := new(T)
		if err := s.read(bytes.NewReader(want), got); err != nil || !reflect.DeepEqual(got, byHand) {
			return fmt.Errorf("encoding/binary: % x: got %+v, %w, by hand %+v", want, got, err, byHand)
		}
	}
	for way, decode := range map[string]func(v *T) error{
		"by hand, aliased":         func(v *T) error { return m.decodeTo(v, want, true) },
		"Typed.Unmarshal":          func(v *T) error { return l.copies.Unmarshal(want, v) },
		"UnmarshalPrefix":          func(v *T) error { _, err := l.codec.UnmarshalPrefix(want, v); return err },
		"Unmarshal":                func(v *T) error { return l.codec.Unmarshal(want, v) },
		"Typed.Unmarshal, aliased": func(v *T) error { return l.aliases.Unmarshal(want, v) },
		"UnmarshalPrefix, aliased": func(v *T) error { _, err := l.aliasCodec.UnmarshalPrefix(want, v); return err },
	} {
		got := new(T)
		if err := decode(got); err != nil {
			return fmt.Errorf("%s: % x: %w", way, want, err)
		}
		if !reflect.DeepEqual(got, byHand) {
			return fmt.Errorf("%s: % x: got %+v, by hand %+v", way, want, got, byHand)
		}
	}
	return nil
}

func (m *message[T]) encoders(w *Work, l *layouts[T], values []*T, size int) {
	buf := make([]byte, 0, 2*size+64)
	w.AppendTyped = func(n int) error {
		for i := range n {
			if _, err := l.copies.Append(buf, values[i%Values]); err != nil {
				return err
			}
		}
		return nil
	}
	w.AppendMarshal = func(n int) error {
		for i := range n {
			if _, err := l.codec.MarshalAppend(buf, values[i%Values]); err != nil {
				return err
			}
		}
		return nil
	}
	w.AppendByHand = func(n int) error {
		for i := range n {
			if _, err := m.append(buf, values[i%Values]); err != nil {
				return err
			}
		}
		return nil
	}
	if s := m.standard; s != nil {
		var b bytes.Buffer
		b.Grow(cap(buf))
		w.AppendStandard = func(n int) error {
			for i := range n {
				b.Reset()
				if err := s.write(&b, values[i%Values]); err != nil {
					return err
				}
			}
			return nil
		}
	}
}

func (m *message[T]) decoders(w *Work, l *layouts[T], encoded [][]byte, size int) {
	typed := func(t layout.Typed[T]) Loop {
		target := new(T)
		return func(n int) error {
			for i := range n {
				if err := t.Unmarshal(encoded[i%Values], target); err != nil {
					return err
				}
			}
			return nil
		}
	}
	prefix := func(c *layout.Codec) Loop {
		target := new(T)
		return func(n int) error {
			for i := range n {
				if _, err := c.UnmarshalPrefix(encoded[i%Values], target); err != nil {
					return err
				}
			}
			return nil
		}
	}
	w.DecodeTyped, w.AliasTyped = typed(l.copies), typed(l.aliases)
	w.DecodePrefix, w.AliasPrefix = prefix(l.codec), prefix(l.aliasCodec)
	target := new(T)
	if m.alias == nil {
		w.DecodeByHand = func(n int) error {
			for i := range n {
				if err := m.decode(encoded[i%Values], target); err != nil {
					return err
				}
			}
			return nil
		}
	} else {
		byHand := func(alias bool) Loop {
			target := new(T)
			return func(n int) error {
				for i := range n {
					if err := m.alias(encoded[i%Values], target, alias); err != nil {
						return err
					}
				}
				return nil
			}
		}
		w.DecodeByHand, w.AliasByHand = byHand(false), byHand(true)
	}
	if s := m.standard; s != nil {
		target, r := new(T), new(bytes.Reader)
		w.DecodeStandard = func(n int) error {
			for i := range n {
				r.Reset(encoded[i%Values])
				if err := s.read(r, target); err != nil {
					return err
				}
			}
			return nil
		}
	}
	buf := make([]byte, size)
	w.Copy = func(n int) error {
		for i := range n {
			copy(buf, encoded[i%Values])
		}
		return nil
	}
}
