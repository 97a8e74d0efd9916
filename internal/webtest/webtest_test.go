package webtest

import (
	"encoding/json"
	"errors"
	"flag"
	"io"
	"mime"
	"net/http"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

type point struct {
	X int `json:"x" msgpack:"x"`
	Y int `json:"y" msgpack:"y"`
}

// answering returns a handler that answers with what it has received.
func answering[T any](c *msgpack.Codec, maxBytes int64) http.Handler {
	unmarshal := msgpack.Unmarshal
	if c != nil {
		unmarshal = c.Unmarshal
	}
	if maxBytes == 0 {
		maxBytes = 1 << 20
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if maxBytes > 0 {
			r.Body = http.MaxBytesReader(w, r.Body, maxBytes)
		}
		var v T
		var answer []byte
		body, err := io.ReadAll(r.Body)
		typ, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
		switch {
		case err != nil:
		case typ == "application/json":
			if err = json.Unmarshal(body, &v); err == nil {
				answer, err = json.Marshal(v)
			}
		case typ == "application/x-www-form-urlencoded":
			answer = []byte(`{"x":5,"y":6}`)
		default:
			if err = unmarshal(body, &v); err == nil {
				answer, err = msgpack.Marshal(v)
			}
		}
		if long := (*http.MaxBytesError)(nil); errors.As(err, &long) || errors.Is(err, msgpack.ErrLimit) {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		} else if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		} else {
			w.Write(answer)
		}
	})
}

// TestWithoutFramework sends the requests to a handler of package net/http alone.
func TestWithoutFramework(t *testing.T) {
	TestExchanges(t, Exchanges(t), answering[point])
	TestConcurrency(t, answering[point](nil, 0))
}

func TestBenchmark(t *testing.T) {
	if err := flag.Set("test.benchtime", "1x"); err != nil {
		t.Fatal(err)
	}
	ran := 0
	testing.Benchmark(func(b *testing.B) {
		counting := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ran++
			answering[Order](nil, 0).ServeHTTP(w, r)
		})
		Benchmark(b, counting, NewOrder(), "octet", "json")
	})
	if ran < 4 {
		t.Errorf("%d requests", ran)
	}
}
