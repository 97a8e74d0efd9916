// Package fiber uses Octet in Fiber, version 3, which takes plain functions for
// MessagePack, and panics if they are not set:
//
//	app := fiber.New(fiber.Config{MsgPackEncoder: msgpack.Marshal, MsgPackDecoder: msgpack.Unmarshal})
//	app.Post("/users", func(c fiber.Ctx) error {
//		var u User
//		if err := c.Bind().WithAutoHandling().Body(&u); err != nil {
//			return err // status 400
//		}
//		return c.MsgPack(u)
//	})
//
// The methods Marshal and Unmarshal of a Codec can be used too. Do not set
// AliasInput: Fiber uses the memory of a request again after the handler has
// returned.
//
// # Media types
//
// Fiber binds only application/vnd.msgpack. To bind application/msgpack and application/x-msgpack too, register the
// type in the example, a custom binder. To answer in the form that Accept prefers, use c.Format with a handler for
// each type, as in the example. c.AutoFormat prefers text if the client does.
//
// # Statuses and limits
//
// Without WithAutoHandling an error from decoding leads to status 500. A body of another type is status 422, and a
// body of more than Config.BodyLimit, 4 MiB by default, is status 413. The limit does not apply to the decompressed
// length of a compressed body. If clients are not trusted, refuse Content-Encoding, as the handler in the example
// does.
package fiber
