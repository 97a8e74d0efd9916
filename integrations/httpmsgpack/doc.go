// Package httpmsgpack reads and writes MessagePack bodies with net/http. It is for servers that
// answer in MessagePack or JSON, whichever a client asks for, and for their clients.
//
//	func create(w http.ResponseWriter, r *http.Request) {
//		var u User
//		if err := httpmsgpack.Read(w, r, &u); err != nil {
//			httpmsgpack.WriteError(w, r, err) // 400, 413 or 415
//			return
//		}
//		…
//		if err := httpmsgpack.Write(w, r, http.StatusCreated, u); err != nil {
//			httpmsgpack.WriteError(w, r, err) // 406 or 500; nothing has been written
//		}
//	}
//
// # Media types
//
// Three names for MessagePack are accepted in Content-Type and Accept: application/vnd.msgpack,
// which is registered with IANA, and the older application/msgpack and application/x-msgpack.
// Parameters such as charset are ignored.
//
// [Write] chooses the type that Accept prefers. If Accept expresses no preference, the response has the type
// of the request body, and JSON if the request has no body, because that is what clients without an Accept
// header expect of a JSON service to which MessagePack is added. With [Format].NoJSON, only MessagePack is
// read and written.
//
// JSON is encoded and decoded by encoding/json, with the tags of that package. To give both forms
// the same field names, use a Codec whose Options have TagKeys "msgpack" and "json".
//
// # Limits
//
// A body is read up to [Format].MaxBytes, 1 MiB by default. Memory grows with the bytes that
// arrive, not with the Content-Length. Compressed bodies are refused with status 415; a program
// that accepts them sets Request.Body to a reader that decompresses, and deletes Content-Encoding. The limit
// then holds for the decompressed bytes.
package httpmsgpack
