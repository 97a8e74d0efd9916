package webtest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// Benchmark measures a handler that answers with the value of the request, without a network. The paths are /json, which
// gets JSON, and the others, which get MessagePack.
func Benchmark[T any](b *testing.B, h http.Handler, value T, paths ...string) {
	for _, path := range paths {
		contentType, marshal, unmarshal := "application/msgpack", msgpack.Marshal, msgpack.Unmarshal
		if path == "json" {
			contentType, marshal, unmarshal = "application/json", json.Marshal, json.Unmarshal
		}
		b.Run(path, func(b *testing.B) {
			body, err := marshal(value)
			if err != nil {
				b.Fatal(err)
			}
			send := func() *httptest.ResponseRecorder {
				r, err := http.NewRequest("POST", "/"+path, bytes.NewReader(body))
				if err != nil {
					b.Fatal(err)
				}
				r.Header.Set("Content-Type", contentType)
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				return w
			}
			w := send()
			var got T
			if err := unmarshal(w.Body.Bytes(), &got); err != nil || !reflect.DeepEqual(got, value) {
				b.Fatalf("the answer is %d %v, %v", w.Code, got, err)
			}
			b.ReportAllocs()
			for b.Loop() {
				send()
			}
		})
	}
}
