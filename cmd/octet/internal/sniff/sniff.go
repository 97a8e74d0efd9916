// Package sniff tells formats apart, by the name of a file or by its first
// bytes.
package sniff

import (
	"bytes"
	"path/filepath"
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
// character is one of its small integers. So the rule goes by what is likely:
// bytes that are readable text throughout, and begin as JSON does, are JSON; a
// longer run of readable text is text; all else is MessagePack. It errs on a
// MessagePack stream that begins with several small integers and nothing else.
func ByBytes(head []byte) Format {
	head = head[:min(len(head), Enough)]
	switch {
	case len(head) == 0:
		return Unknown
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b, 8}):
		return Gzip
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return Zstandard
	case !readable(head):
		return MessagePack
	case beginsJSON(head):
		return JSON
	case len(head) >= 8:
		return Text
	}
	return MessagePack
}

// readable reports whether head is UTF-8 without control characters. A
// character cut in two at its end is let pass.
func readable(head []byte) bool {
	for len(head) > 0 {
		r, size := utf8.DecodeRune(head)
		switch {
		case r == utf8.RuneError && size == 1:
			return len(head) < utf8.UTFMax && !utf8.FullRune(head)
		case r == '\t' || r == '\n' || r == '\r':
		case r < ' ' || r == 0x7f:
			return false
		}
		head = head[size:]
	}
	return true
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
