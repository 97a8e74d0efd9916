package convert

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// toJSON converts MessagePack up to the end of the input.
func (p *parts) toJSON() error {
	for {
		data, count, err := p.some(math.MaxUint64, msgpackEnd)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case count == 0:
			if err := p.value("", 0); err != nil {
				return err
			}
			_ = p.w.WriteByte('\n') // a bufio.Writer keeps its first error
			p.result.Values++
		default:
			stats, err := transcode.ToJSON(p.w, bytes.NewReader(data), p.options(0))
			p.result.Add(Result{Changed: stats.Changed})
			if err != nil {
				return p.wrong(err, stats.Values)
			}
			p.result.Values += stats.Values
			p.drop(len(data))
		}
		if p.r.Buffered() == 0 {
			if err := p.w.Flush(); err != nil {
				return err
			}
		}
	}
}

// wrong completes an error in a top-level value that follows others in the same
// part.
func (p *parts) wrong(err error, before int64) error {
	p.result.Values += before
	return p.fault(err, "", 0)
}

// msgpackEnd returns the end of the first value in b and whether it is complete, as
// [firstEnd] does, without allocating memory for each value.
func msgpackEnd(b []byte) (end int, ok bool) {
	var s wire.Splitter
	end, ok, err := s.Next(b)
	if err != nil {
		return len(b), true
	}
	return end, ok
}

// pairEnd returns the end of the first key and value in b.
func pairEnd(b []byte) (int, bool) {
	k, ok := msgpackEnd(b)
	if !ok {
		return 0, false
	}
	v, ok := msgpackEnd(b[k:])
	return k + v, ok
}

// value converts a large value at a path, inside depth containers.
func (p *parts) value(path string, depth int) error {
	head, _ := p.r.Peek(5)
	h, n, err := wire.ConsumeHeader(head)
	kind := h.Format.Kind()
	switch {
	case err != nil || depth >= wire.MaxDepth-1: // the converter returns the error
	case kind == wire.KindArray:
		p.drop(n)
		return p.inside(func() error { return p.array(path, uint64(h.Count), depth+1) })
	case kind == wire.KindMap && !p.o.Reversible:
		p.drop(n)
		return p.inside(func() error { return p.object(path, uint64(h.Count), depth+1) })
	}
	// A string, or a map whose form depends on all its keys.
	begin := p.at
	data, err := p.whole(new(wire.Splitter))
	if err != nil {
		return err
	}
	p.buf.Reset()
	stats, err := transcode.ToJSON(&p.buf, bytes.NewReader(data), p.options(depth))
	p.result.Changed.Add(stats.Changed)
	if err != nil {
		p.at = begin
		return p.fault(err, path, 0)
	}
	p.lines(p.buf.Bytes(), depth)
	return nil
}

// array converts the elements of an array: those between two large ones as a stream.
func (p *parts) array(path string, count uint64, depth int) error {
	_ = p.w.WriteByte('[')
	for i := uint64(0); i < count; {
		p.separate(i > 0, depth)
		begin := p.at
		in := &elements{parts: p, left: count - i}
		stats, err := transcode.ToJSON(&lineWriter{w: p.w, newline: p.newline(depth)}, in, p.options(depth))
		p.result.Changed.Add(stats.Changed)
		if err != nil {
			p.at = begin
			return p.fault(err, path+index(i+uint64(stats.Values)), 0)
		}
		if i = count - in.left; i == count {
			break
		}
		if in.ended {
			return p.here(wire.ErrTruncated, path+index(i))
		}
		if stats.Values > 0 {
			p.separate(true, depth)
		}
		if err := p.value(path+index(i), depth); err != nil {
			return err
		}
		i++
	}
	p.end(']', depth-1)
	return nil
}

// elements is a reader of the next elements of an array, up to a large one.
type elements struct {
	*parts
	left  uint64 // elements that have not been read
	data  []byte // the rest of those that are in memory
	ended bool   // the input has ended before the next element
}

func (e *elements) Read(b []byte) (int, error) {
	if len(e.data) == 0 {
		if e.left == 0 {
			return 0, io.EOF
		}
		data, n, err := e.some(e.left, msgpackEnd)
		if e.ended = err == io.EOF; err != nil || n == 0 {
			return 0, cmp.Or(err, io.EOF)
		}
		e.data, e.left = data, e.left-n
	}
	n := copy(b, e.data)
	e.data = e.data[n:]
	e.drop(n)
	return n, nil
}

// object converts the pairs of a map.
func (p *parts) object(path string, count uint64, depth int) error {
	_ = p.w.WriteByte('{')
	keys := map[string]bool{}
	for i := uint64(0); i < count; {
		p.separate(i > 0, depth)
		data, n, err := p.some(count-i, pairEnd)
		switch {
		case err == io.EOF:
			return p.here(wire.ErrTruncated, path)
		case err != nil:
			return err
		case n == 0:
			if err := p.pair(path, keys, depth); err != nil {
				return err
			}
			i++
			continue
		}
		// The pairs are converted as a map of their own, without its braces.
		head := wire.AppendMapHeader(nil, uint32(n))
		p.buf.Reset()
		stats, err := transcode.ToJSON(&p.buf, io.MultiReader(bytes.NewReader(head), bytes.NewReader(data)), p.options(depth-1))
		p.result.Changed.Add(stats.Changed)
		if err != nil {
			return p.fault(err, path, int64(len(head)))
		}
		text := bytes.TrimSuffix(p.buf.Bytes(), []byte("\n"))
		text = text[1 : len(text)-1]
		if p.o.Pretty {
			text = bytes.TrimSuffix(bytes.TrimPrefix(text, []byte("\n"+indent)), []byte("\n"))
			text = bytes.ReplaceAll(text, []byte("\n"), []byte("\n"+strings.Repeat(indent, depth-1)))
		}
		for at := 0; at < len(data); {
			end, _ := msgpackEnd(data[at:])
			if err := p.unique(keys, data[at:at+end], at, path); err != nil {
				return err
			}
			value, _ := msgpackEnd(data[at+end:])
			at += end + value
		}
		_, _ = p.w.Write(text)
		p.drop(len(data))
		i += n
	}
	p.end('}', depth-1)
	return nil
}

