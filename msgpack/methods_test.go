package msgpack_test

import (
	"errors"
	"strconv"
)

// A temperature is text, by a value's methods.
type temperature int

func (c temperature) MarshalText() ([]byte, error) {
	return append(strconv.AppendInt(nil, int64(c), 10), 'C'), nil
}

func (c *temperature) UnmarshalText(text []byte) error {
	if len(text) == 0 || text[len(text)-1] != 'C' {
		return errNoTemperature
	}
	n, err := strconv.Atoi(string(text[:len(text)-1]))
	*c = temperature(n)
	return err
}

var errNoTemperature = errors.New("no temperature")

// A point is binary, by a pointer's methods.
type point struct{ x, y byte }

func (p *point) AppendBinary(dst []byte) ([]byte, error) { return append(dst, p.x, p.y), nil }

func (p *point) UnmarshalBinary(data []byte) error {
	if len(data) != 2 {
		return errNoPoint
	}
	*p = point{data[0], data[1]}
	return nil
}

var errNoPoint = errors.New("no point")
