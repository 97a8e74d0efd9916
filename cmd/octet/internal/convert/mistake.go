package convert

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/octet-go/octet/transcode"
)

// mistakeSize is the number of bytes from an error on that its text can depend on.
const mistakeSize = 64

// mistake returns the reason of a syntax error. It names a common mistake as
// package transcode does. rest is the text from the error on.
func mistake(e *transcode.Error, rest []byte) error {
	rest = rest[:min(len(rest), mistakeSize)]
	if len(rest) == 0 {
		return e.Err
	}
	if text := e.Err.Error(); strings.Contains(text, "in literal") || strings.Contains(text, "in number") {
		return e.Err // about the token before
	}
	if rest[0] == ',' {
		next := bytes.TrimLeft(rest[1:], " \t\r\n")
		if len(next) > 0 && (next[0] == ']' || next[0] == '}') {
			return fmt.Errorf("%w: trailing comma before %q", transcode.ErrSyntax, next[0])
		}
		return e.Err
	}
	// Only the messages of jsontext name the character.
	_, err := transcode.AppendMsgpack(nil, rest, nil)
	if alone, ok := errors.AsType[*transcode.Error](err); ok && alone.Offset == 0 &&
		errors.Is(alone, transcode.ErrSyntax) && !strings.Contains(alone.Err.Error(), "character") {
		return alone.Err
	}
	return e.Err
}
