package echo4msgpack

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/octet-go/octet/integrations/httpmsgpack"
	"github.com/octet-go/octet/msgpack"
)

// A Binder decodes requests: e.Binder = echo4msgpack.Binder{}. It is a plain value, and all methods are
// safe for concurrent use.
type Binder struct {
	// Codec encodes and decodes MessagePack. The default, nil, is the functions of package msgpack.
	Codec *msgpack.Codec
	// MaxBytes is the length of the longest body that is read. The default, 0, is
	// httpmsgpack.DefaultMaxBytes, 1 MiB. A negative number means no limit.
	MaxBytes int64
	// Next binds requests with bodies of other types. The default, nil, is echo.DefaultBinder.
	Next echo.Binder
}

var _ echo.Binder = Binder{}

// Bind decodes the request into the variable that target points to. Errors are an [echo.HTTPError] with the status:
// 415 for a type that is not supported, 413 for a body that is too long, 400 for one that cannot be decoded, and
// 500 if no body could be decoded into target.
func (b Binder) Bind(target any, c echo.Context) error {
	r := c.Request()
	if !httpmsgpack.IsMsgpack(r.Header.Get("Content-Type")) {
		return b.bindOther(c, target)
	}
	var standard echo.DefaultBinder
	if err := standard.BindPathParams(c, target); err != nil {
		return err
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodDelete:
		if err := standard.BindQueryParams(c, target); err != nil {
			return err
		}
	}
	if r.ContentLength == 0 {
		return nil
	}
	if err := b.format().ReadMsgpack(c.Response(), r, target); err != nil {
		return httpError(err)
	}
	return nil
}

// httpError returns the error that Echo's error handler understands. A client sees the text of errors with a status
// below 500.
func httpError(err error) error {
	var middleware *echo.HTTPError
	if errors.As(err, &middleware) { // from reading the body, such as that of BodyLimit
		return middleware
	}
	status := httpmsgpack.StatusOf(err)
	text := http.StatusText(status)
	if status < http.StatusInternalServerError {
		text = err.Error()
	}
	return echo.NewHTTPError(status, text).SetInternal(err)
}

func (b Binder) bindOther(c echo.Context, target any) error {
	next := b.Next
	if next == nil {
		next = &echo.DefaultBinder{}
	}
	limit := b.MaxBytes
	if limit == 0 {
		limit = httpmsgpack.DefaultMaxBytes
	}
	if r := c.Request(); limit > 0 && r.Body != nil {
		r.Body = http.MaxBytesReader(c.Response(), r.Body, limit)
	}
	err := next.Bind(target, c)
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		return httpError(&httpmsgpack.Error{Status: http.StatusRequestEntityTooLarge, Err: long})
	}
	return err
}

func (b Binder) format() httpmsgpack.Format {
	return httpmsgpack.Format{Codec: b.Codec, MaxBytes: b.MaxBytes}
}
