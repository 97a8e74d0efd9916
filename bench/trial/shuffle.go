package trial

import (
	"math/rand/v2"
	"slices"

	"github.com/tinylib/msgp/msgp"
)

// A change makes another message with the same value.
type change func(r *rand.Rand, message []byte) ([]byte, error)

// extended returns a message with one more key in the outermost map, after all others.
func extended(_ *rand.Rand, message []byte) ([]byte, error) {
	n, rest, err := msgp.ReadMapHeaderBytes(message)
	if err != nil {
		return nil, err
	}
	return append(append(msgp.AppendMapHeader(nil, n+1), rest...), "\xa7unknown\x01"...), nil
}

// swapped returns a message whose outermost map has its last two entries in the opposite order, so that a decoder that
// expects another order finds out late.
func swapped(_ *rand.Rand, message []byte) ([]byte, error) {
	n, rest, err := msgp.ReadMapHeaderBytes(message)
	if err != nil || n < 2 {
		return message, err
	}
	var starts []int
	for range n {
		starts = append(starts, len(message)-len(rest))
		for range 2 {
			if rest, err = msgp.Skip(rest); err != nil {
				return nil, err
			}
		}
	}
	before, last := starts[n-2], starts[n-1]
	return slices.Concat(message[:before], message[last:], message[before:last]), nil
}

// shuffled returns a message with the entries of all its maps in another order, as other programs write them.
func shuffled(r *rand.Rand, message []byte) ([]byte, error) {
	out, _, err := shuffle(r, nil, message)
	return out, err
}

// shuffle appends the first value of data to dst, and returns the rest of data.
func shuffle(r *rand.Rand, dst, data []byte) (out, rest []byte, err error) {
	switch msgp.NextType(data) {
	case msgp.ArrayType:
		n, rest, err := msgp.ReadArrayHeaderBytes(data)
		dst = append(dst, data[:len(data)-len(rest)]...)
		for range n {
			if err == nil {
				dst, rest, err = shuffle(r, dst, rest)
			}
		}
		return dst, rest, err
	case msgp.MapType:
		n, rest, err := msgp.ReadMapHeaderBytes(data)
		dst = append(dst, data[:len(data)-len(rest)]...)
		var entries [][]byte
		for range n {
			if err != nil {
				return nil, nil, err
			}
			var value, key []byte
			if value, err = msgp.Skip(rest); err != nil {
				return nil, nil, err
			}
			key = rest[: len(rest)-len(value) : len(rest)-len(value)]
			var entry []byte
			entry, rest, err = shuffle(r, append([]byte(nil), key...), value)
			entries = append(entries, entry)
		}
		r.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
		for _, e := range entries {
			dst = append(dst, e...)
		}
		return dst, rest, err
	}
	rest, err = msgp.Skip(data)
	if err != nil {
		return nil, nil, err
	}
	return append(dst, data[:len(data)-len(rest)]...), rest, nil
}
