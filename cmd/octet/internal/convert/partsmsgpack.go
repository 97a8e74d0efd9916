package convert

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/octet-go/octet/cmd/octet/internal/position"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// toMsgpack converts JSON up to the end of the input.
func (p *parts) toMsgpack(s *spool) error {
	for {
		switch _, err := p.skipSpace(); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		data, count, err := p.some(math.MaxUint64, jsonEnd)
		switch {
		case err != nil:
			return err
		case count == 0:
			if err := p.jsonValue(s, "", 0); err != nil {
				return err
			}
			p.result.Values++
		default:
			stats, err := transcode.ToMsgpack(s, bytes.NewReader(data), p.options(0))
			if err != nil {
				return p.wrong(err, stats.Values)
			}
			p.result.Values += stats.Values
			p.drop(len(data))
		}
		if p.r.Buffered() == 0 {
			if err := s.w.Flush(); err != nil {
				return err
			}
		}
	}
}

const space = " \t\r\n"

// jsonEnd returns the end of the first value in b. A number or literal is complete if
// another byte follows it.
func jsonEnd(b []byte) (end int, ok bool) { return firstEnd(new(transcode.JSONSplitter), b) }

// skipSpace skips white space and returns the byte after it.
func (p *parts) skipSpace() (byte, error) {
	for {
		b, err := p.r.Peek(max(1, min(p.r.Buffered(), 4096)))
		if len(b) == 0 {
			return 0, err
		}
		rest := bytes.TrimLeft(b, space)
		if len(rest) > 0 {
			c := rest[0]
			p.drop(len(b) - len(rest))
			return c, nil
		}
		p.drop(len(b))
	}
}

// jsonValue converts the value at the start of the input, which is large.
func (p *parts) jsonValue(s *spool, path string, depth int) error {
	c, err := p.r.Peek(1)
	switch {
	case err != nil:
		return err
	case depth >= wire.MaxDepth-1: // the converter returns the error
	case c[0] == '[':
		return p.inside(func() error { return p.jsonArray(s, path, depth+1) })
	case c[0] == '{' && !p.o.Reversible:
		return p.inside(func() error { return p.jsonObject(s, path, depth+1) })
	case c[0] != '{' && c[0] != '"':
		return p.jsonScalar(s, path, depth)
	}
	// A string, or an object that may stand for another value.
	begin := p.at
	data, err := p.whole(new(transcode.JSONSplitter))
	if err != nil {
		return err
	}
	return p.converted(s, data, path, depth, begin)
}

// jsonScalar converts a number or literal. One with a million digits is an error.
func (p *parts) jsonScalar(s *spool, path string, depth int) error {
	limit := p.limit
	p.limit = p.large
	data, n, err := p.some(1, jsonEnd)
	p.limit = limit
	switch {
	case err != nil:
		return err
	case n == 0:
		text, _ := p.r.Peek(p.large)
		if _, err := transcode.AppendMsgpack(nil, text, p.options(depth)); errors.Is(err, transcode.ErrSyntax) {
			return p.fault(err, path, 0) // not a number at all, such as zero bytes
		}
		return p.here(transcode.ErrLimit, path)
	}
	if err := p.converted(s, data, path, depth, p.at); err != nil {
		return err
	}
	p.drop(len(data))
	return nil
}

// converted converts one value, which begins at a position.
func (p *parts) converted(s *spool, data []byte, path string, depth int, begin position.Position) error {
	out, err := transcode.AppendMsgpack(p.packed[:0], data, p.options(depth))
	p.packed = out
	if err != nil {
		p.at = begin
		return p.fault(err, path, 0)
	}
	_, err = s.Write(out)
	return err
}

// elements returns the elements at the start of the input that are complete. Each
// is followed by a comma or, the last one, perhaps by a closing bracket, which is
// not in data. end returns the end of an element at the start of b.
func (p *parts) elements(end func(b []byte) (int, bool)) (data []byte, count uint64, err error) {
	last := false
	return p.some(math.MaxUint32, func(b []byte) (int, bool) {
		lead := len(b) - len(bytes.TrimLeft(b, space))
		if last || lead == len(b) || bytes.IndexByte([]byte(`]},:`), b[lead]) >= 0 {
			return 0, false
		}
		n, ok := end(b[lead:])
		if !ok {
			return 0, false
		}
		n += lead
		rest := bytes.TrimLeft(b[n:], space)
		switch {
		case len(rest) == 0:
			return 0, false
		case rest[0] == ',':
			return len(b) - len(rest) + 1, true
		}
		last = true
		return n, true
	})
}

