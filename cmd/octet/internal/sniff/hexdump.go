package sniff

import (
	"strconv"
	"strings"
)

// HexDump is the name of text that shows bytes behind their offsets.
const HexDump = "a hex dump"

// IsHexDump reports whether text begins as xxd, hexdump, od -t x1 and debuggers write
// bytes in hexadecimal. The offset at the beginning of a line consists of digits as the bytes do.
// A colon is therefore behind it, or it is 0 and the offset in the second line is the
// number of bytes in the first one.
func IsHexDump(text string) bool {
	first, rest, _ := strings.Cut(strings.TrimLeft(text[:min(len(text), MaxHead)], spaces), "\n")
	first, _, _ = strings.Cut(first, "|") // before the characters of hexdump -C
	words := strings.Fields(first)
	if len(words) < 2 {
		return false
	}
	offset, colon := strings.CutSuffix(words[0], ":")
	offset = strings.TrimPrefix(offset, "0x")
	words = words[1:]
	if colon { // debuggers write 0x before both
		words[0] = strings.TrimPrefix(words[0], "0x")
	}
	if len(offset) < 4 || !isHexWord(offset) || !isHexWord(words[0]) || len(words[0])%2 != 0 {
		return false
	}
	if colon {
		return true
	}
	next := strings.TrimRight(strings.SplitN(rest, "\n", 2)[0], spaces)
	next, _, _ = strings.Cut(next, " ")
	if strings.Trim(offset, "0") != "" || next != "*" && len(next) != len(offset) { // * is for equal lines
		return false
	}
	count := uint64(len(strings.Join(words, "")) / 2)
	hex, err := strconv.ParseUint(next, 16, 64)
	octal, err8 := strconv.ParseUint(next, 8, 64)
	return next == "*" || err == nil && hex == count || err8 == nil && octal == count
}

// isHexWord reports whether word consists of hexadecimal digits.
func isHexWord(word string) bool { return strings.Trim(word, "0123456789abcdefABCDEF") == "" }