// pair converts a key and a large value, or a large key and a value.
func (p *parts) pair(path string, keys map[string]bool, depth int) error {
	begin := p.at
	key, err := p.whole(new(wire.Splitter))
	if err != nil {
		return err
	}
	after := p.at
	p.at = begin
	if err := p.unique(keys, key, 0, path); err != nil {
		return err
	}
	text, changed, err := p.keyText(key)
	if err != nil {
		return p.fault(err, path, 1)
	}
	p.result.Changed.Add(changed)
	p.at = after
	_, _ = p.w.Write(text)
	_ = p.w.WriteByte(':')
	if p.o.Pretty {
		_ = p.w.WriteByte(' ')
	}
	name, err := jsontext.AppendUnquote(nil, text)
	if err != nil {
		return err
	}
	path += step(string(name))
	data, n, err := p.some(1, msgpackEnd)
	switch {
	case err == io.EOF:
		return p.here(wire.ErrTruncated, path)
	case err != nil:
		return err
	case n == 0:
		return p.value(path, depth)
	}
	p.buf.Reset()
	stats, err := transcode.ToJSON(&p.buf, bytes.NewReader(data), p.options(depth))
	p.result.Changed.Add(stats.Changed)
	if err != nil {
		return p.fault(err, path, 0)
	}
	p.lines(p.buf.Bytes(), depth)
	p.drop(len(data))
	return nil
}

// keyText returns the JSON string that a key becomes.
func (p *parts) keyText(key []byte) ([]byte, transcode.Changed, error) {
	t := p.options(0)
	t.Indent = ""
	var text bytes.Buffer
	pair := append([]byte{byte(wire.FixMap) | 1}, key...)
	if !p.cut {
		pair = append(pair, byte(wire.Nil))
	}
	stats, err := transcode.ToJSON(&text, bytes.NewReader(pair), t)
	if err != nil {
		return nil, stats.Changed, err
	}
	return text.Bytes()[1 : text.Len()-len(":null}\n")], stats.Changed, nil
}

// unique checks that no key before, in an earlier part of the map, becomes the
// same string. at is the offset of the key in the current part.
func (p *parts) unique(keys map[string]bool, key []byte, at int, path string) error {
	text, _, err := wire.ConsumeString(key)
	name := string(text)
	if err != nil {
		quoted, _, err := p.keyText(key)
		if err != nil {
			return p.fault(err, path, 1-int64(at))
		}
		unquoted, err := jsontext.AppendUnquote(nil, quoted)
		if err != nil {
			return err
		}
		name = string(unquoted)
	}
	if keys[name] {
		err := p.here(wire.ErrDuplicateKey, path).(*transcode.Error)
		err.Offset += int64(at)
		err.Found = "another " + strconv.Quote(name)
		return err
	}
	keys[name] = true
	return nil
}

func index(i uint64) string { return "[" + strconv.FormatUint(i, 10) + "]" }

// separate writes what is in front of an element.
func (p *parts) separate(comma bool, depth int) {
	if comma {
		_ = p.w.WriteByte(',')
	}
	_, _ = p.w.WriteString(p.newline(depth))
}

// end writes the closing bracket of a container that is not empty.
func (p *parts) end(bracket byte, depth int) {
	_, _ = p.w.WriteString(p.newline(depth))
	_ = p.w.WriteByte(bracket)
}

// newline returns what begins a line inside depth containers.
func (p *parts) newline(depth int) string {
	if !p.o.Pretty {
		return ""
	}
	return "\n" + strings.Repeat(indent, depth)
}

// lines writes values that package transcode has converted as elements inside depth
// containers.
func (p *parts) lines(text []byte, depth int) {
	l := lineWriter{w: p.w, newline: p.newline(depth)}
	_, _ = l.Write(text)
}

// A lineWriter writes values that package transcode has converted, each followed by a
// line end, as elements of a container.
type lineWriter struct {
	w       *bufio.Writer
	newline string // what begins a line
	ended   bool   // a line has ended, and what follows tells whether its value has, too
}

func (l *lineWriter) Write(text []byte) (n int, err error) {
	for rest := text; len(rest) > 0; {
		if l.ended {
			// A line that does not continue a value begins the next one.
			if c := rest[0]; c != ' ' && c != '}' && c != ']' {
				_ = l.w.WriteByte(',')
			}
			_, _ = l.w.WriteString(l.newline)
		}
		i := bytes.IndexByte(rest, '\n')
		if l.ended = i >= 0; !l.ended {
			i = len(rest)
		}
		_, err = l.w.Write(rest[:i]) // the first error of all writes
		rest = rest[min(i+1, len(rest)):]
	}
	return len(text), err
}