// jsonArray converts an array.
func (p *parts) jsonArray(s *spool, path string, depth int) error {
	number, err := s.begin()
	if err != nil {
		return err
	}
	p.drop(1)
	count := uint64(0)
	for before := "["; ; {
		c, err := p.skipSpace()
		switch {
		case err == io.EOF:
			return p.here(wire.ErrTruncated, path+index(count))
		case err != nil:
			return err
		case c == ']' && before != ",":
			p.drop(1)
			return p.header(s, number, count, wire.AppendArrayHeader, path)
		case c == ']' || c == '}' || c == ',' || c == ':' || before == "0":
			return p.follows(c, before, "["+map[string]string{"[": "", ",": "0,", "0": "0"}[before], path+index(count))
		}
		data, n, err := p.elements(jsonEnd)
		if err != nil {
			return err
		}
		if n == 0 {
			if err := p.jsonValue(s, path+index(count), depth); err != nil {
				return err
			}
			count++
			if before, err = p.takeComma(); err != nil {
				return err
			}
			continue
		}
		values := masked(data)
		stats, err := transcode.ToMsgpack(s, bytes.NewReader(values), p.options(depth))
		if err != nil {
			return p.fault(err, path+index(count+uint64(stats.Values)), 0)
		}
		if stats.Values != int64(n) { // a wrong element counted as several or as none
			return p.syntax("[0", path+index(count))
		}
		before = "0"
		if !p.cut && bytes.HasSuffix(data, []byte(",")) {
			before = ","
			p.comma = p.at.After(data[:len(data)-1])
		}
		p.drop(len(data))
		count += n
	}
}

// masked returns elements with spaces in place of the commas between them.
func masked(data []byte) []byte {
	values := bytes.Clone(data)
	for at := 0; at < len(values); {
		at += len(values[at:]) - len(bytes.TrimLeft(values[at:], space))
		end, ok := jsonEnd(values[at:])
		if !ok {
			break
		}
		at += end
		at += len(values[at:]) - len(bytes.TrimLeft(values[at:], space))
		if at < len(values) && values[at] == ',' {
			values[at] = ' '
			at++
		}
	}
	return values
}

// takeComma skips the comma after an element, if there is one, and returns what is now
// in front of the input.
func (p *parts) takeComma() (before string, err error) {
	c, err := p.skipSpace()
	if err != nil && err != io.EOF {
		return "", err
	}
	if err == nil && c == ',' {
		p.comma = p.at
		p.drop(1)
		return ",", nil
	}
	return "0", nil
}

// header completes a container.
func (p *parts) header(s *spool, number int, count uint64, appendHeader func([]byte, uint32) []byte, path string) error {
	if count > math.MaxUint32 {
		return p.here(transcode.ErrLimit, path)
	}
	return s.end(number, appendHeader(nil, uint32(count)))
}

// follows returns the error for the byte c, which cannot follow before. That of a
// trailing comma is at the comma.
func (p *parts) follows(c byte, last, before, path string) error {
	err := p.syntax(before, path)
	if e, ok := errors.AsType[*transcode.Error](err); ok && last == "," && (c == ']' || c == '}') {
		e.Offset, e.Line, e.Column = p.comma.Offset, p.comma.Lines+1, p.comma.Runes+1
	}
	return err
}

// syntax returns the error for the next byte of the input, which cannot follow
// before.
func (p *parts) syntax(before, path string) error {
	text, _ := p.r.Peek(utf8.UTFMax)
	text = append([]byte(before), text...)
	reason := fmt.Errorf("%w: invalid text", transcode.ErrSyntax)
	_, err := transcode.AppendMsgpack(nil, text, nil)
	if e, ok := errors.AsType[*transcode.Error](err); ok && e.Err != wire.ErrTruncated {
		reason = e.Err
	}
	return p.here(reason, path)
}

