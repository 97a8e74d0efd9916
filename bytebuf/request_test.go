package bytebuf_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/octet-go/octet/bytebuf"
)

// TestRequests checks what the package page says about the bodies of requests.
func TestRequests(t *testing.T) {
	const text = "contents"
	for _, c := range []struct {
		name         string
		body         func() io.Reader
		length       int64 // ContentLength of http.NewRequest
		serverLength int64 // ContentLength of httptest.NewRequest
		repeats      bool
	}{
		{"bytes.Buffer", func() io.Reader { return bytes.NewBufferString(text) }, 8, 8, true},
		{"Buffer", func() io.Reader { return bytebuf.NewBufferString(text) }, 0, -1, false},
		{"Reader", func() io.Reader { return bytes.NewReader(bytebuf.NewBufferString(text).Bytes()) }, 8, 8, true},
	} {
		r, err := http.NewRequest("POST", "http://example.org", c.body())
		if err != nil {
			t.Fatal(err)
		}
		if r.ContentLength != c.length || (r.GetBody != nil) != c.repeats {
			t.Errorf("%s: ContentLength %d, GetBody %t, want %d, %t", c.name, r.ContentLength, r.GetBody != nil, c.length, c.repeats)
		}
		if r := httptest.NewRequest("POST", "http://example.org", c.body()); r.ContentLength != c.serverLength {
			t.Errorf("%s: ContentLength %d in httptest, want %d", c.name, r.ContentLength, c.serverLength)
		}
	}
}
