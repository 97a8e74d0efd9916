package view

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/diag"
	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
)

// Parse returns the MessagePack that text describes and the name of the form of
// the text. form is "hex", "base64", "text" for JSON and diagnostic notation, or
// "auto". Text that can be read as hex and as a number is read as hex.
func Parse(text, form string) (data []byte, name string, err error) {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\ufeff"))
	if text == "" {
		return nil, "", errors.New("there is no text")
	}
	if form != "text" && sniff.IsHexDump(text) {
		return nil, "", errors.New("this looks like a hex dump: its offsets would be read as bytes; give the bytes only, as xxd -p writes them")
	}
	if form == "hex" || form == "auto" {
		if data, ok := hexBytes(text); ok {
			return data, "hex", nil
		}
		if form == "hex" {
			return nil, "", errors.New("this is not hex: expected pairs of the digits 0 to 9 and a to f")
		}
	}
	if form == "base64" {
		if data, ok := base64Bytes(text); ok {
			return data, "base64", nil
		}
		return nil, "", errors.New("this is not base64")
	}
	data, err = notationBytes(strings.NewReader(text))
	if err == nil {
		return data, "JSON or diagnostic notation", nil
	}
	if form == "auto" && !hasWords(text) {
		if data, ok := base64Bytes(text); ok {
			return data, "base64", nil
		}
	}
	return nil, "", err
}

// notationBytes reads values in diagnostic notation, of which JSON is a part.
func notationBytes(text io.Reader) ([]byte, error) {
	r := diag.NewReader(text)
	var data []byte
	for {
		next, err := r.Append(data)
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
		data = next
	}
}

// hexBytes reads bytes in hex. White space, commas and colons can be between them,
// and 0x or \x before them. Hyphens are between pairs only, in a text longer than the
// number 1e-10.
func hexBytes(text string) ([]byte, bool) {
	digits := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ',' || c == ':':
			if len(digits)%2 != 0 {
				return nil, false
			}
		case c == '-' && i%3 == 2 && len(text) > len("1e-10") && (i+3 == len(text) || i+3 < len(text) && text[i+3] == '-'):
		case (c == '0' || c == '\\') && i+1 < len(text) && text[i+1] == 'x':
			i++
		case c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F':
			digits = append(digits, c)
		default:
			return nil, false
		}
	}
	data := make([]byte, len(digits)/2)
	_, err := hex.Decode(data, digits)
	return data, err == nil && len(data) > 0
}

// hasWords reports whether a line of text has white space inside, which base64 has not.
func hasWords(text string) bool {
	for line := range strings.Lines(text) {
		if len(strings.Fields(line)) > 1 {
			return true
		}
	}
	return false
}

// base64Bytes reads the standard and the URL alphabet, with or without padding.
func base64Bytes(text string) ([]byte, bool) {
	text = strings.NewReplacer("-", "+", "_", "/", "=", "", "\n", "", "\r", "", " ", "").Replace(text)
	data, err := base64.RawStdEncoding.DecodeString(text)
	return data, err == nil && len(data) > 0
}

// Import returns the MessagePack in a file and the name of its form. Like octet
// convert, it reads JSON in several encodings and recognizes other formats. It also
// reads the forms of [Parse].
func Import(data []byte, watch index.Watch) ([]byte, string, error) {
	encoding := sniff.EncodingByBytes(data)
	form := "JSON"
	if encoding != (sniff.Encoding{}) {
		text, err := io.ReadAll(sniff.NewUTF8(watch.Reader(data), encoding))
		if err != nil {
			return nil, "", err
		}
		data, form = text, "JSON in "+encoding.String()
	}
	format := sniff.ByBytes(data)
	foreign := sniff.ForeignByBytes(data, len(data) <= sniff.MaxHead)
	switch {
	case format == sniff.Zstandard && sniff.IsRecord(data):
		return nil, "", errors.New("this is a record file; octet convert FILE -o NAME.msgpack writes its values as MessagePack")
	case format == sniff.Zstandard:
		return nil, "", errors.New("this is compressed by zstd, which browsers do not decompress; run zstd -d FILE first, or octet page FILE")
	case foreign.Certain:
		return nil, "", fmt.Errorf("this looks like %s, not JSON or MessagePack", foreign.Name)
	case foreign.Name == sniff.HexDump || foreign.Name == sniff.Hexadecimal || format == sniff.Text:
		data, form, err := Parse(string(data), "auto")
		if err != nil {
			return nil, "", fmt.Errorf("this looks like text, but is not JSON, hex, base64 or diagnostic notation: %w", err)
		}
		return data, form, nil
	case format == sniff.JSON || encoding != (sniff.Encoding{}): // ByBytes may not recognize truncated text
		data, err := notationBytes(watch.Reader(bytes.TrimPrefix(data, []byte("\ufeff"))))
		if err != nil {
			return nil, "", fmt.Errorf("this looks like JSON: %w", err)
		}
		return data, form, nil
	case foreign.Name != "":
		return data, "MessagePack, but it looks like " + foreign.Name, nil
	}
	return data, "MessagePack", nil
}
