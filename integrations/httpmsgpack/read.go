package httpmsgpack

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"

	"github.com/octet-go/octet/msgpack"
)

// Read decodes the body of r into the variable that v points to. The Content-Type says whether the body is MessagePack
// or JSON. The body must be exactly one value. If the body is too long, the server closes the connection after the
// response, unless what it has not read is short.
//
// Errors are of type *[Error]. The status is 415 if the type is missing, unknown or refused or if the
// body is compressed, 413 if the body is longer than a limit, and 400 if it cannot be read or decoded. It is
// 500 if no body could be decoded into v. After an error, the variable may be partly set.
func (f Format) Read(w http.ResponseWriter, r *http.Request, v any) error {
	kind, err := f.kindOf(r.Header)
	if err != nil {
		return err
	}
	return f.read(w, r, kind, v)
}

// ReadMsgpack is like [Format.Read], but treats the body as MessagePack and ignores
// its Content-Type. It is for frameworks that have already chosen the format. w may
// be nil. If v points to a struct, a body that is nil leaves the struct unchanged, as null
// does in JSON, because frameworks bind other parts of the request to it.
//
// Middleware that decompresses bodies often leaves the Content-Encoding gzip. A body that
// does not begin like gzip is therefore read as if it had no Content-Encoding.
func (f Format) ReadMsgpack(w http.ResponseWriter, r *http.Request, v any) error {
	if err := checkEncoding(r.Header); err != nil {
		if r = decompressed(r); r == nil {
			return err
		}
	}
	return f.read(w, r, msgpackKind, unchangedByNil(v))
}

// unchangedByNil returns a pointer to v if v points to a struct. A nil then sets this
// pointer instead of the struct.
func unchangedByNil(v any) any {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() || p.Type().Elem().Kind() != reflect.Struct {
		return v
	}
	outer := reflect.New(p.Type())
	outer.Elem().Set(p)
	return outer.Interface()
}

// decompressed returns the request without its Content-Encoding gzip if middleware has
// decompressed the body, and nil if it is still compressed. No message begins like gzip,
// because the first byte, 0x1f, is a whole value in MessagePack.
func decompressed(r *http.Request) *http.Request {
	if r.Body == nil || !strings.EqualFold(encoding(r.Header), "gzip") {
		return nil
	}
	b := bufio.NewReader(r.Body)
	if magic, _ := b.Peek(2); string(magic) == "\x1f\x8b" {
		return nil
	}
	plain := *r
	plain.Body = struct {
		io.Reader
		io.Closer
	}{b, r.Body}
	plain.ContentLength = -1 // it was the length of the compressed body
	return &plain
}

func (f Format) read(w http.ResponseWriter, r *http.Request, kind kind, v any) error {
	body := r.Body
	if body == nil { // a request made by a test
		body = http.NoBody
	}
	if limit := f.limit(); limit >= 0 {
		if r.ContentLength > limit {
			return &Error{http.StatusRequestEntityTooLarge, &http.MaxBytesError{Limit: limit}}
		}
		body = http.MaxBytesReader(w, body, limit)
	}
	return readError(f.decode(body, kind, v))
}

// kindOf returns the kind of the body that comes with a header.
func (f Format) kindOf(h http.Header) (kind, error) {
	if err := checkEncoding(h); err != nil {
		return 0, err
	}
	text := h.Get("Content-Type")
	if text == "" {
		return 0, unsupported("content type is missing")
	}
	kind, _ := parseType(text)
	if !f.reads(kind) {
		return 0, unsupported("content type %q is not supported", text)
	}
	return kind, nil
}

func checkEncoding(h http.Header) error {
	if list := encoding(h); list != "" {
		return unsupported("content encoding %q is not supported", list)
	}
	return nil
}

// encoding returns the list of the content codings except identity, which is none. Several lines of a header that is
// a list are one list, and its elements may be empty.
func encoding(h http.Header) string {
	var list []string
	for name := range strings.SplitSeq(strings.Join(h.Values("Content-Encoding"), ","), ",") {
		if name = strings.TrimSpace(name); name != "" && !strings.EqualFold(name, "identity") {
			list = append(list, name)
		}
	}
	return strings.Join(list, ", ")
}

func unsupported(format string, args ...any) error {
	return &Error{http.StatusUnsupportedMediaType, fmt.Errorf(format, args...)}
}

func (f Format) decode(r io.Reader, k kind, v any) error {
	switch {
	case k == jsonKind:
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		return json.Unmarshal(data, v)
	case f.Codec != nil:
		return f.Codec.UnmarshalRead(r, v)
	}
	return msgpack.UnmarshalRead(r, v)
}

// readError returns an error from decoding a body as an *Error with a status.
func readError(err error) error {
	if err == nil {
		return nil
	}
	status := StatusOf(err)
	var target *json.InvalidUnmarshalError
	var middleware interface{ StatusCode() int }
	switch {
	case errors.As(err, &middleware) && middleware.StatusCode() >= http.StatusBadRequest:
		status = middleware.StatusCode() // of what reads the body, such as a limit of its own
	case status == http.StatusInternalServerError && !isProgramError(err) && !errors.As(err, &target):
		status = http.StatusBadRequest // JSON, or an error of the connection
	}
	return &Error{status, err}
}
