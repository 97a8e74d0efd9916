package webtest

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/sample"
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

// TestWithoutFrameworkAnswers sends the other requests to handlers of package net/http alone.
func TestWithoutFrameworkAnswers(t *testing.T) {
	TestResponses(t, []Response{
		{Value: point{5, 6}, Status: 201, Accept: "application/msgpack", Want: 201, Type: "application/msgpack", Body: Point},
		{Value: point{5, 6}, Status: 204, Want: 204},
	}, func(r Response) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, got *http.Request) {
			if got.Header.Get("Accept") != "" {
				w.Header().Set("Content-Type", got.Header.Get("Accept"))
				w.Header().Set("Vary", "Accept")
			}
			w.WriteHeader(r.Status)
			if r.Status != http.StatusNoContent {
				msgpack.MarshalWrite(w, r.Value)
			}
		})
	})
	TestParameters(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var p point
		var err error
		if y := strings.TrimPrefix(r.URL.Path, "/"); y != "" {
			p.Y, err = strconv.Atoi(y)
		}
		if x := r.URL.Query().Get("x"); x != "" && r.Method != "POST" && err == nil {
			p.X, err = strconv.Atoi(x)
		}
		if err == nil {
			target := &p // which a nil sets instead of p
			err = msgpack.UnmarshalRead(r.Body, &target)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		msgpack.MarshalWrite(w, p)
	}))
}

// TestWithoutFrameworkMiddleware sends requests through middleware of package net/http alone.
func TestWithoutFrameworkMiddleware(t *testing.T) {
	h := answering[point](nil, 0)
	TestMiddleware(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body = z
		h.ServeHTTP(w, r)
	}), http.MaxBytesHandler(h, 50))
}

func TestBenchmark(t *testing.T) {
	if err := flag.Set("test.benchtime", "1x"); err != nil {
		t.Fatal(err)
	}
	ran := 0
	testing.Benchmark(func(b *testing.B) {
		counting := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ran++
			answering[sample.Order](nil, 0).ServeHTTP(w, r)
		})
		Benchmark(b, counting, sample.New(90071, 12), "octet", "json")
	})
	if ran < 4 {
		t.Errorf("%d requests", ran)
	}
}
