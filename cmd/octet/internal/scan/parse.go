package scan

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ParsePath returns a path in the notation of [Scanner.Path]. It also accepts a
// dot or "$" at the beginning and the quoted form of any key.
func ParsePath(text string) (string, error) {
	rest := text
	if text == "$" || strings.HasPrefix(text, "$.") || strings.HasPrefix(text, "$[") {
		rest = text[1:]
	}
	var path []byte
	for first := true; rest != ""; first = false {
		switch {
		case strings.HasPrefix(rest, `["`):
			quoted, err := strconv.QuotedPrefix(rest[1:])
			if err != nil || !strings.HasPrefix(rest[1+len(quoted):], "]") {
				return "", fmt.Errorf("the key at %s does not end", rest)
			}
			name, _ := strconv.Unquote(quoted)
			path = appendName(path, []byte(name), false)
			rest = rest[len(quoted)+2:]
		case rest[0] == '[' || rest[0] == '{':
			end := strings.IndexByte(rest, rest[0]+2) // the closing bracket
			if end < 0 {
				return "", fmt.Errorf("the %q at %s is not closed", rest[0], rest)
			}
			number := rest[1:end]
			if _, err := strconv.ParseInt(number, 10, 64); err != nil {
				if _, err := strconv.ParseUint(number, 10, 64); err != nil {
					return "", fmt.Errorf("%s is not a number; write [\"%s\"] for a key", number, number)
				}
			}
			path = append(path, rest[:end+1]...)
			rest = rest[end+1:]
		case rest[0] == '.' || first:
			rest = strings.TrimPrefix(rest, ".")
			end := strings.IndexAny(rest, ".[{")
			if end < 0 {
				end = len(rest)
			}
			if end == 0 {
				return "", errors.New("a name is missing in " + text)
			}
			path = appendName(path, []byte(rest[:end]), false)
			rest = rest[end:]
		default:
			return "", errors.New("a dot or a bracket is missing before " + rest)
		}
	}
	return string(path), nil
}
