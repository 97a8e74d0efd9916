package layout

import "bytes"

// DecodePlain is UnmarshalPrefix without the fast forms of operations, which must find
// the same values and the same errors.
func DecodePlain(c *Codec, data []byte, v any) (int, error) {
	m, p, err := c.target(v)
	if err == nil {
		m, err = c.plain(m.typ, false)
	}
	if err != nil {
		return 0, err
	}
	return m.decode(data, p)
}

// ReadPlain is Read without the fast forms of operations.
func ReadPlain(c *Codec, data []byte, v any) error {
	m, p, err := c.target(v)
	if err == nil {
		m, err = c.plain(m.typ, false)
	}
	if err == nil {
		_, err = m.read(bytes.NewReader(data), p, nil)
	}
	return err
}
