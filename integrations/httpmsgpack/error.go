package httpmsgpack

import (
	"errors"
	"net/http"
	"strings"

	"github.com/octet-go/octet/msgpack"
)

// An Error is an error with the HTTP status that belongs to it.
type Error struct {
	// Status is the status of the response: 400 for a body that cannot be read or decoded, 406 for an
	// Accept header that allows no type, 413 for a body that is too long, 415 for a type of body that is
	// not supported, and 500 for a response that cannot be encoded. In an error from [ReadResponse] it
	// is the status that the server sent.
	Status int
	// Err is the reason, such as a *msgpack.Error.
	Err error
}

// Error returns the text of the reason.
func (e *Error) Error() string { return "httpmsgpack: " + e.Err.Error() }

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// StatusCode returns Status. Frameworks such as Echo look for this method.
func (e *Error) StatusCode() int { return e.Status }

// StatusOf returns the status of the response to a request that failed with err: that of an [Error]
// in its chain, else the status that belongs to an error from reading or decoding a body. It is 500 for
// all other errors, and 200 for nil. Integrations for other frameworks use it.
func StatusOf(err error) int {
	var e *Error
	var m *msgpack.Error
	var long *http.MaxBytesError
	switch {
	case err == nil:
		return http.StatusOK
	case errors.As(err, &e):
		return e.Status
	case errors.As(err, &long), errors.Is(err, msgpack.ErrLimit):
		return http.StatusRequestEntityTooLarge
	case errors.As(err, &m) && m.Op != "marshal" && !isProgramError(err):
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError
}

// isProgramError reports whether decoding failed because of the target, so that it would fail for every body.
func isProgramError(err error) bool {
	return errors.Is(err, msgpack.ErrUnsupported) || errors.Is(err, msgpack.ErrTarget)
}

// WriteError writes err as a response in plain text, with the status that [StatusOf] returns. A
// client sees the text of an error with a status below 500, which says what in its request is wrong and where. For
// all other errors it sees only the status. The response to an unsupported body lists the supported types
// in the Accept header. See [Format.WriteError].
func WriteError(w http.ResponseWriter, r *http.Request, err error) { Format{}.WriteError(w, r, err) }

// WriteError writes err as a response in plain text. See [WriteError].
func (f Format) WriteError(w http.ResponseWriter, _ *http.Request, err error) {
	status := StatusOf(err)
	text := http.StatusText(status)
	if status < http.StatusInternalServerError {
		text = err.Error()
	}
	if status == http.StatusUnsupportedMediaType {
		w.Header().Set("Accept", strings.Join(f.types(), ", "))
	}
	http.Error(w, text, status)
}
