package convert

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octet-go/octet/cmd/octet/internal/position"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// A skipper converts a stream and leaves out the values with errors. It converts
// one part of the input after another; a part that an error ends is followed by
// one that begins after the bad value.
type skipper struct {
	w      io.Writer
	o      Options
	buf    []byte
	in     []byte            // input that is not converted, in buf
	begin  position.Position // of in
	eof    bool
	line   bool           // the rest of a bad line is being skipped
	bad    *wire.Splitter // finds the end of a bad value of MessagePack that is being skipped
	next   int64          // before this offset, end looks for no end of a value
	result Result
	out    bytes.Buffer
}

// skipWindow is the number of bytes that are read at a time.
const skipWindow = 1 << 20

func skipBad(w io.Writer, r io.Reader, o Options) (Result, error) {
	s := &skipper{w: w, o: o, buf: make([]byte, skipWindow)}
	tried := 0 // bytes of an incomplete value that could not be converted
	for !s.eof {
		if 2*len(s.in) > len(s.buf) {
			s.buf = make([]byte, 2*len(s.buf))
		}
		s.in = s.buf[:copy(s.buf, s.in)]
		n, err := r.Read(s.buf[len(s.in):])
		s.in = s.in[:len(s.in)+n]
		if err != nil && err != io.EOF {
			return s.result, err
		}
		s.eof = err == io.EOF
		// A long value is tried again only after it has grown by half, so that
		// the time stays linear.
		if !s.eof && tried > skipWindow/8 && len(s.in) < tried+tried/2 {
			continue
		}
		if err := s.convert(); err != nil {
			return s.result, err
		}
		tried = len(s.in)
	}
	return s.result, nil
}

// convert converts s.in up to an incomplete value at its end.
func (s *skipper) convert() error {
	for s.resume() {
		text := s.in
		if s.o.From == sniff.JSON && !s.eof {
			text = text[:s.complete()]
		}
		if len(text) == 0 {
			return nil
		}
		used, fault, err := s.part(text)
		if err != nil {
			return err
		}
		s.drop(used)
		switch {
		case fault == nil:
			if len(text) == used && !s.eof {
				return nil
			}
			continue
		case errors.Is(fault, wire.ErrTruncated) && !s.eof:
			return nil
		}
		end, complete := s.end(fault)
		if !complete && !s.eof {
			return nil
		}
		s.result.Skipped++
		if s.result.First == nil {
			s.result.First = fault
		}
		s.skipBadValue(end)
	}
	return nil
}

// part converts the values at the start of text and writes them. It returns the
// number of bytes of these values and the error in the next one.
func (s *skipper) part(text []byte) (used int, bad, err error) {
	result, fault := Result{}, error(nil)
	s.out.Reset()
	switch {
	case s.o.From == sniff.MessagePack && s.o.To == sniff.JSON:
		result, fault = s.o.pass(&s.out, bytes.NewReader(text), 0, nil)
	case s.o.From == sniff.MessagePack:
		used, result, fault = s.rewrite(text)
	default:
		result, fault = s.toMsgpack(text)
		if s.o.To == sniff.JSON {
			// This conversion found the first error. A number that MessagePack cannot
			// hold is not an error, because the output is JSON.
			if e, ok := errors.AsType[*transcode.Error](fault); ok && !errors.Is(e, transcode.ErrNumber) {
				text = text[:e.Start]
			}
			bad := fault
			if used, result, fault = s.rewrite(text); fault == nil && !errors.Is(bad, transcode.ErrNumber) {
				fault = bad
			}
		}
	}
	before := s.result.Values + s.result.Skipped
	if e, ok := errors.AsType[*transcode.Error](fault); ok {
		if s.o.From != s.o.To || s.o.From == sniff.JSON && used < int(e.Start) {
			used = int(e.Start)
		}
		e.Value += before
		e.Offset += s.begin.Offset
		if e.Line == 1 {
			e.Column += s.begin.Runes
		}
		if e.Line > 0 {
			e.Line += s.begin.Lines
		}
	} else if f, ok := errors.AsType[*scan.Fault](fault); ok {
		f.Value += before
	} else if fault != nil {
		return used, nil, fault
	}
	if fault == nil {
		used = len(text)
	}
	s.result.Add(result)
	_, err = s.w.Write(s.out.Bytes())
	return used, fault, err
}

