package messages

import (
	"bytes"
	"math/rand/v2"
	"strings"
)

// postgresRows is the message RowDescription of PostgreSQL: PostgreSQL 17 documentation, section 53.7.
type postgresRows struct {
	_      struct{} `layout:"be"`
	Type   uint8    `layout:"const=84"` // T
	Length uint32   `layout:"len=Length..Fields"`
	Count  uint16   `layout:"count=Fields"`
	Fields []postgresField
}

type postgresField struct {
	Name     string `layout:"cstring"`
	Table    uint32
	Column   int16
	DataType uint32
	Size     int16
	Modifier int32
	Format   int16
}

func appendPostgres(dst []byte, m *postgresRows) ([]byte, error) {
	if m.Type != 0 && m.Type != 'T' {
		return dst, errConstant
	}
	if len(m.Fields) > 0xffff {
		return dst, errRange
	}
	size := 7
	for i := range m.Fields {
		name := m.Fields[i].Name
		if strings.IndexByte(name, 0) >= 0 {
			return dst, errRange
		}
		size += len(name) + 19
	}
	n := len(dst)
	dst = extend(dst, size)
	b := dst[n:]
	_ = b[6]
	b[0] = 'T'
	be.PutUint32(b[1:], uint32(size-1))
	be.PutUint16(b[5:], uint16(len(m.Fields)))
	b = b[7:]
	for i := range m.Fields {
		f := &m.Fields[i]
		b = b[copy(b, f.Name):]
		e := (*[19]byte)(b)
		e[0] = 0
		be.PutUint32(e[1:], f.Table)
		be.PutUint16(e[5:], uint16(f.Column))
		be.PutUint32(e[7:], f.DataType)
		be.PutUint16(e[11:], uint16(f.Size))
		be.PutUint32(e[13:], uint32(f.Modifier))
		be.PutUint16(e[17:], uint16(f.Format))
		b = b[19:]
	}
	return dst, nil
}

func decodePostgres(data []byte, m *postgresRows) error {
	if len(data) < 7 {
		return errShort
	}
	if data[0] != 'T' {
		return errConstant
	}
	m.Type, m.Length, m.Count = 'T', be.Uint32(data[1:]), be.Uint16(data[5:])
	if uint64(m.Length) != uint64(len(data)-1) {
		return errLength
	}
	m.Fields = emptied(m.Fields)
	data = data[7:]
	for range m.Count {
		end := bytes.IndexByte(data, 0)
		if end < 0 || len(data) < end+19 {
			return errShort
		}
		e := (*[19]byte)(data[end:])
		m.Fields = append(m.Fields, postgresField{
			string(data[:end]), be.Uint32(e[1:]), int16(be.Uint16(e[5:])), be.Uint32(e[7:]), int16(be.Uint16(e[11:])), int32(be.Uint32(e[13:])),
			int16(be.Uint16(e[17:])),
		})
		data = data[end+19:]
	}
	if len(data) > 0 {
		return errLength
	}
	return nil
}

func randomPostgres(r *rand.Rand) *postgresRows {
	types := []struct {
		id   uint32
		size int16
	}{{23, 4}, {20, 8}, {25, -1}, {1043, -1}, {16, 1}, {1184, 8}, {2950, 16}}
	table := uint32(16384) + r.Uint32N(1000)
	column := int16(0)
	return &postgresRows{Fields: some(r, 1, 10, func() postgresField {
		t := types[r.IntN(len(types))]
		column++
		return postgresField{randomText(r, 2, 16), table, column, t.id, t.size, -1, int16(r.IntN(2))}
	})}
}
