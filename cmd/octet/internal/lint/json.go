package lint

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octet-go/octet/cmd/octet/internal/position"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// RunJSON checks all values of r, which is JSON text. If the text is malformed, it
// reports that as a finding and returns a [*transcode.Error]. Other errors come
// from r and from report.
func RunJSON(r *bufio.Reader, o Options, report func(Finding) error) (Summary, error) {
	l := &jsonLinter{o: o, report: report}
	const mark = "\ufeff"
	if all, _ := r.Peek(len(mark)); string(all) == mark {
		l.skipped, _ = r.Discard(len(mark)) // cannot fail because the bytes are buffered
	}
	l.at = &position.Reader{R: r}
	l.d = jsontext.NewDecoder(l.at, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	l.at.Consumed = l.d.InputOffset
	err := l.run()
	var syntax *jsontext.SyntacticError
	var malformed *transcode.Error
	switch {
	case errors.As(err, &syntax):
		malformed = l.malformed(syntax)
	case !errors.As(err, &malformed):
		return l.Summary, err
	}
	p := l.at.At(malformed.Offset - int64(l.skipped))
	malformed.Line, malformed.Column = p.Lines+1, p.Runes+1
	f := Finding{malformed.Offset, malformed.Line, malformed.Column, malformed.Value, malformed.Path, Malformed, reason(malformed.Err)}
	if err := report(f); err != nil {
		return l.Summary, err
	}
	return l.Summary, malformed
}

// reason returns the text of an error without the name of the package.
func reason(err error) string {
	if e, ok := err.(wire.Error); ok {
		return string(e)
	}
	return strings.TrimPrefix(err.Error(), "transcode: ")
}

type jsonLinter struct {
	Summary
	o       Options
	report  func(Finding) error
	d       *jsontext.Decoder
	at      *position.Reader
	skipped int
	stack   []level
	maps    maps
	hash    keyHash
	text    []byte
	err     error
}

// A level is an open array or object.
type level struct {
	object bool
	count  int64  // values that have begun; in an object, names
	name   string // the last name
	inName bool   // a name was read, and its value was not
}

func (l *jsonLinter) malformed(err *jsontext.SyntacticError) *transcode.Error {
	e := &transcode.Error{Offset: int64(l.skipped) + err.ByteOffset, Value: l.Values, Path: l.path()}
	if errors.Is(err.Err, io.ErrUnexpectedEOF) {
		e.Err = wire.ErrTruncated
	} else if l.trailingComma() {
		e.Err = fmt.Errorf("%w: trailing comma", transcode.ErrSyntax)
	} else {
		e.Err = fmt.Errorf("%w: %s", transcode.ErrSyntax, strings.TrimPrefix(err.Err.Error(), "jsontext: "))
	}
	return e
}

// trailingComma reports whether a comma and the end of an array or object follow
// what was read.
func (l *jsonLinter) trailingComma() bool {
	const space = " \t\r\n"
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(l.d.UnreadBuffer(), space), []byte(","))
	rest = bytes.TrimLeft(rest, space)
	return ok && len(rest) > 0 && (rest[0] == ']' || rest[0] == '}')
}

// path returns the path of the value or name that is being read.
func (l *jsonLinter) path() string {
	var b strings.Builder
	for _, v := range l.stack {
		switch {
		case !v.object:
			fmt.Fprintf(&b, "[%d]", v.count-1)
		case v.name == "" && !v.inName:
			fmt.Fprintf(&b, "{%d}", v.count)
		case strings.ContainsAny(v.name, ".[{\"' ") || v.name == "" || !utf8.ValidString(v.name):
			b.WriteString("[" + strconv.Quote(v.name) + "]")
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(v.name)
		}
	}
	return b.String()
}

func (l *jsonLinter) find(offset int64, rule Rule, format string, args ...any) {
	if l.err != nil || l.o.Ignore[rule] {
		return
	}
	p := l.at.At(offset - int64(l.skipped))
	l.err = l.report(Finding{offset, p.Lines + 1, p.Runes + 1, l.Values, l.path(), rule, fmt.Sprintf(format, args...)})
}

