package httpmsgpack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/octet-go/octet/msgpack"
)

// NewRequest returns a request whose body is v in MessagePack. See [Format.NewRequest].
func NewRequest(ctx context.Context, method, url string, v any) (*http.Request, error) {
	return Format{}.NewRequest(ctx, method, url, v)
}

// ReadResponse decodes the body of a response. See [Format.ReadResponse].
func ReadResponse(resp *http.Response, v any) error { return Format{}.ReadResponse(resp, v) }

// NewRequest returns a request whose body is v in MessagePack, and which asks for MessagePack. If v is
// nil, the request has no body. The client can send the request again after a redirect.
func (f Format) NewRequest(ctx context.Context, method, url string, v any) (*http.Request, error) {
	var body io.Reader
	if v != nil {
		b, err := f.Codec.MarshalAppend(nil, v)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, err
	}
	if v != nil {
		r.Header.Set("Content-Type", MediaType)
	}
	r.Header.Set("Accept", strings.Join(Format{NoJSON: true}.types(), ", "))
	return r, nil
}

// maxReason is the maximum number of bytes of the body of a failed response in the error.
const maxReason = 512

// ReadResponse decodes the body of a response into the variable that v points to, and closes the body. The
// Content-Type and the length are checked as [Format.Read] does. If v is nil, the body is dropped.
//
// A status other than 2xx is an *[Error] with that status and the start of the body as its reason. All
// other errors have no status.
func (f Format) ReadResponse(resp *http.Response, v any) error {
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, maxReason))
		reason := fmt.Sprintf("server returned %s", resp.Status)
		if IsMsgpack(resp.Header.Get("Content-Type")) {
			text = nil
		}
		if t := strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD")); t != "" {
			reason += ": " + t
		}
		return &Error{resp.StatusCode, errors.New(reason)}
	}
	if v == nil {
		return nil
	}
	kind, err := f.kindOf(resp.Header)
	if err != nil {
		return fmt.Errorf("httpmsgpack: response: %w", errors.Unwrap(err))
	}
	body := resp.Body
	if limit := f.limit(); limit >= 0 {
		body = http.MaxBytesReader(nil, body, limit)
	}
	err = f.decode(body, kind, v)
	var long *http.MaxBytesError
	if errors.As(err, &long) || errors.Is(err, msgpack.ErrLimit) {
		return fmt.Errorf("httpmsgpack: response is too long: %w", err)
	}
	return err
}
