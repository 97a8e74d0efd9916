package cases

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"github.com/tinylib/msgp/msgp"
)

// This file contains MessagePack code as a careful programmer writes it by hand for one type. It reads every format
// that a sender may choose, checks every length, and does not use package unsafe. The reading functions take the
// offset of a value and return the offset after it.

var (
	errShort = errors.New("by hand: unexpected end")
	errForm  = errors.New("by hand: wrong type")
	errRange = errors.New("by hand: number out of range")
)

func putInt(b []byte, v int64) []byte {
	switch {
	case v >= 0:
		return putUint(b, uint64(v))
	case v >= -32:
		return append(b, byte(v))
	case v >= math.MinInt8:
		return append(b, 0xd0, byte(v))
	case v >= math.MinInt16:
		return append(b, 0xd1, byte(v>>8), byte(v))
	case v >= math.MinInt32:
		return binary.BigEndian.AppendUint32(append(b, 0xd2), uint32(v))
	}
	return binary.BigEndian.AppendUint64(append(b, 0xd3), uint64(v))
}

func putUint(b []byte, v uint64) []byte {
	switch {
	case v < 1<<7:
		return append(b, byte(v))
	case v < 1<<8:
		return append(b, 0xcc, byte(v))
	case v < 1<<16:
		return append(b, 0xcd, byte(v>>8), byte(v))
	case v < 1<<32:
		return binary.BigEndian.AppendUint32(append(b, 0xce), uint32(v))
	}
	return binary.BigEndian.AppendUint64(append(b, 0xcf), v)
}

func putString(b []byte, s string) []byte {
	switch n := len(s); {
	case n < 32:
		b = append(b, 0xa0|byte(n))
	case n < 1<<8:
		b = append(b, 0xd9, byte(n))
	case n < 1<<16:
		b = append(b, 0xda, byte(n>>8), byte(n))
	default:
		b = binary.BigEndian.AppendUint32(append(b, 0xdb), uint32(n))
	}
	return append(b, s...)
}

func putBool(b []byte, v bool) []byte {
	if v {
		return append(b, 0xc3)
	}
	return append(b, 0xc2)
}

func putFloat(b []byte, v float64) []byte {
	return binary.BigEndian.AppendUint64(append(b, 0xcb), math.Float64bits(v))
}

func putTime(b []byte, t time.Time) []byte {
	seconds, nanoseconds := t.Unix(), uint64(t.Nanosecond())
	switch {
	case uint64(seconds)>>34 != 0:
		b = binary.BigEndian.AppendUint32(append(b, 0xc7, 12, 0xff), uint32(nanoseconds))
		return binary.BigEndian.AppendUint64(b, uint64(seconds))
	case nanoseconds == 0 && uint64(seconds)>>32 == 0:
		return binary.BigEndian.AppendUint32(append(b, 0xd6, 0xff), uint32(seconds))
	}
	return binary.BigEndian.AppendUint64(append(b, 0xd7, 0xff), nanoseconds<<34|uint64(seconds))
}

// mapLength reads the header of a map.
func mapLength(b []byte, i int) (n, next int, err error) {
	if i >= len(b) {
		return 0, 0, errShort
	}
	switch c := b[i]; {
	case c&0xf0 == 0x80:
		return int(c & 0x0f), i + 1, nil
	case c == 0xde && len(b)-i >= 3:
		return int(binary.BigEndian.Uint16(b[i+1:])), i + 3, nil
	case c == 0xdf && len(b)-i >= 5:
		return int(binary.BigEndian.Uint32(b[i+1:])), i + 5, nil
	case c == 0xde || c == 0xdf:
		return 0, 0, errShort
	}
	return 0, 0, errForm
}

// arrayLength reads the header of an array.
func arrayLength(b []byte, i int) (n, next int, err error) {
	if i >= len(b) {
		return 0, 0, errShort
	}
	switch c := b[i]; {
	case c&0xf0 == 0x90:
		return int(c & 0x0f), i + 1, nil
	case c == 0xdc && len(b)-i >= 3:
		return int(binary.BigEndian.Uint16(b[i+1:])), i + 3, nil
	case c == 0xdd && len(b)-i >= 5:
		return int(binary.BigEndian.Uint32(b[i+1:])), i + 5, nil
	case c == 0xdc || c == 0xdd:
		return 0, 0, errShort
	}
	return 0, 0, errForm
}

