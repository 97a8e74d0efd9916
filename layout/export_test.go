package layout

import (
	"bytes"
	"sync"

	"github.com/octet-go/octet/internal/mem"
)

// plainMessages has the messages without fast forms by *Codec and reflect.Type, since compiling them takes longer than
// decoding.
var plainMessages sync.Map

type plainKey struct{ codec, typ any }

// plainTarget is target for a message without the fast forms of operations.
func plainTarget(c *Codec, v any) (*message, mem.Ptr, error) {
	m, p, err := c.target(v)
	if err != nil {
		return nil, p, err
	}
	key := plainKey{c, m.typ}
	if plain, ok := plainMessages.Load(key); ok {
		return plain.(*message), p, nil
	}
	if m, err = c.plain(m.typ, false); err == nil {
		plainMessages.Store(key, m)
	}
	return m, p, err
}

// DecodePlain is UnmarshalPrefix without the fast forms of operations, which must find
// the same values and the same errors.
func DecodePlain(c *Codec, data []byte, v any) (int, error) {
	m, p, err := plainTarget(c, v)
	if err != nil {
		return 0, err
	}
	return m.decode(data, p)
}

// ReadPlain is Read without the fast forms of operations.
func ReadPlain(c *Codec, data []byte, v any) error {
	m, p, err := plainTarget(c, v)
	if err == nil {
		_, err = m.read(bytes.NewReader(data), p, nil)
	}
	return err
}
