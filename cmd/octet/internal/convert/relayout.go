package convert

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/octet-go/octet/cmd/octet/internal/position"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// relayout copies JSON with a different layout: indented, or one value per
// line. It keeps the digits of numbers and the order of names. It copies token
// by token, so that a single value may be larger than memory. It calls mark, if
// it is not nil, after each value.
func relayout(w io.Writer, r io.Reader, pretty bool, mark func(offset int64)) (values int64, err error) {
	out, in := buffered(w, r, mark)
	text := &position.Reader{R: in}
	decoder := jsontext.NewDecoder(text)
	text.Consumed = decoder.InputOffset
	encoder := jsontext.NewEncoder(out, jsontext.Multiline(pretty), jsontext.WithIndent(indent))
	if !pretty {
		encoder = jsontext.NewEncoder(out)
	}
	for {
		token, err := decoder.ReadToken()
		if err == io.EOF {
			return values, out.Flush()
		}
		if err != nil {
			return values, located(jsonError(decoder, values, err), text)
		}
		if decoder.StackDepth() > wire.MaxDepth {
			return values, located(&transcode.Error{
				Offset: decoder.InputOffset() - 1, Value: values, Path: path(decoder, true), Err: wire.ErrDepth,
			}, text)
		}
		if decoder.StackDepth() == 0 && strings.ContainsRune("ntf0", rune(token.Kind())) {
			if len(decoder.UnreadBuffer()) == 0 {
				token = token.Clone()  // PeekKind makes the token of the decoder invalid
				_ = decoder.PeekKind() // an error is returned by the next ReadToken
			}
			if e := position.Glued(decoder.UnreadBuffer()); e != nil {
				e.Offset, e.Value = decoder.InputOffset(), values
				return values, located(e, text)
			}
		}
		if err := encoder.WriteToken(token); err != nil {
			return values, err
		}
		if decoder.StackDepth() == 0 {
			values++
			if mark != nil {
				if err := out.Flush(); err != nil {
					return values, err
				}
				mark(decoder.InputOffset())
			}
		}
	}
}

// located completes an error.
func located(err error, text *position.Reader) error {
	if e, ok := errors.AsType[*transcode.Error](err); ok {
		p := text.At(e.Offset)
		if errors.Is(e, transcode.ErrSyntax) && e.Want == "" {
			e.Err = mistake(e, text.From(e.Offset))
		}
		e.Line, e.Column = p.Lines+1, p.Runes+1
	}
	return err
}

const bom = "\ufeff"

// skipMark skips a byte order mark at the beginning, which some editors write.
// It also returns the number of bytes skipped.
func skipMark(r io.Reader) (io.Reader, int64) {
	b := bufio.NewReaderSize(r, 512)
	if first, _ := b.Peek(1); string(first) != bom[:1] {
		return b, 0
	}
	if all, _ := b.Peek(len(bom)); string(all) != bom {
		return b, 0
	}
	_, _ = b.Discard(len(bom)) // cannot fail because the bytes are buffered
	return b, int64(len(bom))
}

// brokenPair begins the text of jsontext about half of a surrogate pair. The quoted escape
// follows.
const brokenPair = "invalid surrogate pair"

// errSurrogate is the reason that package transcode returns for it.
var errSurrogate = func() error {
	_, err := transcode.AppendMsgpack(nil, []byte(`"\ud800"`), nil)
	return errors.Unwrap(err)
}()

// jsonError converts an error of jsontext into the error that package transcode
// returns for the same input.
func jsonError(d *jsontext.Decoder, values int64, err error) error {
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return err
	}
	fault := &transcode.Error{Offset: syntax.ByteOffset, Value: values, Path: path(d, false)}
	switch {
	case errors.Is(syntax.Err, io.ErrUnexpectedEOF):
		fault.Err = wire.ErrTruncated
	case errors.Is(syntax.Err, jsontext.ErrDuplicateName):
		fault.Err = transcode.ErrDuplicateKey
		fault.Found = "another " + strconv.Quote(syntax.JSONPointer.LastToken())
	case syntax.Err.Error() == "jsontext: invalid UTF-8" || syntax.Err.Error() == "invalid UTF-8":
		fault.Err = wire.ErrUTF8
	case strings.Contains(syntax.Err.Error(), brokenPair):
		_, quoted, _ := strings.Cut(syntax.Err.Error(), brokenPair)
		_, digits, _ := strings.Cut(quoted, "u")
		fault.Err, fault.Found = errSurrogate, `\u`+digits[:min(len(digits), 4)]
	default:
		fault.Err = fmt.Errorf("%w: %s", transcode.ErrSyntax, strings.TrimPrefix(syntax.Err.Error(), "jsontext: "))
	}
	return fault
}

// path returns the path of the next token in the notation of package transcode.
// If begun is true, it returns the path of the container that the last token
// started.
func path(d *jsontext.Decoder, begun bool) string {
	var b []byte
	names := slices.Collect(d.StackPointer().Tokens())
	for level := 1; level <= d.StackDepth(); level++ {
		kind, length := d.StackIndex(level)
		innermost := level == d.StackDepth()
		switch {
		case innermost && begun:
		case kind == '[' && innermost:
			b = fmt.Appendf(b, "[%d]", length)
		case kind == '[':
			b = fmt.Appendf(b, "[%d]", length-1)
		case level <= len(names) && (!innermost || length%2 == 1):
			b = transcode.AppendStep(b, names[level-1])
		}
	}
	return string(b)
}
