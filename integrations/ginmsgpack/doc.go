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
// [Bind] chooses the binding by Content-Type, and [Respond] the form by Accept: MessagePack for
// application/vnd.msgpack, application/msgpack and application/x-msgpack, otherwise what Gin does. An
// existing handler can therefore replace c.Bind and c.JSON by them and keep its other clients.
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
