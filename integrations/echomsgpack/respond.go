package echomsgpack

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v5"
	"github.com/octet-go/octet/integrations/httpmsgpack"
	"github.com/octet-go/octet/msgpack"
)

// Respond writes v with the zero [Binder]. See [Binder.Respond].
func Respond(c *echo.Context, status int, v any) error { return Binder{}.Respond(c, status, v) }

// Respond writes v as MessagePack or with c.JSON. The type is the one that Accept prefers, that of the
// request body if Accept has no preference, or else JSON. A status that allows no body, such as
// 204, is written without v.
//
// If v cannot be encoded or Accept allows neither type, nothing is written, and the error leads to status
// 500 or 406. With a status of 400 or more, v is written as JSON if Accept allows neither, so that an error handler can
// call Respond.
func (b Binder) Respond(c *echo.Context, status int, v any) error {
	if status < 200 || status == http.StatusNoContent || status == http.StatusNotModified {
		return c.NoContent(status)
	}
	c.Response().Header().Add("Vary", "Accept")
	typ, ok := b.format().Negotiate(c.Request().Header)
	switch {
	case !ok && status < http.StatusBadRequest:
		return &httpmsgpack.Error{Status: http.StatusNotAcceptable, Err: errors.New("no type that Accept allows is available")}
	case !ok || typ == echo.MIMEApplicationJSON:
		return c.JSON(status, v)
	}
	marshal := msgpack.Marshal
	if b.Codec != nil {
		marshal = b.Codec.Marshal
	}
	body, err := marshal(v)
	if err != nil {
		return &httpmsgpack.Error{Status: http.StatusInternalServerError, Err: err}
	}
	c.Response().Header().Del(echo.HeaderContentType) // which middleware can have set to that of JSON
	return c.Blob(status, typ, body)
}
