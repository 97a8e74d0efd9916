//go:build go1.21

package context_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/kataras/iris/v12"
)

// TestExchange exchanges a body.
func TestExchange(t *testing.T) {
	type body struct {
		ID   int64
		Name string `msgpack:"name,omitempty"`
		At   time.Time
		L    []uint16
		M    map[string]any
	}
	v := body{-300, "n", time.Unix(5, 6), []uint16{1, 300}, map[string]any{"k": "v"}}
	serve := func(handler iris.Handler, data []byte) (*httptest.ResponseRecorder, error) {
		app := iris.New()
		app.Logger().SetLevel("disable")
		app.Post("/", handler)
		if err := app.Build(); err != nil {
			return nil, err
		}
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(data))
		r.Header.Set("Content-Type", "application/msgpack")
		app.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			return nil, errors.New(w.Body.String())
		}
		return w, nil
	}
	exchange(t, "body", v, func(v body) ([]byte, error) {
		w, err := serve(func(ctx iris.Context) { _, _ = ctx.MsgPack(v) }, nil)
		if err != nil {
			return nil, err
		}
		return w.Body.Bytes(), nil
	}, func(b []byte) (v body, err error) {
		_, err2 := serve(func(ctx iris.Context) { err = ctx.ReadMsgPack(&v) }, b)
		return v, errors.Join(err, err2)
	})
}