func (l *jsonLinter) run() error {
	for l.err == nil {
		kind := l.d.PeekKind()
		if l.o.Single && l.Values == 1 && len(l.stack) == 0 && kind != jsontext.KindInvalid && !l.o.Ignore[Trailing] {
			rest := l.d.UnreadBuffer()
			space := len(rest) - len(bytes.TrimLeft(rest, " \t\r\n"))
			l.find(l.offset()+int64(space), Trailing, "more data follows the first value")
			return l.err
		}
		switch kind {
		case ']', '}':
			if _, err := l.d.ReadToken(); err != nil {
				return err
			}
			if l.stack[len(l.stack)-1].object {
				l.maps.pop()
			}
			l.stack = l.stack[:len(l.stack)-1]
		default:
			if n := len(l.stack); n > 0 && l.stack[n-1].object && !l.stack[n-1].inName {
				if err := l.name(); err != nil {
					return err
				}
				continue
			}
			if err := l.value(kind); err != nil {
				if err == io.EOF {
					return nil
				}
				return err
			}
		}
		if len(l.stack) == 0 {
			l.Values++
		}
	}
	return l.err
}

// offset returns the offset after what was read.
func (l *jsonLinter) offset() int64 { return int64(l.skipped) + l.d.InputOffset() }

// value reads a value, or the beginning of an array or object.
func (l *jsonLinter) value(kind jsontext.Kind) error {
	if n := len(l.stack); n > 0 {
		top := &l.stack[n-1]
		if !top.object {
			top.count++
		}
		top.inName = false
	}
	switch kind {
	case '[', '{':
		if len(l.stack) == wire.MaxDepth {
			return &transcode.Error{Offset: l.offset(), Value: l.Values, Path: l.path(), Err: wire.ErrDepth}
		}
		if _, err := l.d.ReadToken(); err != nil {
			return err
		}
		l.stack = append(l.stack, level{object: kind == '{'})
		if kind == '{' {
			l.maps.push()
		}
		return nil
	}
	if kind == jsontext.KindInvalid {
		_, err := l.d.ReadToken()
		return err
	}
	raw, err := l.d.ReadValue()
	if err != nil {
		return err
	}
	start := l.offset() - int64(len(raw))
	switch kind {
	case '"':
		l.string(start, raw)
	case '0':
		var number *transcode.Error
		l.text, err = transcode.AppendMsgpack(l.text[:0], raw, nil)
		if errors.As(err, &number) {
			l.find(start, Number, "MessagePack cannot represent the number %s", clip(raw))
		}
	}
	if len(l.stack) == 0 && kind != '"' {
		if len(l.d.UnreadBuffer()) == 0 {
			_ = l.d.PeekKind() // an error is returned by the next call
		}
		if e := position.Glued(l.d.UnreadBuffer()); e != nil {
			e.Offset, e.Value = l.offset(), l.Values
			e.Err = fmt.Errorf("%w: expected %s, found %s", transcode.ErrSyntax, e.Want, e.Found)
			return e
		}
	}
	return nil
}

// string checks a string and leaves its content in l.text.
func (l *jsonLinter) string(start int64, raw []byte) {
	var err error
	l.text, err = jsontext.AppendUnquote(l.text[:0], raw)
	switch {
	case !utf8.Valid(raw):
		var t scan.Text
		t.Write(raw)
		l.find(start, UTF8, "invalid UTF-8 at byte %d of the string", t.Invalid()-1)
	case err != nil:
		l.find(start, UTF8, "a string contains half of a surrogate pair: %s", clip(raw))
	}
}

// name reads the name of a member.
func (l *jsonLinter) name() error {
	top := &l.stack[len(l.stack)-1]
	top.name = ""
	raw, err := l.d.ReadValue()
	if err != nil {
		return err
	}
	start := l.offset() - int64(len(raw))
	l.string(start, raw)
	text := string(l.text)
	l.hash.reset()
	l.hash.write(l.text)
	first, checked := l.maps.add(l.hash.sum(), start)
	f := &l.maps.frames[len(l.maps.frames)-1]
	top.name, top.inName = text, true
	switch {
	case !checked:
		l.Unchecked++
	case first >= 0:
		l.find(start, Duplicate, "duplicate name %s, first at offset %d", clip([]byte(strconv.Quote(text))), first)
	}
	if l.o.Canonical && !f.unsorted && top.count > 0 && bytes.Compare(f.last, l.text) > 0 {
		f.unsorted = true
		l.find(start, Order, "names are not in canonical order: %s comes after %s", clip([]byte(strconv.Quote(text))), clip([]byte(strconv.Quote(string(f.last)))))
	}
	f.last = append(f.last[:0], l.text...)
	top.count++
	return nil
}

// clip shortens a text for a message.
func clip(text []byte) string {
	const longest = 42
	if len(text) > longest {
		return string(text[:longest]) + "…"
	}
	return string(text)
}
