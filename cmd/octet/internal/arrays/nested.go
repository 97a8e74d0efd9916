package arrays

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// A shapeFinder finds the shape of nested arrays while they are read. It refuses arrays
// of different lengths on the same level.
type shapeFinder struct {
	shape []int // -1 for a level that has not ended yet
	count []int // elements so far, of each open array
	depth int   // of scalars, -1 before the first one
}

const maxDepth = 64 // as in numpy

var errRagged = errors.New("arrays of different lengths or depths")

// open is called at the beginning of an array.
func (n *shapeFinder) open() error {
	if level := len(n.count); level > 0 {
		n.count[level-1]++
		if level == n.depth { // other arrays on this level have scalars
			return errRagged
		}
	}
	if len(n.count) == maxDepth {
		return fmt.Errorf("more than %d dimensions", maxDepth)
	}
	n.count = append(n.count, 0)
	if len(n.count) > len(n.shape) {
		n.shape = append(n.shape, -1)
	}
	return nil
}

// scalar is called for each value that is not an array.
func (n *shapeFinder) scalar() error {
	level := len(n.count)
	if n.depth < 0 {
		n.depth = level
	}
	if level != n.depth || level < len(n.shape) { // other values on this level are arrays
		return errRagged
	}
	if level > 0 {
		n.count[level-1]++
	}
	return nil
}

// close is called at the end of an array. The first one on a level determines the length
// of the others.
func (n *shapeFinder) close() error {
	level := len(n.count) - 1
	switch n.shape[level] {
	case -1:
		n.shape[level] = n.count[level]
	case n.count[level]:
	default:
		return errRagged
	}
	n.count = n.count[:level]
	return nil
}

// end stores the shape in in, if there is one.
func (n *shapeFinder) end(in *Input) {
	in.Info.Shape = n.shape
	if in.Info.Shape == nil {
		in.Info.Shape = []int{}
	}
	in.Info.Len = 1
	for _, d := range n.shape {
		in.Info.Len *= d
	}
}

// fromJSON reads nested arrays of numbers, or of strings too.
func fromJSON(in *Input, r io.Reader, numbers bool) filler {
	text := &textReader{r: r, part: "an element"}
	d := jsontext.NewDecoder(text)
	n := shapeFinder{depth: -1}
	fail := func(err error) error {
		return fmt.Errorf("offset %d: %w", in.mark+d.InputOffset(), err)
	}
	return func(b part) error {
		for b.len() < piece {
			text.next()
			token, err := d.ReadToken()
			if err == io.EOF {
				if n.shape == nil && n.depth < 0 {
					return errors.New("the input is empty")
				}
				n.end(in)
				return io.EOF
			}
			if err != nil {
				var syntax *jsontext.SyntacticError
				var long *longError
				switch {
				case errors.As(err, &syntax):
					return fmt.Errorf("offset %d: invalid JSON: %w", in.mark+syntax.ByteOffset, syntax.Err)
				case errors.As(err, &long):
					return fail(long)
				}
				return err
			}
			if len(n.count) == 0 && (n.shape != nil || n.depth == 0) {
				return fail(errors.New("a second value follows the array"))
			}
			switch token.Kind() {
			case '[':
				err = n.open()
			case ']':
				err = n.close()
			case '0', 't', 'f', '"':
				if token.Kind() == '"' && numbers {
					return fail(errors.New("expected a number, found a string"))
				}
				if err = b.parse(token.String()); err == nil {
					err = n.scalar()
				}
			default:
				err = fmt.Errorf("expected a number or an array, found %s", token.Kind())
			}
			if err != nil {
				return fail(err)
			}
		}
		return nil
	}
}

func fromMsgpack(in *Input, r io.Reader) filler {
	d := msgpack.NewDecoder(r)
	n := shapeFinder{depth: -1}
	var left []uint32 // of each open array
	fail := func(err error) error {
		return fmt.Errorf("offset %d: %w", d.InputOffset(), err)
	}
	// closed closes the arrays that are complete.
	closed := func() error {
		for len(left) > 0 && left[len(left)-1] == 0 {
			if err := n.close(); err != nil {
				return err
			}
			left = left[:len(left)-1]
		}
		return nil
	}
	return func(b part) error {
		for b.len() < piece {
			if len(left) == 0 && (n.shape != nil || n.depth == 0) {
				if d.More() {
					return fail(errors.New("a second value follows the array"))
				}
				n.end(in)
				return io.EOF
			}
			kind, err := d.PeekKind()
			if err == io.EOF {
				err = errors.New("the input is empty")
			}
			if err != nil {
				return err
			}
			if len(left) > 0 {
				left[len(left)-1]--
			}
			if kind == wire.KindArray {
				var count uint32
				if count, err = d.ReadArrayHeader(); err != nil {
					return err
				}
				left = append(left, count)
				err = n.open()
			} else {
				if err = b.unpack(d); err != nil {
					var known *msgpack.Error
					if errors.As(err, &known) {
						return err
					}
					return fail(err)
				}
				err = n.scalar()
			}
			if err == nil {
				err = closed()
			}
			if err != nil {
				return fail(err)
			}
		}
		return nil
	}
}
