package ginmsgpack

import (
	"bytes"
	"io"
	"net/http"

	"github.com/gin-gonic/gin/binding"
	"github.com/octet-go/octet/integrations/httpmsgpack"
	"github.com/octet-go/octet/msgpack"
)

// A Binding decodes and validates MessagePack. The zero Binding is what [Bind] uses. It is a plain
// value, and all methods are safe for concurrent use.
type Binding struct {
	// Codec decodes. The default, nil, is the functions of package msgpack.
	Codec *msgpack.Codec
	// MaxBytes is the length of the longest body that is read. The default, 0, is
	// httpmsgpack.DefaultMaxBytes, 1 MiB. A negative number means no limit.
	MaxBytes int64
}

var _ binding.BindingBody = Binding{}

// Name returns "msgpack".
func (Binding) Name() string { return "msgpack" }

// Bind decodes the body of r into the variable that v points to, and validates it. It ignores the Content-Type.
//
// Errors from reading and decoding are of type *httpmsgpack.Error and have a status. c.MustBindWith
// answers 413 if the body is too long and 400 otherwise.
func (b Binding) Bind(r *http.Request, v any) error {
	if err := b.format().ReadMsgpack(nil, r, v); err != nil {
		return err
	}
	return validate(v)
}

// BindBody decodes and validates a body that has been read. Its length is not limited.
func (b Binding) BindBody(body []byte, v any) error {
	return Binding{b.Codec, -1}.Bind(&http.Request{Body: io.NopCloser(bytes.NewReader(body))}, v)
}

func (b Binding) format() httpmsgpack.Format {
	return httpmsgpack.Format{Codec: b.Codec, MaxBytes: b.MaxBytes}
}

func validate(v any) error {
	if binding.Validator == nil {
		return nil
	}
	return binding.Validator.ValidateStruct(v)
}
