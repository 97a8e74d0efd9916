// Package echo4msgpack binds and writes MessagePack in Echo, version 4. Package echomsgpack is for version 5.
//
//	e := echo.New()
//	e.Binder = echo4msgpack.Binder{}
//	e.POST("/users", func(c echo.Context) error {
//		var u User
//		if err := c.Bind(&u); err != nil {
//			return err // the response has status 400, 413 or 415
//		}
//		return echo4msgpack.Respond(c, http.StatusCreated, u)
//	})
//
// [Binder] decodes bodies of application/vnd.msgpack, application/msgpack and application/x-msgpack, and leaves
// all other types to Echo's binder. [Respond] writes MessagePack or calls c.JSON, as the Accept header asks. An existing
// handler can therefore call Respond instead of c.JSON and keep its other clients.
//
// As with the other formats, path parameters are bound before the body, and so are query parameters in GET, HEAD and
// DELETE. A request without a body leaves the target unchanged. An empty body whose length the request does not
// say, as with chunked encoding, gets status 400, as with JSON. To validate values, the handler calls c.Validate.
//
// Echo's error handler answers with JSON. An example of [Respond] has one that answers as Accept and the
// request ask.
//
// # Limits
//
// A body is read up to [Binder].MaxBytes, 1 MiB by default, in every format. Memory grows with the bytes that
// arrive. Compressed MessagePack is refused with status 415, unless Echo's middleware Decompress runs before.
package echo4msgpack
