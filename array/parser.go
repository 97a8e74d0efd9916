package array

import (
	"errors"
	"strconv"
	"strings"
)

// A parser reads the dictionary in the header of a .npy file, which is a Python
// literal. It accepts the three keys that the format defines, in any order.
type parser struct {
	text []byte
	at   int

	descr            string // a structured type is the text of its list
	fortran          byte   // 'T' or 'F'
	shape            []int
	digits           [][2]int // the position of each dimension in text
	descrAt, shapeAt int64
}

func (p *parser) fail(format string, args ...any) error {
	return fault(int64(p.at), ErrCorrupt, "header: "+format, args...)
}

// skipSpace skips what may be between the parts of a literal.
func (p *parser) skipSpace() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n\f", p.text[p.at]) >= 0 {
		p.at++
	}
}

// next returns the next byte after white space, or 0 at the end.
func (p *parser) next() byte {
	p.skipSpace()
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// accept skips c if it is next.
func (p *parser) accept(c byte) bool {
	if p.next() != c {
		return false
	}
	p.at++
	return true
}

func (p *parser) dictionary() error {
	if !p.accept('{') {
		return p.fail("expected a dictionary")
	}
	for p.next() != '}' {
		start := p.at
		key, err := p.quoted()
		if err != nil {
			return err
		}
		if !p.accept(':') {
			return p.fail("expected a colon after %s", shorten(key))
		}
		p.skipSpace()
		switch {
		case key == "descr" && p.descr == "":
			err = p.parseDescr()
		case key == "fortran_order" && p.fortran == 0:
			err = p.parseFortran()
		case key == "shape" && p.shape == nil:
			err = p.parseShape()
		default:
			p.at = start
			return p.fail("unexpected or repeated key %s", shorten(key))
		}
		if err != nil {
			return err
		}
		if !p.accept(',') {
			break
		}
	}
	if !p.accept('}') {
		return p.fail("expected the end of the dictionary")
	}
	if p.next(); p.at != len(p.text) {
		return p.fail("unexpected text after the dictionary")
	}
	return nil
}

// quoted reads a string in single or double quotes. Keys and types contain no
// escapes.
func (p *parser) quoted() (string, error) {
	quote := p.next()
	if quote != '\'' && quote != '"' {
		return "", p.fail("expected a string")
	}
	end := p.at + 1
	for end < len(p.text) && p.text[end] != quote {
		if p.text[end] == '\\' || p.text[end] < ' ' {
			return "", p.fail("string with an escape")
		}
		end++
	}
	if end >= len(p.text) {
		return "", p.fail("string without an end")
	}
	s := string(p.text[p.at+1 : end])
	p.at = end + 1
	return s, nil
}

// parseDescr reads a type. The list of a structured type is kept as text, up to
// the bracket that closes it. The names of fields can have brackets, too.
func (p *parser) parseDescr() (err error) {
	p.descrAt = int64(p.at)
	switch p.next() {
	case '[', '(':
		depth, quote := 0, byte(0)
		for end := p.at; end < len(p.text); end++ {
			switch c := p.text[end]; {
			case quote != 0 && c == '\\':
				end++
			case c == quote:
				quote = 0
			case quote != 0:
			case c == '\'', c == '"':
				quote = c
			case c == '[', c == '(':
				depth++
			case c == ']', c == ')':
				if depth--; depth == 0 {
					p.descr = string(p.text[p.at : end+1])
					p.at = end + 1
					return nil
				}
			}
		}
		return p.fail("list without an end")
	}
	if p.descr, err = p.quoted(); err == nil && p.descr == "" {
		err = p.fail("empty type")
	}
	return err
}

func (p *parser) parseFortran() error {
	for _, word := range []string{"True", "False"} {
		if strings.HasPrefix(string(p.text[p.at:min(len(p.text), p.at+5)]), word) {
			p.at += len(word)
			p.fortran = word[0]
			return nil
		}
	}
	return p.fail("expected True or False")
}

func (p *parser) parseShape() error {
	p.shapeAt = int64(p.at)
	if !p.accept('(') {
		return p.fail("expected a tuple")
	}
	p.shape = []int{}
	comma := false
	for p.next() != ')' {
		start := p.at
		for p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9' {
			p.at++
		}
		digits := string(p.text[start:p.at])
		n, err := strconv.ParseUint(digits, 10, strconv.IntSize-1)
		if errors.Is(err, strconv.ErrRange) && digits[0] != '0' {
			return fault(int64(start), ErrLimit, "a dimension that does not fit an int")
		}
		if err != nil || digits != strconv.FormatUint(n, 10) {
			p.at = start
			return p.fail("expected a dimension that fits an int")
		}
		if len(p.shape) == maxDimensions {
			return fault(p.shapeAt, ErrLimit, "more than %d dimensions", maxDimensions)
		}
		p.shape = append(p.shape, int(n))
		p.digits = append(p.digits, [2]int{start, p.at})
		if p.at < len(p.text) && p.text[p.at] == 'L' {
			p.at++ // Python 2 wrote long integers this way
		}
		if comma = p.accept(','); !comma {
			break
		}
	}
	if !p.accept(')') {
		return p.fail("expected the end of the tuple")
	}
	if len(p.shape) == 1 && !comma {
		return p.fail("a number in parentheses is not a tuple")
	}
	return nil
}
