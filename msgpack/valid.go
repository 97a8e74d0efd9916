package msgpack

import (
	"github.com/octet-go/octet/msgpack/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

func (c *plans) validate(data []byte) error {
	var n int
	var err error
	if c.guard.on {
		if n, err = c.checkInput(&c.guard, opValidate, data, c.depth); err != nil {
			return err
		}
	} else if n, err = wire.Skip(data, c.depth); err != nil {
		return syntaxError(opValidate, data, n, err)
	}
	if n < len(data) && !c.AllowTrailing {
		return &Error{Op: opValidate, Offset: int64(n), Err: ErrTrailing}
	}
	return nil
}

// syntaxError returns the error for the fault at offset n of data. It finds the path
// in a second pass over the input, so that valid input needs no paths.
func syntaxError(op string, data []byte, n int, reason error) *Error {
	e := &Error{Op: op, Offset: int64(n), Path: syntax.PathTo(data, n), Err: reason}
	e.found(data[n:])
	return e
}
