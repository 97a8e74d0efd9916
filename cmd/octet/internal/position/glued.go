package position

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/octet-go/octet/transcode"
)

// Glued returns the error of package transcode if text continues the number or literal
// that ends before it, such as the 1 of 01, and nil otherwise. Package jsontext reads 01
// as two values of a stream. The offset of the error is 0.
func Glued(text []byte) *transcode.Error {
	if len(text) == 0 || strings.IndexByte(" \t\r\n", text[0]) >= 0 {
		return nil
	}
	const literal = "null"
	_, err := transcode.AppendMsgpack(nil, append([]byte(literal), text[:min(len(text), utf8.UTFMax)]...), nil)
	e, ok := errors.AsType[*transcode.Error](err)
	if !ok || !errors.Is(e, transcode.ErrSyntax) || e.Offset != int64(len(literal)) {
		return nil
	}
	e.Offset = 0
	return e
}
