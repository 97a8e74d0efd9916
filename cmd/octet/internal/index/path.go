package index

import (
	"strconv"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// A Step is one container on the way to a value.
type Step struct {
	Token        // the container; its Role, Number and Line are not set
	Inner uint64 // number of the value in it
}

// Steps returns the containers around the token that the cursor has read.
func (c *Cursor) Steps() []Step {
	steps := make([]Step, c.token.Depth)
	for i := range steps {
		f := &c.stack[i]
		steps[i] = Step{Token: Token{Header: f.head, Offset: f.start, Depth: i, Line: f.line, Parent: -1}, Inner: f.next - 1}
	}
	return steps
}

// TopNumber returns the number of the top-level value that the cursor is in.
func (c *Cursor) TopNumber() int64 { return c.top - 1 }

// longestKey is the number of bytes of a key that a path needs.
const longestKey = 64

// Path returns the path of a value in its top-level value, in the form of package
// scan.
func (x *Index) Path(steps []Step) string {
	var dst []byte
	for i := range steps {
		s := &steps[i]
		if s.Format.Kind() == wire.KindArray {
			dst = appendStep(dst, '[', s.Inner, ']')
			continue
		}
		if s.Inner&1 == 0 {
			dst = appendStep(dst, '{', s.Inner/2, '}')
			continue
		}
		dst = scan.AppendKeyStep(dst, x.Key(&s.Token, s.Inner/2), s.Inner/2)
	}
	return string(dst)
}

// Key returns the beginning of the encoded key of a pair.
func (x *Index) Key(t *Token, pair uint64) []byte {
	c := x.Child(t, 2*pair)
	if !c.Next() {
		return nil
	}
	k := &c.token
	return x.Data[k.Offset:min(k.End(), k.Offset+longestKey)]
}

func appendStep(dst []byte, open byte, n uint64, end byte) []byte {
	return append(strconv.AppendUint(append(dst, open), n, 10), end)
}