// rewrite converts the values in text to their own format.
func (s *skipper) rewrite(text []byte) (used int, r Result, fault error) {
	s.out.Reset()
	if len(text) == 0 {
		return 0, r, nil
	}
	good, lead, base := 0, 0, int64(0)
	switch {
	case s.o.From == sniff.MessagePack:
		base = s.begin.Offset
	case s.begin.Offset == 0 && bytes.HasPrefix(text, []byte(bom)):
		lead = len(bom)
	}
	r, fault = s.o.pass(&s.out, bytes.NewReader(text[lead:]), base, func(offset int64) { used, good = lead+int(offset-base), s.out.Len() })
	if e, ok := errors.AsType[*transcode.Error](fault); ok {
		e.Offset += int64(lead)
	}
	s.out.Truncate(good)
	return used, r, fault
}

// toMsgpack converts JSON in one goroutine, which takes less time than a pipeline
// if there are many bad lines.
func (s *skipper) toMsgpack(text []byte) (r Result, fault error) {
	out, fault := transcode.AppendMsgpackValues(s.out.AvailableBuffer(), text, s.o.transcode())
	if e, ok := errors.AsType[*transcode.Error](fault); ok {
		r.Values = e.Value
	} else {
		for rest := out; len(rest) > 0; r.Values++ {
			n, _ := wire.Skip(rest, wire.MaxDepth)
			rest = rest[n:]
		}
	}
	s.out.Write(out)
	return r, fault
}

// drop removes the first n bytes of the input.
func (s *skipper) drop(n int) {
	if s.o.From == sniff.JSON {
		s.begin = s.begin.After(s.in[:n])
	} else {
		s.begin.Offset += int64(n)
	}
	s.in = s.in[n:]
}

// complete returns the length of the JSON text that more input does not extend:
// a number or literal at its end may continue.
func (s *skipper) complete() int {
	return bytes.LastIndexAny(s.in, " \t\r\n\"{}[],:") + 1
}

// end returns the end of the bad value at the start of the input if it is JSON
// whose syntax is right, and 0 otherwise. complete says that more input does not
// change the result.
//
// After a search in vain, the values that begin in the first half of what it has read
// count as wrong, so that the time stays linear: they can be parts of a value that does
// not end, each of which does not end either.
func (s *skipper) end(fault error) (end int, complete bool) {
	if s.o.From != sniff.JSON || errors.Is(fault, transcode.ErrSyntax) || errors.Is(fault, wire.ErrTruncated) {
		return 0, true
	}
	if s.begin.Offset < s.next {
		return 0, true
	}
	d := jsontext.NewDecoder(bytes.NewReader(s.in), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err := d.SkipValue(); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) && !s.eof {
			return 0, false
		}
		s.next = s.begin.Offset + d.InputOffset()/2
		return 0, true
	}
	return int(d.InputOffset()), true
}

// skipBadValue skips the bad value at the start of the input.
//
// A JSON value that is complete but cannot be converted is skipped alone. If its
// syntax is wrong, its end is unknown: the rest of the line is skipped, and all
// lines that continue a value because they begin with white space or
// punctuation.
func (s *skipper) skipBadValue(end int) {
	switch {
	case s.o.From == sniff.MessagePack:
		s.bad = new(wire.Splitter)
	case end > 0:
		s.drop(end)
	default:
		s.drop(len(s.in) - len(bytes.TrimLeft(s.in, " \t\r\n")))
		s.line = true
	}
}

// resume ends the skipping. It returns false if it needs more input.
func (s *skipper) resume() bool {
	for s.line {
		end := bytes.IndexByte(s.in, '\n') + 1
		if end == 0 || end == len(s.in) {
			if s.eof || end == 0 {
				s.drop(len(s.in))
			} else {
				s.drop(end - 1) // what follows the line end decides
			}
			return false
		}
		s.drop(end)
		s.line = bytes.IndexByte([]byte(" \t\r\n}],:"), s.in[0]) >= 0
	}
	for s.bad != nil {
		// A byte that no value begins with counts as a value, so that the values after
		// it are found.
		n, whole, err := s.bad.Next(s.in)
		s.drop(n)
		if whole {
			s.bad = nil
		} else if err == nil {
			return false
		}
	}
	return len(s.in) > 0
}
