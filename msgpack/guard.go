package msgpack

import (
	"math"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

// A guard holds the requirements of a Config for the bytes of a message. They are
// checked in a separate pass over the message. Plans therefore do not test them, and
// they also apply to values that are skipped, to Raw values, and to the arguments and
// results of users' methods.
type guard struct {
	on    bool         // there is something to check
	pass  bool         // rules must be checked, which takes a pass over the message
	total uint64       // maximum length of a message
	rules syntax.Rules // for the values in a message
}

// guard returns the guard of c.
func (c *Config) guard() guard {
	limit := func(n int) uint64 {
		if n == 0 {
			return math.MaxUint64
		}
		return uint64(n)
	}
	pass := c.MaxElements > 0 || c.MaxBytes > 0 || c.RejectInvalidUTF8 || c.RejectDuplicates
	return guard{
		on:    pass || c.MaxTotal > 0,
		pass:  pass,
		total: limit(c.MaxTotal),
		rules: syntax.Rules{
			Elements: limit(c.MaxElements), Bytes: limit(c.MaxBytes),
			UTF8: c.RejectInvalidUTF8, Unique: c.RejectDuplicates,
		},
	}
}

// encoded checks b, which is one encoded value.
func (g *guard) encoded(b []byte) error {
	if uint64(len(b)) > g.total {
		return failed(ErrLimit, "message of "+syntax.Counted(uint64(len(b)), "byte"))
	}
	// MaxTotal alone needs no pass over the message.
	if !g.pass {
		return nil
	}
	if n, err := g.rules.Check(b, mem.String(b), math.MaxInt); err != nil {
		e := syntaxError(opMarshal, b, n, err)
		// Offsets are those in the input, and encoding has none.
		e.Offset = 0
		return e
	}
	return nil
}

// check checks the first value in data before it is decoded, and returns its end. It
// also finds invalid values.
func (g *guard) check(op string, data []byte, depth int) (end int, err error) {
	// Bytes after the limit are not read, so a longer message takes no more time.
	part := data[:min(uint64(len(data)), g.total)]
	end, err = g.rules.Check(part, mem.String(part), depth)
	// The value may be complete in data, but it is longer than the limit.
	if err == wire.ErrTruncated && len(part) < len(data) {
		return 0, &Error{Op: op, Found: "message of more than " + syntax.Counted(g.total, "byte"), Err: ErrLimit}
	}
	if err != nil {
		return 0, syntaxError(op, part, end, err)
	}
	return end, nil
}

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
