package parquet

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"

	"github.com/parquet-go/parquet-go/format"
)

// bounds are the least and the greatest value of a column chunk, with which programs that
// query it skip chunks.
type bounds struct {
	some        bool
	nan         bool   // there is a NaN
	least, most []byte // in the encoding PLAIN, without the length of bytes
}

// maxBound is the longest text that is stored as a bound.
const maxBound = 256

// look adds the values of a page that are in data.
func (b *bounds) look(v *values) {
	switch data := v.data; v.storage {
	case storeBytes:
		b.lookTexts(data)
	case storeBool:
		least, most := byte(1), byte(0)
		for _, c := range data {
			least, most = min(least, c), max(most, c)
		}
		if len(data) > 0 {
			b.add(v, []byte{least}, []byte{most})
		}
	case storeInt32:
		if v.unsigned {
			lookNumbers(b, v, data, 4, func(p []byte) uint32 { return binary.LittleEndian.Uint32(p) })
		} else {
			lookNumbers(b, v, data, 4, func(p []byte) int32 { return int32(binary.LittleEndian.Uint32(p)) })
		}
	case storeInt64:
		if v.unsigned {
			lookNumbers(b, v, data, 8, func(p []byte) uint64 { return binary.LittleEndian.Uint64(p) })
		} else {
			lookNumbers(b, v, data, 8, func(p []byte) int64 { return int64(binary.LittleEndian.Uint64(p)) })
		}
	case storeFloat32:
		lookNumbers(b, v, data, 4, func(p []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(p)) })
	case storeFloat64:
		lookNumbers(b, v, data, 8, func(p []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(p)) })
	}
}

// lookNumbers adds numbers of size bytes. NaN is no bound.
func lookNumbers[T cmp.Ordered](b *bounds, v *values, data []byte, size int, number func([]byte) T) {
	least, most := -1, -1
	var low, high T
	for i := 0; i+size <= len(data); i += size {
		n := number(data[i : i+size])
		if n != n {
			b.nan = true
			continue
		}
		if least < 0 || n < low {
			least, low = i, n
		}
		if most < 0 || n > high {
			most, high = i, n
		}
	}
	if least >= 0 {
		b.add(v, data[least:least+size], data[most:most+size])
	}
}

// add adds two bounds of numbers or bools.
func (b *bounds) add(v *values, least, most []byte) {
	if !b.some || v.compare(least, b.least) < 0 {
		b.least = append(b.least[:0], least...)
	}
	if !b.some || v.compare(most, b.most) > 0 {
		b.most = append(b.most[:0], most...)
	}
	b.some = true
}

// compare compares two numbers or bools.
func (v *values) compare(x, y []byte) int {
	switch v.storage {
	case storeInt32:
		a, b := binary.LittleEndian.Uint32(x), binary.LittleEndian.Uint32(y)
		if v.unsigned {
			return cmp.Compare(a, b)
		}
		return cmp.Compare(int32(a), int32(b))
	case storeInt64:
		a, b := binary.LittleEndian.Uint64(x), binary.LittleEndian.Uint64(y)
		if v.unsigned {
			return cmp.Compare(a, b)
		}
		return cmp.Compare(int64(a), int64(b))
	case storeFloat32:
		return cmp.Compare(math.Float32frombits(binary.LittleEndian.Uint32(x)), math.Float32frombits(binary.LittleEndian.Uint32(y)))
	case storeFloat64:
		return cmp.Compare(math.Float64frombits(binary.LittleEndian.Uint64(x)), math.Float64frombits(binary.LittleEndian.Uint64(y)))
	}
	return bytes.Compare(x, y)
}

// lookTexts adds texts in the encoding PLAIN.
func (b *bounds) lookTexts(data []byte) {
	if len(data) == 0 {
		return
	}
	least, most := b.least, b.most
	for len(data) > 0 {
		end := 4 + int(binary.LittleEndian.Uint32(data))
		text := data[4:end]
		data = data[end:]
		switch {
		case !b.some:
			least, most, b.some = text, text, true
		case bytes.Compare(text, least) < 0:
			least = text
		case bytes.Compare(text, most) > 0:
			most = text
		}
	}
	b.least, b.most = append([]byte{}, least...), append([]byte{}, most...)
}

// statistics returns the bounds as the format has them. A float bound of zero stands for
// both zeros. With a NaN there are none: for DuckDB, NaN is greater than all numbers, and it does
// not find one in a chunk whose bounds are less than what it searches for.
func (b *bounds) statistics(s storage) (statistics format.Statistics) {
	if !b.some || b.nan || len(b.least) > maxBound || len(b.most) > maxBound {
		return statistics
	}
	if s == storeFloat32 || s == storeFloat64 {
		sign := len(b.least) - 1
		if zero := make([]byte, sign+1); bytes.Equal(b.least, zero) {
			b.least[sign] = 0x80
		}
		if negative := append(make([]byte, sign), 0x80); bytes.Equal(b.most, negative) {
			b.most[sign] = 0
		}
	}
	statistics.MinValue, statistics.MaxValue = bytes.Clone(b.least), bytes.Clone(b.most)
	return statistics
}
