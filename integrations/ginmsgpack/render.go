package ginmsgpack

import (
	"net/http"

	"github.com/gin-gonic/gin/render"
	"github.com/octet-go/octet/integrations/httpmsgpack"
	"github.com/octet-go/octet/msgpack"
)

// A Render writes a value as MessagePack: c.Render(http.StatusOK, ginmsgpack.Render{Data: v}).
type Render struct {
	// Data is the value.
	Data any
	// Codec encodes. The default, nil, is the functions of package msgpack.
	Codec *msgpack.Codec
	// ContentType is the Content-Type of the response. The default, "", is application/vnd.msgpack.
	ContentType string
}

var _ render.Render = Render{}

// Render encodes the value and writes it. If it cannot be encoded, the status becomes 500, no body is
// written, and c.Render adds the error to c.Errors.
func (r Render) Render(w http.ResponseWriter) error {
	marshal := msgpack.Marshal
	if r.Codec != nil {
		marshal = r.Codec.Marshal
	}
	body, err := marshal(r.Data)
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError) // nothing has been written, so Gin replaces the status
		return err
	}
	r.WriteContentType(w)
	_, err = w.Write(body)
	return err
}

// WriteContentType sets the Content-Type, unless it is set.
func (r Render) WriteContentType(w http.ResponseWriter) {
	if w.Header().Get("Content-Type") != "" {
		return
	}
	typ := r.ContentType
	if typ == "" {
		typ = httpmsgpack.MediaType
	}
	w.Header().Set("Content-Type", typ)
}
