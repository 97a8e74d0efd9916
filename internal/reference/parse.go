package reference

import (
	"fmt"
	"math"
	"math/big"
)

type kind int

const (
	nilKind kind = iota
	boolKind
	intKind
	floatKind
	strKind
	binKind
	arrayKind
	mapKind
	extKind
)

func (k kind) String() string {
	return [...]string{"nil", "bool", "int", "float", "str", "bin", "array", "map", "ext"}[k]
}

// A value is one value of a message and its elements.
type value struct {
	kind     kind
	encoded  []byte // the whole value
	header   []byte // of an array or map: the bytes before the elements
	boolean  bool
	integer  *big.Int
	float    float64
	content  []byte // of a str, bin or ext
	ext      int8
	elements []value // of an array; of a map: alternately keys and values
	nesting  int     // number of nested containers, including this one
	sortable bool    // is or contains a map with at least two entries
}

// parseAll parses data, which must contain exactly one value.
func (m MessagePack) parseAll(data []byte) (value, error) {
	p := parser{data: data, maxDepth: m.maxDepth()}
	v := p.value(0)
	if p.err == nil && p.pos < len(data) {
		p.err = fmt.Errorf("%w: %d bytes", ErrTrailing, len(data)-p.pos)
	}
	return v, p.err
}

// A parser reads data. After an error, all results are zero.
type parser struct {
	data     []byte
	pos      int
	owed     uint64 // number of values that the enclosing containers still need
	maxDepth int
	err      error
}

func (p *parser) value(depth int) (v value) {
	start := p.pos
	b := byte(p.uint(1))
	if p.err != nil {
		return v
	}
	switch {
	case b <= 0x7f:
		v = integer(big.NewInt(int64(b)))
	case b <= 0x8f:
		v = p.container(mapKind, uint64(b-0x80), start, depth)
	case b <= 0x9f:
		v = p.container(arrayKind, uint64(b-0x90), start, depth)
	case b <= 0xbf:
		v = value{kind: strKind, content: p.take(uint64(b - 0xa0))}
	case b >= 0xe0:
		v = integer(big.NewInt(int64(b) - 0x100))
	default:
		v = p.formatByte(b, start, depth)
	}
	v.encoded = p.data[start:p.pos]
	return v
}

// formatByte reads the rest of a value whose first byte b is from c0 to df.
func (p *parser) formatByte(b byte, start, depth int) (v value) {
	switch b {
	case 0xc0:
		return value{kind: nilKind}
	case 0xc1:
		p.fail(ErrReserved)
	case 0xc2, 0xc3:
		return value{kind: boolKind, boolean: b == 0xc3}
	case 0xc4, 0xc5, 0xc6:
		return value{kind: binKind, content: p.take(p.uint(1 << (b - 0xc4)))}
	case 0xc7, 0xc8, 0xc9:
		return p.extension(p.uint(1 << (b - 0xc7)))
	case 0xca:
		return value{kind: floatKind, float: float64(math.Float32frombits(uint32(p.uint(4))))}
	case 0xcb:
		return value{kind: floatKind, float: math.Float64frombits(p.uint(8))}
	case 0xcc, 0xcd, 0xce, 0xcf:
		return integer(new(big.Int).SetUint64(p.uint(1 << (b - 0xcc))))
	case 0xd0:
		return integer(big.NewInt(int64(int8(p.uint(1)))))
	case 0xd1:
		return integer(big.NewInt(int64(int16(p.uint(2)))))
	case 0xd2:
		return integer(big.NewInt(int64(int32(p.uint(4)))))
	case 0xd3:
		return integer(big.NewInt(int64(p.uint(8))))
	case 0xd4, 0xd5, 0xd6, 0xd7, 0xd8:
		return p.extension(1 << (b - 0xd4))
	case 0xd9, 0xda, 0xdb:
		return value{kind: strKind, content: p.take(p.uint(1 << (b - 0xd9)))}
	case 0xdc, 0xdd:
		return p.container(arrayKind, p.uint(2<<(b-0xdc)), start, depth)
	case 0xde, 0xdf:
		return p.container(mapKind, p.uint(2<<(b-0xde)), start, depth)
	}
	return v
}

func integer(i *big.Int) value { return value{kind: intKind, integer: i} }

// container reads the elements of an array or map with the given count.
func (p *parser) container(k kind, count uint64, start, depth int) value {
	v := value{kind: k, header: p.data[start:p.pos], nesting: 1, sortable: k == mapKind && count > 1}
	if k == mapKind {
		count *= 2
	}
	if p.owed+count > uint64(len(p.data)-p.pos) {
		p.fail(ErrTruncated)
	}
	if depth >= p.maxDepth {
		p.fail(ErrDepth)
	}
	p.owed += count
	if p.err == nil {
		v.elements = make([]value, 0, count)
	}
	for range count {
		if p.err != nil {
			break
		}
		p.owed--
		e := p.value(depth + 1)
		v.elements = append(v.elements, e)
		v.nesting = max(v.nesting, 1+e.nesting)
		v.sortable = v.sortable || e.sortable
	}
	return v
}

// extension reads the type and the n bytes of an ext.
func (p *parser) extension(n uint64) value {
	v := value{kind: extKind, ext: int8(p.uint(1)), content: p.take(n)}
	if v.ext == timestamp && p.err == nil {
		if _, ok := parseTime(v.content); !ok {
			p.fail(ErrTimestamp)
		}
	}
	return v
}

// take returns the next n bytes.
func (p *parser) take(n uint64) []byte {
	if n > uint64(len(p.data)-p.pos) {
		p.fail(ErrTruncated)
	}
	if p.err != nil {
		return nil
	}
	p.pos += int(n)
	return p.data[p.pos-int(n) : p.pos]
}

// uint returns the next n bytes as a big-endian number.
func (p *parser) uint(n uint64) (u uint64) {
	for _, b := range p.take(n) {
		u = u<<8 | uint64(b)
	}
	return u
}

// fail records err if it is the first error.
func (p *parser) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}
