package diag

import (
	"bufio"
	"fmt"
	"io"
	"unicode/utf8"
)

// A SyntaxError says where and why a text is not diagnostic notation.
type SyntaxError struct {
	Offset       int64 // in bytes from the start of the text
	Line, Column int64 // the first is 1; a column is a character
	Value        int64 // number of complete top-level values before the error
	Reason       string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Reason)
}

// longestWord is the maximum number of bytes of a number or name.
const longestWord = 4096

// A lexer reads the bytes of a text and knows its position.
type lexer struct {
	r            *bufio.Reader
	offset       int64
	line, column int64 // of the next character
	err          error // of the reader, not io.EOF
}

// eof is what next and peek return at the end of the input.
const eof = -1

// next consumes a byte.
func (l *lexer) next() int {
	c, err := l.r.ReadByte()
	if err != nil {
		if err != io.EOF {
			l.err = err
		}
		return eof
	}
	l.offset++
	switch {
	case c == '\n':
		l.line++
		l.column = 1
	case utf8.RuneStart(c):
		l.column++
	}
	return int(c)
}

// peek returns the next byte and does not consume it.
func (l *lexer) peek() int {
	b, err := l.r.Peek(1)
	if err != nil {
		if err != io.EOF {
			l.err = err
		}
		return eof
	}
	return int(b[0])
}

// space skips white space and comments, which begin with # and end with the
// line.
func (l *lexer) space() {
	for {
		switch l.peek() {
		case ' ', '\t', '\r', '\n':
			l.next()
		case '#':
			for c := l.peek(); c != '\n' && c != eof; c = l.peek() {
				l.next()
			}
		default:
			return
		}
	}
}

func isWordByte(c int) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '+' || c == '-' || c == '.'
}

// word consumes letters, digits, signs and dots.
func (l *lexer) word() string {
	var word []byte
	for isWordByte(l.peek()) && len(word) <= longestWord {
		word = append(word, byte(l.next()))
	}
	return string(word)
}

// fail returns the error of the reader, or a [*SyntaxError] at the next byte.
func (l *lexer) fail(format string, args ...any) error {
	if l.err != nil {
		return l.err
	}
	return &SyntaxError{Offset: l.offset, Line: l.line, Column: l.column, Reason: fmt.Sprintf(format, args...)}
}

// describe returns a byte that was read, for messages.
func describe(c int) string {
	switch {
	case c == eof:
		return "the end of the input"
	case c < ' ' || c >= 0x7f:
		return fmt.Sprintf("the byte %#02x", c)
	}
	return fmt.Sprintf("%q", rune(c))
}

// expect consumes the byte c.
func (l *lexer) expect(c byte, where string) error {
	if got := l.peek(); got != int(c) {
		return l.fail("expected %q %s, found %s", rune(c), where, describe(got))
	}
	l.next()
	return nil
}
