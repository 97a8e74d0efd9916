package msgpack

import (
	"strconv"
	"strings"

	"github.com/octet-go/octet/msgpack/wire"
)

func (c *plans) validate(data []byte) error {
	if c.guard.on {
		n, err := c.checkInput(&c.guard, opValidate, data, c.depth)
		if err == nil && n < len(data) && !c.AllowTrailing {
			return validateError(data, n, ErrTrailing)
		}
		return err
	}
	n, err := wire.Skip(data, c.depth)
	if err == nil && n < len(data) && !c.AllowTrailing {
		err = ErrTrailing
	}
	if err == nil {
		return nil
	}
	return validateError(data, n, err)
}

// validateError describes the fault at offset n of data. The path to it is
// found by walking the input once more, so that [Valid] spends nothing on paths
// while all is well.
func validateError(data []byte, n int, reason error) *Error {
	e := &Error{Op: opValidate, Offset: int64(n), Err: reason}
	if reason != ErrTrailing {
		e.Path = pathTo(data, n)
		e.found(data[n:])
	}
	return e
}

// pathTo returns the path to the value that begins at offset target, where all
// before it is known to be valid.
func pathTo(data []byte, target int) string {
	type level struct {
		header wire.Header
		begun  uint64 // values that have begun, of those the header announces
		key    int    // offset of the last key of a map
	}
	var open []level
	begin := func(pos int) {
		for len(open) > 0 && open[len(open)-1].begun == open[len(open)-1].header.Values() {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			top := &open[len(open)-1]
			if top.begun%2 == 0 {
				top.key = pos
			}
			top.begun++
		}
	}
	for pos := 0; pos < target; {
		begin(pos)
		h, n, err := wire.ConsumeHeader(data[pos:])
		if err != nil {
			break
		}
		if h.Values() > 0 {
			open = append(open, level{header: h})
		}
		pos += n + int(h.Payload)
	}
	begin(target)

	var path strings.Builder
	for _, l := range open {
		switch {
		case l.header.Format.Kind() == wire.KindArray:
			path.WriteString("[" + strconv.FormatUint(l.begun-1, 10) + "]")
		case l.begun%2 == 1:
			path.WriteString("[key " + strconv.FormatUint(l.begun/2, 10) + "]")
		default:
			path.WriteString(keyStep(data[l.key:]))
		}
	}
	return path.String()
}

// keyStep is the path step for the map key at the front of data.
func keyStep(data []byte) string {
	if s, _, err := wire.ConsumeString(data); err == nil {
		return stringStep(string(s))
	}
	if i, _, err := wire.ConsumeInt(data); err == nil {
		return "[" + strconv.FormatInt(i, 10) + "]"
	}
	if u, _, err := wire.ConsumeUint(data); err == nil {
		return "[" + strconv.FormatUint(u, 10) + "]"
	}
	return "[" + describe(data) + "]"
}

// describe says what the value at the front of data is, in the words of the
// specification.
func describe(data []byte) string {
	if len(data) == 0 {
		return "end of input"
	}
	h, _, err := wire.ConsumeHeader(data)
	f := wire.FormatOf(data[0])
	switch {
	case err == wire.ErrReserved:
		return "byte c1"
	case err != nil:
		return f.String() + ", its header cut short"
	}
	left := len(data) - int(h.Size)
	switch f.Kind() {
	case wire.KindStr, wire.KindBin:
		return f.String() + " of " + bytesOf(h.Payload, left)
	case wire.KindExt:
		return f.String() + " of type " + strconv.Itoa(int(h.Ext)) + " and " + bytesOf(h.Payload, left)
	case wire.KindArray:
		return f.String() + " of " + counted(uint64(h.Count), "element")
	case wire.KindMap:
		return f.String() + " of " + counted(uint64(h.Count), "pair")
	case wire.KindInt, wire.KindFloat:
		if int(h.Payload) <= left {
			return f.String() + " " + number(data)
		}
		return f.String() + ", " + counted(uint64(left), "byte") + " left"
	}
	return f.String()
}

func bytesOf(n uint32, left int) string {
	if uint64(n) > uint64(left) {
		return counted(uint64(n), "byte") + ", " + strconv.Itoa(left) + " left"
	}
	return counted(uint64(n), "byte")
}

// counted prints a number of things.
func counted[N uint32 | uint64](n N, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.FormatUint(uint64(n), 10) + " " + thing
}

// number prints the integer or float at the front of data.
func number(data []byte) string {
	if f, _, err := wire.ConsumeFloat64(data); err == nil {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	if i, _, err := wire.ConsumeInt(data); err == nil {
		return strconv.FormatInt(i, 10)
	}
	u, _, _ := wire.ConsumeUint(data) // what ConsumeInt cannot hold
	return strconv.FormatUint(u, 10)
}
