// Package sniff tells formats apart, by the name of a file or by its first
// bytes.
package sniff

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Format is what a file is written in.
type Format int

const (
	Unknown Format = iota
	JSON
	MessagePack
	Text // none that the tool reads, the rest of the list neither
	Gzip
	Zstandard
)

// String returns the name that flags have for the format.
func (f Format) String() string {
	return [...]string{"unknown", "json", "msgpack", "text", "gzip", "zstd"}[f]
}

// Other returns the one of JSON and MessagePack that f is not.
func (f Format) Other() Format {
	if f == JSON {
		return MessagePack
	}
	return JSON
}

// Named returns the format that a flag names, or Unknown.
func Named(name string) Format {
	for _, f := range []Format{JSON, MessagePack} {
		if f.String() == name {
			return f
		}
	}
	return Unknown
}

// endings of file names that say JSON or MessagePack.
var endings = map[Format][]string{
	JSON:        {".json", ".ndjson", ".jsonl"},
	MessagePack: {".msgpack", ".mpack", ".mpk", ".mp"},
}

// Endings returns the file endings that [ByName] knows for f.
func Endings(f Format) []string { return endings[f] }

// ByName returns the format that a file name promises, or Unknown.
func ByName(path string) Format {
	ending := strings.ToLower(filepath.Ext(path))
	for f, list := range endings {
		if slices.Contains(list, ending) {
			return f
		}
	}
	return Unknown
}

// Enough is how many bytes [ByBytes] looks at, at most.
const Enough = 512

// ByBytes returns the format of a file that begins with head, Unknown where
// head is empty.
//
// Nothing in MessagePack marks the beginning of a file, and every ASCII
// character is one of its small integers. So the rule goes by what is likely,
// and where that is open by what does less harm: an error about a file is
// mended with a flag, integers made of broken text pass unnoticed.
//
//   - JSON begins as JSON does, and is readable text. If more than the first
//     character says so, half of it may be unreadable: a broken file, or one in
//     another encoding.
//   - Text is other readable text from an ASCII character on, or eight bytes of
//     it. After eight readable bytes, it may be in another encoding than UTF-8.
//   - All else is MessagePack.
//
// It errs on MessagePack that begins with integers which spell text.
func ByBytes(head []byte) Format {
	head = head[:min(len(head), Enough)]
	switch {
	case len(head) == 0:
		return Unknown
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b, 8}):
		return Gzip
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return Zstandard
	}
	const long = 8
	ascii := head[0] < utf8.RuneSelf
	c := count(head)
	mostly := 2*(c.control+c.foreign) < len(head)
	switch {
	case mostly && opening.Match(head):
		return JSON
	case c.clean == len(head) && beginsJSON(head):
		return JSON
	case c.clean == len(head) && (ascii || len(head) >= long):
		return Text
	case mostly && ascii && c.clean >= long && c.control == 0:
		return Text
	}
	return MessagePack
}

// opening is a beginning of JSON that is more than one character, except for a
// quote. A number or word has to end as one.
var opening = regexp.MustCompile(`^(\x{feff})?[ \t\r\n]*(` +
	`\{[ \t\r\n"}]|` +
	`\[[ \t\r\n"{\[\]0-9tfn-]|` +
	`"|` +
	`(-?[0-9]+([.eE][0-9eE+-]+)?|true|false|null)([ \t\r\n]|$))`)

// A tally is how much of some bytes is readable: UTF-8 without control
// characters.
type tally struct {
	clean   int // bytes before the first that is not readable
	control int // control characters other than white space
	foreign int // bytes that are not UTF-8
}

// count tallies head. A character cut in two at its end is let pass.
func count(head []byte) (c tally) {
	for i := 0; i < len(head); {
		r, size := utf8.DecodeRune(head[i:])
		switch {
		case r == utf8.RuneError && size == 1 && utf8.FullRune(head[i:]):
			c.foreign++
		case r == utf8.RuneError && size == 1:
			size = len(head) - i
		case r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f:
			c.control++
		}
		i += size
		if c.control+c.foreign == 0 {
			c.clean = i
		}
	}
	return c
}

// beginsJSON reports whether text begins as a JSON value does.
func beginsJSON(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 {
		return true // white space only, so far
	}
	if bytes.IndexByte([]byte(`{["-0123456789`), text[0]) >= 0 {
		return true
	}
	for _, literal := range []string{"null", "true", "false"} {
		n := min(len(literal), len(text))
		if string(text[:n]) == literal[:n] {
			return true
		}
	}
	return false
}
