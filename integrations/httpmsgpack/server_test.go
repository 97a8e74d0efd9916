package httpmsgpack_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/octet-go/octet/integrations/httpmsgpack"
	"github.com/octet-go/octet/msgpack"
)

// TestServer sends requests of many clients at the same time to a real server.
func TestServer(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(double))
	defer server.Close()
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			for i := range 50 {
				want := Point{n * i * 2, i * 200000}
				got, err := roundTrip(server.URL, Point{want.X / 2, want.Y / 2})
				if err != nil || got != want {
					t.Errorf("got %v, %v, want %v", got, err, want)
					return
				}
			}
		})
	}
	wait.Wait()
}

func roundTrip(url string, p Point) (Point, error) {
	req, err := httpmsgpack.NewRequest(context.Background(), "POST", url, p)
	if err != nil {
		return Point{}, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return Point{}, err
	}
	var answer Point
	err = httpmsgpack.ReadResponse(resp, &answer)
	return answer, err
}

// TestTooLong sends more than the limit to a real server, with and without a Content-Length.
func TestTooLong(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(double))
	defer server.Close()
	long := append([]byte("\x81\xa1z\xc6\x00\x20\x00\x00"), make([]byte, 1<<21)...)
	for _, body := range []io.Reader{bytes.NewReader(long), io.MultiReader(bytes.NewReader(long))} {
		resp, err := http.Post(server.URL, httpmsgpack.MediaType, body)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("status %d, want 413", resp.StatusCode)
		}
	}
}

func TestReadResponse(t *testing.T) {
	response := func(status int, contentType, body string) *http.Response {
		w := httptest.NewRecorder()
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		w.WriteString(body)
		return w.Result()
	}
	f := httpmsgpack.Format{MaxBytes: int64(len(point))}
	for _, c := range []struct {
		name, contentType, body string
		status                  int
		want                    string
	}{
		{"MessagePack", "application/msgpack", point, 200, ""},
		{"created", "application/msgpack", point, 201, ""},
		{"JSON", "application/json", `{"x":5}`, 200, ""},
		{"page of a proxy", "text/html", "<html>", 200, `httpmsgpack: response: content type "text/html" is not supported`},
		{"no content", "", "", 204, "httpmsgpack: response: content type is missing"},
		{"not found", "text/plain", "no such point\n", 404, "httpmsgpack: server returned 404 Not Found: no such point"},
		{"long reason", "text/plain", strings.Repeat("x", 10000), 500, strings.Repeat("x", 512)},
		{"not UTF-8", "text/plain", "\xff\xfe", 500, "Error: \uFFFD"},
		{"encoded reason", "application/msgpack", point, 400, "httpmsgpack: server returned 400 Bad Request"},
		{"too long", "application/msgpack", point + "\x00", 200, "response is too long"},
		{"truncated", "application/msgpack", "\x82", 200, "truncated"},
		{"wrong kind", "application/msgpack", "\xa1x", 200, "want"},
	} {
		var p Point
		err := f.ReadResponse(response(c.status, c.contentType, c.body), &p)
		if c.want == "" && (err != nil || p.X != 5) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, %v, want %q", c.name, p, err, c.want)
		}
		var e *httpmsgpack.Error
		if c.status >= 300 != errors.As(err, &e) || e != nil && e.StatusCode() != c.status {
			t.Errorf("%s: error %#v, want status %d", c.name, err, c.status)
		}
	}
	if err := f.ReadResponse(response(200, "text/html", "<html>"), nil); err != nil {
		t.Errorf("without a target: %v", err)
	}
}

func TestNewRequestErrors(t *testing.T) {
	if _, err := httpmsgpack.NewRequest(context.Background(), "POST", "http://x", make(chan int)); !errors.Is(err, msgpack.ErrUnsupported) {
		t.Errorf("chan: %v, want ErrUnsupported", err)
	}
	if _, err := httpmsgpack.NewRequest(context.Background(), "PO ST", "http://x", nil); err == nil {
		t.Error("a malformed method was accepted")
	}
}
