// Package ginmsgpack binds and renders MessagePack in Gin.
//
//	router.POST("/users", func(c *gin.Context) {
//		var u User
//		if err := ginmsgpack.Bind(c, &u); err != nil {
//			return // the response has status 400, 413 or 415
//		}
//		ginmsgpack.Respond(c, http.StatusCreated, u)
//	})
//
// The Content-Type selects the format that [Bind] reads, and the Accept header the format that [Respond] writes:
// MessagePack for application/vnd.msgpack, application/msgpack and application/x-msgpack, and Gin's own formats for all
// other types. An existing handler can therefore call them instead of c.Bind and c.JSON and keep its other clients.
//
// [Binding] and [Render] are Gin's interfaces, for c.ShouldBindWith, c.ShouldBindBodyWith and c.Render.
// Values are validated by Gin's validator, with the tag "binding".
//
// Gin itself decodes application/msgpack and application/x-msgpack with
// ugorji/go/codec, and treats application/vnd.msgpack as a form. A program can
// replace Gin's binding in main, for all calls of c.Bind:
//
//	binding.MsgPack = ginmsgpack.Binding{}
//
// and leave out ugorji/go/codec with the build tag nomsgpack (then Gin has no variable MsgPack, and
// Bind is needed). Importing the package changes nothing.
//
// # Limits
//
// A body is read up to [Binding].MaxBytes, 1 MiB by default, in every format that Bind reads. Memory grows
// with the bytes that arrive. Compressed MessagePack is refused with status 415.
package ginmsgpack