// memberEnd returns the end of the first name and value in b.
func memberEnd(b []byte) (int, bool) {
	n, ok := jsonEnd(b)
	if !ok {
		return 0, false
	}
	rest := bytes.TrimLeft(b[n:], space)
	if len(rest) == 0 {
		return 0, false
	}
	if b[0] != '"' || rest[0] != ':' {
		return len(b), true // converting it is an error
	}
	rest = bytes.TrimLeft(rest[1:], space)
	value, ok := jsonEnd(rest)
	if !ok {
		return 0, false
	}
	return len(b) - len(rest) + value, true
}

// jsonObject converts an object.
func (p *parts) jsonObject(s *spool, path string, depth int) error {
	number, err := s.begin()
	if err != nil {
		return err
	}
	p.drop(1)
	count, names := uint64(0), map[string]bool{}
	for before := "{"; ; {
		c, err := p.skipSpace()
		switch {
		case err == io.EOF:
			return p.here(wire.ErrTruncated, path)
		case err != nil:
			return err
		case c == '}' && before != ",":
			p.drop(1)
			return p.header(s, number, count, wire.AppendMapHeader, path)
		case c != '"' || before == "0":
			return p.follows(c, before, "{"+map[string]string{"{": "", ",": `"":0,`, "0": `"":0`}[before], path)
		}
		data, n, err := p.elements(memberEnd)
		if err != nil {
			return err
		}
		if n == 0 {
			if err := p.member(s, path, names, depth); err != nil {
				return err
			}
			count++
			if before, err = p.takeComma(); err != nil {
				return err
			}
			continue
		}
		// The members are converted as an object of their own, without its header.
		members, comma := data, false
		if !p.cut {
			members, comma = bytes.CutSuffix(data, []byte(","))
		}
		p.buf.Reset()
		p.buf.WriteByte('{')
		p.buf.Write(members)
		if !p.cut {
			p.buf.WriteByte('}')
		}
		out, err := transcode.AppendMsgpack(p.packed[:0], p.buf.Bytes(), p.options(depth-1))
		p.packed = out
		if err != nil {
			return p.fault(err, path, 1)
		}
		h, size, _ := wire.ConsumeHeader(out)
		for at, in, left := size, 0, h.Count; left > 0; left-- {
			in += len(members[in:]) - len(bytes.TrimLeft(members[in:], space+","))
			end, _ := msgpackEnd(out[at:])
			if names[nameOf(out[at:at+end])] {
				p.drop(in)
			}
			if err := p.newName(names, out[at:at+end], path); err != nil {
				return err
			}
			value, _ := msgpackEnd(out[at+end:])
			at += end + value
			member, _ := memberEnd(members[in:])
			in += member
		}
		if _, err := s.Write(out[size:]); err != nil {
			return err
		}
		before = "0"
		if comma {
			before = ","
			p.comma = p.at.After(data[:len(data)-1])
		}
		p.drop(len(data))
		count += n
	}
}

// newName checks that no name before was the same.
func (p *parts) newName(names map[string]bool, key []byte, path string) error {
	name := nameOf(key)
	if names[name] {
		err := p.here(wire.ErrDuplicateKey, path).(*transcode.Error)
		err.Found = "another " + strconv.Quote(name)
		return err
	}
	names[name] = true
	return nil
}

// nameOf returns a name that was converted to MessagePack.
func nameOf(key []byte) string {
	name, _, _ := wire.ConsumeString(key)
	return string(name)
}

// member converts a name and a large value.
func (p *parts) member(s *spool, path string, names map[string]bool, depth int) error {
	begin := p.at
	text, err := p.whole(new(transcode.JSONSplitter))
	if err != nil {
		return err
	}
	key, err := transcode.AppendMsgpack(nil, text, nil)
	after := p.at
	p.at = begin
	if err != nil {
		return p.fault(err, path, 0)
	}
	if err := p.newName(names, key, path); err != nil {
		return err
	}
	p.at = after
	if _, err := s.Write(key); err != nil {
		return err
	}
	path += step(nameOf(key))
	c, err := p.skipSpace()
	if err == nil && c != ':' {
		return p.syntax(`{""`, path)
	}
	if err == nil {
		p.drop(1)
		c, err = p.skipSpace()
	}
	switch {
	case err == io.EOF:
		return p.here(wire.ErrTruncated, path)
	case err != nil:
		return err
	case c == ',' || c == '}' || c == ']' || c == ':':
		return p.syntax(`{"":`, path)
	}
	return p.jsonValue(s, path, depth)
}
