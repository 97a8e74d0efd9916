package ginmsgpack

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"

	"github.com/gin-gonic/gin"
	"github.com/gin-gonic/gin/binding"
	"github.com/octet-go/octet/integrations/httpmsgpack"
)

// Bind decodes the body of the request with the zero [Binding]. See [Binding.BindContext].
func Bind(c *gin.Context, v any) error { return Binding{}.BindContext(c, v) }

// Respond writes v with the zero [Binding]. See [Binding.Respond].
func Respond(c *gin.Context, status int, v any) { Binding{}.Respond(c, status, v) }

// BindContext decodes the body of the request into the variable that v points to,
// and validates it. It decodes MessagePack with b, and all other types with
// c.ShouldBind. A type for which Gin has no binder is refused, because Gin would treat it
// as a form, and so are forms and queries for a recursive type. A request without a body is bound from its query, as in
// Gin, if the method is GET or there is no Content-Type.
//
// On error, BindContext aborts the context like c.Bind. The status is 415 for a type that is not supported, 413 for a
// body that is too long, 500 if no body could be decoded into v, and otherwise 400. The error is also added to c.Errors.
func (b Binding) BindContext(c *gin.Context, v any) error {
	err := b.bind(c, v)
	if err == nil {
		return nil
	}
	status := httpmsgpack.StatusOf(err)
	var e *httpmsgpack.Error
	if status == http.StatusInternalServerError && !errors.As(err, &e) {
		status = http.StatusBadRequest // from the validator, or from another binding of Gin
	}
	_ = c.AbortWithError(status, err).SetType(gin.ErrorTypeBind)
	return err
}

func (b Binding) bind(c *gin.Context, v any) error {
	method, empty := c.Request.Method, c.Request.ContentLength == 0
	if httpmsgpack.IsMsgpack(c.Request.Header.Get("Content-Type")) && !(method == http.MethodGet && empty) {
		if err := b.format().ReadMsgpack(c.Writer, c.Request, v); err != nil {
			return err
		}
		return validate(v)
	}
	typ := c.ContentType()
	binder := binding.Default(method, typ)
	form := binder == binding.Form
	if (form || binder == binding.FormMultipart) && isRecursive(reflect.TypeOf(v), nil) {
		return &httpmsgpack.Error{Status: http.StatusUnsupportedMediaType, Err: fmt.Errorf("recursive type %T cannot be bound from a form or query", v)}
	}
	if form && method != http.MethodGet && typ != binding.MIMEPOSTForm && !(typ == "" && empty) {
		return &httpmsgpack.Error{Status: http.StatusUnsupportedMediaType, Err: fmt.Errorf("content type %q is not supported", typ)}
	}
	limit := b.MaxBytes
	if limit == 0 {
		limit = httpmsgpack.DefaultMaxBytes
	}
	if limit > 0 && c.Request.Body != nil {
		c.Request.Body = http.MaxBytesReader(c.Writer, c.Request.Body, limit)
	}
	return c.ShouldBind(v)
}

// isRecursive reports whether a type contains a pointer to itself outside of fields with the tag form:"-". Gin
// binds forms to such types until the stack overflows, which ends the program.
func isRecursive(t reflect.Type, outer []reflect.Type) bool {
	if slices.Contains(outer, t) {
		return true
	}
	switch outer = append(outer, t); {
	case t == nil:
	case t.Kind() == reflect.Pointer:
		return isRecursive(t.Elem(), outer)
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if (f.IsExported() || f.Anonymous) && f.Tag.Get("form") != "-" && isRecursive(f.Type, outer) {
				return true
			}
		}
	}
	return false
}

// Respond writes v as MessagePack or with c.JSON. The type is the one that Accept prefers, that of the
// request body if Accept has no preference, or else JSON. If Accept allows neither, the context is aborted with status 406.
func (b Binding) Respond(c *gin.Context, status int, v any) {
	c.Writer.Header().Add("Vary", "Accept")
	switch typ, ok := b.format().Negotiate(c.Request.Header); {
	case !ok:
		_ = c.AbortWithError(http.StatusNotAcceptable, errors.New("ginmsgpack: no type that Accept allows is available"))
	case typ == binding.MIMEJSON:
		c.JSON(status, v)
	default:
		c.Writer.Header().Del("Content-Type") // which middleware can have set to that of JSON
		c.Render(status, Render{Data: v, Codec: b.Codec, ContentType: typ})
	}
}
