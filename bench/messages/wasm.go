package messages

import (
	"encoding/binary"
	"math/rand/v2"
)

// wasmTypes is the type section of a WebAssembly module, all of whose lengths and counts are numbers of variable width:
// WebAssembly Core Specification 2.0, sections 5.3.6 and 5.5.4.
type wasmTypes struct {
	ID    uint8  `layout:"const=1"`
	Size  uint32 `layout:"varint,len=Count..Types"`
	Count uint32 `layout:"varint,count=Types"`
	Types []wasmFunction
}

type wasmFunction struct {
	Form        uint8  `layout:"const=0x60"`
	ParamCount  uint32 `layout:"varint,count=Params"`
	Params      []byte
	ResultCount uint32 `layout:"varint,count=Results"`
	Results     []byte
}

func appendWasm(dst []byte, m *wasmTypes) ([]byte, error) {
	if m.ID > 1 {
		return dst, errConstant
	}
	b := append(dst, 1, 0)
	b = binary.AppendUvarint(b, uint64(len(m.Types)))
	for i := range m.Types {
		f := &m.Types[i]
		if f.Form != 0 && f.Form != 0x60 {
			return dst, errConstant
		}
		b = append(b, 0x60)
		b = binary.AppendUvarint(b, uint64(len(f.Params)))
		b = append(b, f.Params...)
		b = binary.AppendUvarint(b, uint64(len(f.Results)))
		b = append(b, f.Results...)
	}
	at := len(dst) + 1
	size := len(b) - at - 1
	if size < 1<<7 {
		b[at] = byte(size)
		return b, nil
	}
	var length [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(length[:], uint64(size))
	b = append(b, length[1:n]...)
	copy(b[at+n:], b[at+1:at+1+size])
	copy(b[at:], length[:n])
	return b, nil
}

// uvarint returns the number of variable width at the beginning of data and what follows it.
func uvarint(data []byte) (v uint32, rest []byte, err error) {
	x, n := binary.Uvarint(data)
	if n <= 0 {
		return 0, nil, errShort
	}
	if x > 1<<32-1 {
		return 0, nil, errRange
	}
	return uint32(x), data[n:], nil
}

func decodeWasm(data []byte, m *wasmTypes, alias bool) (err error) {
	if len(data) < 1 {
		return errShort
	}
	if m.ID = data[0]; m.ID != 1 {
		return errConstant
	}
	if m.Size, data, err = uvarint(data[1:]); err != nil {
		return err
	}
	if uint64(m.Size) != uint64(len(data)) {
		return errLength
	}
	if m.Count, data, err = uvarint(data); err != nil {
		return err
	}
	if uint64(m.Count)*3 > uint64(len(data)) {
		return errShort
	}
	list := func(count *uint32, bytes *[]byte) (err error) {
		if *count, data, err = uvarint(data); err != nil {
			return err
		}
		if uint64(*count) > uint64(len(data)) {
			return errShort
		}
		*bytes, data = own(data[:*count], alias), data[*count:]
		return nil
	}
	m.Types = sized(m.Types, int(m.Count))
	for i := range m.Types {
		f := &m.Types[i]
		if len(data) == 0 {
			return errShort
		}
		if f.Form, data = data[0], data[1:]; f.Form != 0x60 {
			return errConstant
		}
		if err := list(&f.ParamCount, &f.Params); err != nil {
			return err
		}
		if err := list(&f.ResultCount, &f.Results); err != nil {
			return err
		}
	}
	if len(data) > 0 {
		return errTrailing
	}
	return nil
}

func randomWasm(r *rand.Rand) *wasmTypes {
	types := []byte{0x7f, 0x7e, 0x7d, 0x7c}
	list := func(most int) []byte { return some(r, 0, most, func() byte { return types[r.IntN(4)] }) }
	return &wasmTypes{Types: some(r, 1, 12, func() wasmFunction { return wasmFunction{Params: list(8), Results: list(1)} })}
}
