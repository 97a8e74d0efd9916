package output

import (
	"bytes"
	"unicode/utf8"
)

// Text returns a string for [JSONLines], which writes the escape \ufffd for each byte
// that is not UTF-8. For strings, encoding/json does so before Go 1.27 only.
func Text(s string) any {
	if utf8.ValidString(s) {
		return s
	}
	return invalidText(s)
}

// An invalidText is a string that is not UTF-8.
type invalidText string

// MarshalJSON implements [encoding/json.Marshaler].
func (t invalidText) MarshalJSON() ([]byte, error) {
	dst := []byte{'"'}
	for begin := 0; ; {
		end := begin
		invalid := false
		for end < len(t) && !invalid {
			r, n := utf8.DecodeRuneInString(string(t[end:]))
			if invalid = r == utf8.RuneError && n == 1; !invalid {
				end += n
			}
		}
		var b bytes.Buffer
		if err := JSONLines(&b).Encode(string(t[begin:end])); err != nil {
			return nil, err
		}
		dst = append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\"\n"))[1:]...)
		if !invalid {
			return append(dst, '"'), nil
		}
		dst = append(dst, `\ufffd`...)
		begin = end + 1
	}
}
