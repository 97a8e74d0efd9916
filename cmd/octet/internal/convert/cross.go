package convert

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/position"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// cross converts to the other format. A value of more than large bytes is
// converted in parts, and so is everything after it.
func (o Options) cross(w io.Writer, r io.Reader, large int) (Result, error) {
	if o.From == sniff.MessagePack {
		return o.toJSON(w, r, large)
	}
	t := o.transcode()
	t.MaxValue = large
	stats, err := transcode.ToMsgpack(w, r, t)
	p, e := o.rest(r, large, stats, err)
	if p == nil {
		return Result{Values: stats.Values, Changed: stats.Changed}, err
	}
	if _, err := p.skipSpace(); err != nil {
		return p.result, err
	}
	p.at = position.Position{Offset: e.Offset, Lines: e.Line - 1, Runes: e.Column - 1}
	s := &spool{w: bufio.NewWriterSize(w, 64<<10)}
	defer s.close()
	err = p.toMsgpack(s)
	if unwritten := s.w.Flush(); unwritten != nil {
		err = unwritten
	}
	return p.result, err
}

// toJSON is cross for MessagePack.
func (o Options) toJSON(w io.Writer, r io.Reader, large int) (Result, error) {
	t := o.transcode()
	t.MaxValue = large
	stats, err := transcode.ToJSON(w, r, t)
	p, _ := o.rest(r, large, stats, err)
	if p == nil {
		return Result{Values: stats.Values, Changed: stats.Changed}, err
	}
	p.w = bufio.NewWriterSize(w, 64<<10)
	err = p.toJSON()
	if unwritten := p.w.Flush(); unwritten != nil {
		err = unwritten
	}
	return p.result, err
}

// rest returns what converts the rest of the input in parts, which begins with the large
// value that e is about. If err has another reason, there is nothing to convert.
func (o Options) rest(r io.Reader, large int, stats transcode.Stats, err error) (p *parts, e *transcode.Error) {
	e, ok := errors.AsType[*transcode.Error](err)
	if !ok || e.Unread == nil {
		return nil, nil
	}
	p = &parts{o: o, large: large, limit: large, r: bufio.NewReaderSize(io.MultiReader(bytes.NewReader(e.Unread), r), 2*large)}
	p.result = Result{Values: stats.Values, Changed: stats.Changed}
	p.at.Offset = e.Offset
	return p, e
}

// parts converts values in parts: what fits into memory by package transcode, and
// around it the brackets of large arrays and objects.
type parts struct {
	o      Options
	large  int // the number of bytes from which a scalar of JSON is too large
	limit  int // the number of bytes from which a value is converted in parts: see inside
	r      *bufio.Reader
	at     position.Position // of what r returns next
	w      *bufio.Writer     // of JSON
	comma  position.Position // of the last comma of JSON between two parts
	buf    bytes.Buffer
	packed []byte // room for MessagePack
	cut    bool   // the last result of some or whole is a value that the end of the input cuts
	result Result
}

// drop skips n bytes, which are in memory.
func (p *parts) drop(n int) {
	b, _ := p.r.Peek(n)
	if p.o.From == sniff.JSON {
		p.at = p.at.After(b)
	} else {
		p.at.Offset += int64(n)
	}
	_, _ = p.r.Discard(n) // cannot fail because the bytes are buffered
}

// some returns the values at the start of the input that are complete: their bytes
// and their number. end returns the end of the first value in b and whether it is
// complete; a value that is wrong counts as complete and takes all of b. If the
// first value is large, there are none. At the end of the input, an incomplete
// value is returned, so that converting it is an error.
func (p *parts) some(most uint64, end func(b []byte) (int, bool)) (data []byte, count uint64, err error) {
	want := max(p.r.Buffered(), 1)
	p.cut = false
	for {
		b, err := p.r.Peek(min(want, p.r.Size()))
		n := 0
		for count < most && n < len(b) {
			k, ok := end(b[n:min(n+p.limit+1, len(b))])
			if !ok {
				break
			}
			n, count = n+k, count+1
		}
		switch {
		case count > 0:
			return b[:n], count, nil
		case len(b) > p.limit:
			return nil, 0, nil
		case err == io.EOF && len(b) > 0:
			p.cut = true
			return b, 1, nil
		case err != nil:
			return nil, 0, err
		}
		want = max(2*len(b), p.r.Buffered())
	}
}

// leastLarge is the least number of bytes from which a value is converted in parts.
const leastLarge = 64

// inside converts what is in a large container with f. Values there are large from half as
// many bytes on. To find that a value is large, all of these bytes are read, at each level of
// nesting, so a constant number of bytes would make it slow to convert nested containers.
func (p *parts) inside(f func() error) error {
	limit := p.limit
	p.limit = max(limit/2, min(limit, leastLarge))
	err := f()
	p.limit = limit
	return err
}

// firstEnd returns the end of the first value in b and whether it is complete. A value
// that is wrong counts as complete and takes all of b.
func firstEnd(s splitter, b []byte) (end int, ok bool) {
	end, ok, err := s.Next(b)
	if err != nil {
		return len(b), true
	}
	return end, ok
}

// whole returns the first value, however large it is.
func (p *parts) whole(s splitter) ([]byte, error) {
	var data []byte
	p.cut = false
	for {
		part, err := p.r.Peek(max(1, min(p.r.Buffered(), 64<<10)))
		if err != nil && len(part) == 0 {
			if p.cut = err == io.EOF; p.cut {
				return data, nil // converting it is an error
			}
			return nil, err
		}
		n, whole, err := s.Next(part)
		data = append(data, part[:n]...)
		p.drop(n)
		if whole || err != nil {
			return data, nil // converting it finds the error
		}
	}
}

// options returns the options for values inside depth containers.
func (p *parts) options(depth int) *transcode.Options {
	t := p.o.transcode()
	t.MaxDepth = max(wire.MaxDepth-depth, 1)
	return t
}

// fault completes an error in a part of the input that begins at p.at. before is
// the number of bytes in front of this part that were added for the conversion.
func (p *parts) fault(err error, path string, before int64) error {
	e, ok := errors.AsType[*transcode.Error](err)
	if !ok {
		return err
	}
	if p.o.From == sniff.JSON && !p.cut && e.Err == wire.ErrTruncated {
		e.Err = fmt.Errorf("%w: incomplete number or literal", transcode.ErrSyntax)
	}
	e.Value, e.Path = p.result.Values, path+e.Path
	e.Offset += p.at.Offset - before
	if e.Line == 1 {
		e.Column += p.at.Runes - before
	}
	if e.Line > 0 {
		e.Line += p.at.Lines
	}
	return e
}

// here returns an error at the next byte of the input.
func (p *parts) here(reason error, path string) error {
	e := &transcode.Error{Offset: p.at.Offset, Start: p.at.Offset, Value: p.result.Values, Path: path, Err: reason}
	if p.o.From == sniff.JSON {
		e.Line, e.Column = p.at.Lines+1, p.at.Runes+1
	}
	return e
}

// step returns the step of a path to the value of a key.
func step(key string) string { return string(transcode.AppendStep(nil, key)) }
