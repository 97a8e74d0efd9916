package query

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/msgpack/wire"
)

// texts returns the lines of all inputs as strings, or all of their text as one string.
// As in jq, U+FFFD replaces each byte that is not part of UTF-8.
// replaced counts the strings for which it did.
func texts(ctx context.Context, files *input.Files, whole bool, replaced *int64) iter.Seq2[value, error] {
	raw := *files
	raw.Raw, raw.Format = true, sniff.JSON
	return func(yield func(value, error) bool) {
		stopped := errors.New("stopped")
		var all strings.Builder
		var last *input.Input
		send := func(in *input.Input, number int64, text string) error {
			if int64(len(text)) > math.MaxUint32 {
				return failure.New(failure.Data, in.Name, errors.New("the text is longer than 4 GiB"))
			}
			if !utf8.ValidString(text) {
				text = string([]rune(text))
				*replaced++
			}
			if !yield(value{in: in, number: number, data: wire.AppendString(nil, text)}, nil) {
				return stopped
			}
			return nil
		}
		err := raw.Each(ctx, func(in *input.Input) error {
			last = in
			for number := int64(0); ; number++ {
				line, err := in.ReadString('\n')
				if err != nil && err != io.EOF {
					return err
				}
				switch {
				case whole:
					all.WriteString(line)
				case line != "":
					if failed := send(in, number, strings.TrimSuffix(line, "\n")); failed != nil {
						return failed
					}
				}
				if err == io.EOF {
					return nil
				}
			}
		})
		if err == nil && whole {
			err = send(last, 0, all.String())
		}
		if err != nil && err != stopped {
			yield(value{}, err)
		}
	}
}

// appendASCII appends JSON text with an escape for each character that is not ASCII.
func appendASCII(dst, text []byte) []byte {
	for _, r := range string(text) {
		switch {
		case r < utf8.RuneSelf:
			dst = append(dst, byte(r))
		case r < 0x10000:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			dst = fmt.Appendf(dst, `\u%04x\u%04x`, high, low)
		}
	}
	return dst
}
