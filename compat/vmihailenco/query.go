package msgpack

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/octet-go/octet/msgpack/wire"
)

// Query reads a value and returns the values in it at the path, which consists of keys and
// indexes with dots between them, such as "users.0.name". An index * selects all elements.
// Without one, what follows the selected value is not read.
func (d *Decoder) Query(query string) ([]any, error) {
	if d.borrow() {
		defer d.giveBack()
	}
	q := search{Decoder: d}
	err := q.find(query)
	if err != nil {
		return nil, err
	}
	return q.found, nil
}

type search struct {
	*Decoder
	found []any
	all   int // how many * lead to the current value
}

func (q *search) find(path string) error {
	key, rest, _ := strings.Cut(path, ".")
	if key == "" {
		v, err := q.anyValue()
		if err == nil {
			q.found = append(q.found, v)
		}
		return err
	}
	c, err := q.PeekCode()
	if err != nil {
		return err
	}
	switch wire.FormatOf(c).Kind() {
	case wire.KindMap:
		return q.findKey(key, rest)
	case wire.KindArray:
		return q.findIndex(key, rest)
	}
	return fmt.Errorf("msgpack: unsupported code=%x decoding key=%q", c, key)
}

func (q *search) findKey(key, rest string) error {
	n, err := q.DecodeMapLen()
	if err != nil {
		return err
	}
	for i := range n {
		k, err := q.DecodeString()
		if err != nil {
			return err
		}
		if k == key {
			return q.findThen(rest, 2*(n-i-1))
		}
		if err := q.Skip(); err != nil {
			return err
		}
	}
	return nil
}

func (q *search) findIndex(key, rest string) error {
	n, err := q.DecodeArrayLen()
	if err != nil {
		return err
	}
	if key == "*" {
		q.all++
		for range n {
			if err := q.find(rest); err != nil {
				return err
			}
		}
		q.all--
		return nil
	}
	index, err := strconv.Atoi(key)
	if err != nil {
		return err
	}
	for i := range n {
		if i == index {
			return q.findThen(rest, n-i-1)
		}
		if err := q.Skip(); err != nil {
			return err
		}
	}
	return nil
}

// findThen searches the next value, and skips the rest of the container if another element of
// a * follows.
func (q *search) findThen(rest string, after int) error {
	if err := q.find(rest); err != nil || q.all == 0 {
		return err
	}
	for range after {
		if err := q.Skip(); err != nil {
			return err
		}
	}
	return nil
}
