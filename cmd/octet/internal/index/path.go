package index

import "github.com/octet-go/octet/cmd/octet/internal/scan"

// A Step is one container on the way to a value.
type Step struct {
	Token        // the container; its Role, Number and Line are not set
	Inner uint64 // number of the value in it
}

// Steps returns the containers around the token that the cursor has read.
func (c *Cursor) Steps() []Step {
	steps := make([]Step, c.token.Depth)
	for i := range steps {
		a := &c.s.Around()[i]
		steps[i] = Step{Token: Token{Header: a.Header, Offset: int(a.Offset), Depth: i, Line: c.lines[i], Parent: -1}, Inner: a.Begun() - 1}
	}
	return steps
}

// TopNumber returns the number of the top-level value that the cursor is in.
func (c *Cursor) TopNumber() int64 { return c.top - 1 }

// Path returns the path of a value in its top-level value, in the form of package
// scan.
func (x *Index) Path(steps []Step) string {
	var dst []byte
	for i := range steps {
		s := &steps[i]
		dst = scan.AppendStep(dst, s.Header, s.Inner, func() []byte { return x.Key(&s.Token, s.Inner/2) })
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
	return x.Data[k.Offset:min(k.End(), k.Offset+scan.KeyBytes)]
}
