//go:build go1.21

package binding

import (
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin/render"
)

// TestExchange exchanges a body.
func TestExchange(t *testing.T) {
	type body struct {
		ID   int64
		Name string `codec:"name"`
		L    []uint16
		M    map[string]bool
	}
	exchange(t, "body", body{-300, "n", []uint16{1, 300}, map[string]bool{"k": true}}, func(v body) ([]byte, error) {
		w := httptest.NewRecorder()
		err := render.WriteMsgPack(w, v)
		return w.Body.Bytes(), err
	}, func(b []byte) (v body, err error) {
		err = MsgPack.BindBody(b, &v)
		return v, err
	})
}
