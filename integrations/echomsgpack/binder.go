package echomsgpack

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v5"
	"github.com/octet-go/octet/integrations/httpmsgpack"
	"github.com/octet-go/octet/msgpack"
)

// A Binder decodes requests: e.Binder = echomsgpack.Binder{}. It is a plain value, and all methods are
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

// Bind decodes the request into the variable that target points to. Errors have the method StatusCode, which Echo's
// error handler calls: 415 for a type that is not supported, 413 for a body that is too long, 400
// for one that cannot be decoded, and 500 if no body could be decoded into target.
func (b Binder) Bind(c *echo.Context, target any) error {
	r := c.Request()
	if !httpmsgpack.IsMsgpack(r.Header.Get("Content-Type")) {
		return b.bindOther(c, target)
	}
	if err := echo.BindPathValues(c, target); err != nil {
		return err
	}
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodDelete, echo.QUERY:
		if err := echo.BindQueryParams(c, target); err != nil {
			return err
		}
	}
	if r.ContentLength == 0 {
		return nil
	}
	return b.format().ReadMsgpack(c.Response(), r, target)
}

func (b Binder) bindOther(c *echo.Context, target any) error {
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
	err := next.Bind(c, target)
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		return &httpmsgpack.Error{Status: http.StatusRequestEntityTooLarge, Err: long}
	}
	return err
}

func (b Binder) format() httpmsgpack.Format {
	return httpmsgpack.Format{Codec: b.Codec, MaxBytes: b.MaxBytes}
}
