package httpmsgpack

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
)

// Write writes v as the response to r, with the status, Content-Type and, unless Content-Encoding is set,
// Content-Length. The package comment says how the type is chosen. A status that allows no body, such as 204, is
// written without v, and the response to HEAD without its body.
//
// The value is encoded before anything is written, so that after an error of type *[Error] the caller
// can write another response: the status is 406 if Accept allows none of the types and 500 if v
// cannot be encoded. Errors from w are returned unchanged; the response is then incomplete.
func (f Format) Write(w http.ResponseWriter, r *http.Request, status int, v any) error {
	if status < 200 || status == http.StatusNoContent || status == http.StatusNotModified {
		w.WriteHeader(status)
		return nil
	}
	w.Header().Add("Vary", "Accept")
	typ, kind := f.negotiate(r.Header)
	write := func(body []byte) error {
		h := w.Header()
		h.Set("Content-Type", typ)
		if h.Get("Content-Encoding") == "" { // otherwise, w can belong to middleware that compresses
			h.Set("Content-Length", strconv.Itoa(len(body)))
		}
		w.WriteHeader(status)
		if r.Method == http.MethodHead {
			return nil
		}
		_, err := w.Write(body)
		return err
	}
	switch kind {
	case unknownKind:
		return &Error{http.StatusNotAcceptable, errors.New("no type that Accept allows is available")}
	case jsonKind:
		body, err := json.Marshal(v)
		if err != nil {
			return &Error{http.StatusInternalServerError, err}
		}
		return write(body)
	}
	return f.encode(v, write)
}
