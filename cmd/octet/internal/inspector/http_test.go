package inspector

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestReadRequest compares requests with what net/http reads from the same bytes.
func TestReadRequest(t *testing.T) {
	const fields = "Host: a:1\r\n\r\n"
	for _, c := range []struct {
		name, text string
		malformed  bool
	}{
		{"a request", "GET /secret/ HTTP/1.1\r\nAccept: */*\r\n" + fields, false},
		{"a query", "HEAD /secret/?reload=1 HTTP/1.1\r\n" + fields, false},
		{"an escape", "GET /a%20b HTTP/1.1\r\n" + fields, false},
		{"an absolute target", "GET http://b:2/secret/ HTTP/1.1\r\n" + fields, false},
		{"a name in lower case", "GET / HTTP/1.1\r\nhost: a:1\r\n\r\n", false},
		{"a body", "POST / HTTP/1.1\r\nContent-Length: 3\r\n" + fields + "abc", false},
		{"HTTP/1.0 without Host", "GET / HTTP/1.0\r\n\r\n", false},
		{"HTTP/0.9", "GET /\r\n" + fields, true},
		{"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", true},
		{"TLS", "\x16\x03\x01\x02\x00\x01\x00\r\n\r\n", true},
		{"no method", " / HTTP/1.1\r\n" + fields, true},
		{"a relative target", "GET a HTTP/1.1\r\n" + fields, true},
		{"a wrong escape", "GET /%zz HTTP/1.1\r\n" + fields, true},
		{"more words", "GET / HTTP/1.1 HTTP/1.1\r\n" + fields, true},
		{"no colon", "GET / HTTP/1.1\r\nHost a:1\r\n\r\n", true},
		{"a continuation first", "GET / HTTP/1.1\r\n Host: a:1\r\n\r\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := readRequest(strings.NewReader(c.text))
			if errors.Is(err, errMalformed) != c.malformed {
				t.Fatal(err)
			}
			q, wrong := http.ReadRequest(bufio.NewReader(strings.NewReader(c.text)))
			if c.malformed {
				return // net/http checks some of the rules in its server
			}
			if want := (request{q.Method, q.Host, q.URL.Path}); wrong != nil || got != want {
				t.Errorf("%v, want %v, %v", got, want, wrong)
			}
		})
	}
	for _, fields := range []string{"", "Host: a:1\r\nHost: b:2\r\n"} {
		if _, err := readRequest(strings.NewReader("GET / HTTP/1.1\r\n" + fields + "\r\n")); !errors.Is(err, errMalformed) {
			t.Errorf("with the fields %q: %v", fields, err)
		}
	}
}

// repeated is a reader that repeats a text without end, and counts it.
type repeated struct {
	text string
	read int
}

func (r *repeated) Read(p []byte) (int, error) {
	n := copy(p, r.text)
	r.read += n
	return n, nil
}

// TestLongRequest requires that a request without end is refused after its limit.
func TestLongRequest(t *testing.T) {
	for _, text := range []string{"a", "a: b\r\n", " \r\n", "\r\n"} {
		tail := &repeated{text: text}
		_, err := readRequest(io.MultiReader(strings.NewReader("GET / HTTP/1.1\r\nHost: a:1\r\n"), tail))
		if !errors.Is(err, errMalformed) && text != "\r\n" || tail.read > 2*maxHead {
			t.Errorf("%q: %d bytes were read, %v", text, tail.read, err)
		}
	}
}

// TestConverse sends requests through connections that close early.
func TestConverse(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		done <- serve(ctx, listener, func(_ context.Context, q request) response {
			return text("200 OK", q.path, "X-Method", q.method)
		})
	}()
	address := listener.Addr().String()
	send := func(request string) string {
		t.Helper()
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, request); err != nil {
			t.Fatal(err)
		}
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		answer, err := io.ReadAll(conn)
		if err != nil {
			t.Fatalf("%.40q: %v", request, err)
		}
		return string(answer)
	}
	for range maxConnections + 1 { // a connection that ends makes room for the next one
		if got := send("GET / HTTP/1.1\r\n"); got != "" {
			t.Errorf("half a request is answered with %q", got)
		}
	}
	if got := send("GET /\r\n\r\n"); !strings.HasPrefix(got, "HTTP/1.1 400 Bad Request\r\n") {
		t.Errorf("a malformed request is answered with %q", got)
	}
	if got := send("POST /a HTTP/1.1\r\nHost: b\r\nContent-Length: 50000\r\n\r\n" + strings.Repeat("a", 50000)); !strings.HasSuffix(got, "\r\n\r\n/a\n") {
		t.Errorf("a request with a body is answered with %q", got)
	}
	for method, body := range map[string]string{"GET": "/a\n", "HEAD": ""} {
		q, err := http.NewRequest(method, "http://"+address+"/a", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if _, wrong := http.ParseTime(answer.Header.Get("Date")); err != nil || wrong != nil || string(got) != body || answer.ContentLength != 3 || !answer.Close {
			t.Errorf("%s: %q, %v, %v, %v", method, got, answer, err, wrong)
		}
		for name, want := range map[string]string{"X-Method": method, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff"} {
			if got := answer.Header.Get(name); got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	}
	// A connection without a request does not keep the server from ending.
	idle, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
