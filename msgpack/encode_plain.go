package msgpack

import (
	"math"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// emitStep writes a step for which the buffer may have too little room: it appends the
// template and the value, which grows the buffer by no more than necessary.
func emitStep(m *value, base mem.Ptr, n, limit int, v mem.Ptr, depth int) (mem.Ptr, int, int, error) {
	dst, err := m.step.append(mem.Slice(base, limit)[:n], v, depth)
	return mem.Bytes(dst), len(dst), cap(dst), err
}

// append is the simple counterpart of emit for one step. The value is at p.
func (s *step) append(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	if s.put == putTemplate {
		return append(dst, s.template[:s.size]...), nil
	}
	dst = append(dst, s.template[:int(s.size)-s.put.leading()]...)
	dst, err := s.more.encode(dst, p, depth-s.more.level)
	if err != nil {
		err = under(s.more.path, err)
	}
	return dst, err
}

// appendSteps appends the value at v with the steps from s to the end.
func appendSteps(s *step, dst []byte, v mem.Ptr, depth int) (_ []byte, err error) {
	for ; s.put != putEnd && err == nil; s = mem.Next(s) {
		dst, err = s.append(dst, v.Add(uintptr(s.offset)), depth)
	}
	return dst, err
}

// appendOp is the simple counterpart of emit for a scalar. It grows dst by no more
// than the length of the value.
func appendOp(dst []byte, o putOp, p mem.Ptr) ([]byte, error) {
	switch o {
	case putBool:
		return wire.AppendBool(dst, *mem.At[bool](p)), nil
	case putUint64: // loadInteger makes a large one negative
		return wire.AppendUint(dst, *mem.At[uint64](p)), nil
	case putFloat32:
		return wire.AppendFloat32(dst, *mem.At[float32](p)), nil
	case putFloat64:
		return wire.AppendFloat64(dst, *mem.At[float64](p)), nil
	case putString:
		return appendText(dst, *mem.At[string](p))
	}
	return wire.AppendInt(dst, loadInteger(o, p)), nil
}

// appendText appends s as str. Unlike wire.AppendString it does not panic.
func appendText(dst []byte, s string) ([]byte, error) {
	if uint64(len(s)) > math.MaxUint32 {
		return dst, failed(ErrLimit, "string")
	}
	return wire.AppendString(dst, s), nil
}
