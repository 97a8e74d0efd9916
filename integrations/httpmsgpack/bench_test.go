package httpmsgpack_test

import (
	"net/http"
	"testing"

	"github.com/octet-go/octet/integrations/httpmsgpack"
	"github.com/octet-go/octet/internal/sample"
	"github.com/octet-go/octet/internal/webtest"
)

// BenchmarkExchange reads a request and answers it with the same value, without a network.
func BenchmarkExchange(b *testing.B) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var o sample.Order
		err := httpmsgpack.Read(w, r, &o)
		if err == nil {
			err = httpmsgpack.Write(w, r, http.StatusOK, o)
		}
		if err != nil {
			httpmsgpack.WriteError(w, r, err)
		}
	})
	webtest.Benchmark(b, handler, sample.New(90071, 12), "octet", "json")
}