// textAt returns the offsets of the first byte of a string and after its last byte.
func textAt(b []byte, i int) (from, to int, err error) {
	if i >= len(b) {
		return 0, 0, errShort
	}
	n := 0
	switch c := b[i]; {
	case c&0xe0 == 0xa0:
		from, n = i+1, int(c&0x1f)
	case c == 0xd9 && len(b)-i >= 2:
		from, n = i+2, int(b[i+1])
	case c == 0xda && len(b)-i >= 3:
		from, n = i+3, int(binary.BigEndian.Uint16(b[i+1:]))
	case c == 0xdb && len(b)-i >= 5:
		from, n = i+5, int(binary.BigEndian.Uint32(b[i+1:]))
	case c >= 0xd9 && c <= 0xdb:
		return 0, 0, errShort
	default:
		return 0, 0, errForm
	}
	if n < 0 || n > len(b)-from {
		return 0, 0, errShort
	}
	return from, from + n, nil
}

func getString(b []byte, i int) (s string, next int, err error) {
	from, to, err := textAt(b, i)
	if err != nil {
		return "", 0, err
	}
	return string(b[from:to]), to, nil
}

func getBool(b []byte, i int) (v bool, next int, err error) {
	if i >= len(b) {
		return false, 0, errShort
	}
	switch b[i] {
	case 0xc2:
		return false, i + 1, nil
	case 0xc3:
		return true, i + 1, nil
	}
	return false, 0, errForm
}

// integerSizes contains the payload sizes of the integers from 0xcc to 0xd3.
var integerSizes = [8]int{1, 2, 4, 8, 1, 2, 4, 8}

func getInt(b []byte, i int) (v int64, next int, err error) {
	if i >= len(b) {
		return 0, 0, errShort
	}
	c := b[i]
	if c < 0x80 || c >= 0xe0 {
		return int64(int8(c)), i + 1, nil
	}
	if c < 0xcc || c > 0xd3 {
		return 0, 0, errForm
	}
	i++
	if len(b)-i < integerSizes[c-0xcc] {
		return 0, 0, errShort
	}
	switch c {
	case 0xcc:
		return int64(b[i]), i + 1, nil
	case 0xcd:
		return int64(binary.BigEndian.Uint16(b[i:])), i + 2, nil
	case 0xce:
		return int64(binary.BigEndian.Uint32(b[i:])), i + 4, nil
	case 0xcf:
		if v = int64(binary.BigEndian.Uint64(b[i:])); v < 0 {
			return 0, 0, errRange
		}
		return v, i + 8, nil
	case 0xd0:
		return int64(int8(b[i])), i + 1, nil
	case 0xd1:
		return int64(int16(binary.BigEndian.Uint16(b[i:]))), i + 2, nil
	case 0xd2:
		return int64(int32(binary.BigEndian.Uint32(b[i:]))), i + 4, nil
	}
	return int64(binary.BigEndian.Uint64(b[i:])), i + 8, nil
}

func getFloat(b []byte, i int) (v float64, next int, err error) {
	switch {
	case len(b)-i >= 9 && b[i] == 0xcb:
		return math.Float64frombits(binary.BigEndian.Uint64(b[i+1:])), i + 9, nil
	case len(b)-i >= 5 && b[i] == 0xca:
		return float64(math.Float32frombits(binary.BigEndian.Uint32(b[i+1:]))), i + 5, nil
	}
	n, next, err := getInt(b, i)
	return float64(n), next, err
}

// getTime reads a timestamp of 32, 64 or 96 bits.
func getTime(b []byte, i int) (t time.Time, next int, err error) {
	switch {
	case len(b)-i >= 10 && b[i] == 0xd7 && b[i+1] == 0xff:
		v := binary.BigEndian.Uint64(b[i+2:])
		if v>>34 >= 1e9 {
			return t, 0, errRange
		}
		return time.Unix(int64(v&(1<<34-1)), int64(v>>34)).UTC(), i + 10, nil
	case len(b)-i >= 6 && b[i] == 0xd6 && b[i+1] == 0xff:
		return time.Unix(int64(binary.BigEndian.Uint32(b[i+2:])), 0).UTC(), i + 6, nil
	case len(b)-i >= 15 && b[i] == 0xc7 && b[i+1] == 12 && b[i+2] == 0xff:
		nanoseconds := binary.BigEndian.Uint32(b[i+3:])
		if nanoseconds >= 1e9 {
			return t, 0, errRange
		}
		return time.Unix(int64(binary.BigEndian.Uint64(b[i+7:])), int64(nanoseconds)).UTC(), i + 15, nil
	}
	return t, 0, errForm
}

// skip returns the offset after a value of any kind.
func skip(b []byte, i int) (next int, err error) {
	rest, err := msgp.Skip(b[min(i, len(b)):])
	return len(b) - len(rest), err
}

// startsWith reports whether b has a key at i.
func startsWith(b []byte, i int, key string) bool {
	return len(b)-i >= len(key) && string(b[i:i+len(key)]) == key
}
