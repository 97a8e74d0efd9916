package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/inspector"
)

// serve serves the page of a file at a port of the loopback interface until ctx is
// canceled; the port 0 selects a free one. It prints the address, and opens it in the
// browser if open is set.
func serve(ctx context.Context, files *input.Files, port uint16, open bool) error {
	c := files.Console
	// Writing a page here reports errors of the file before the server starts.
	if err := inspector.Write(ctx, files, io.Discard); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port))))
	if err != nil {
		return failure.Accessing(fmt.Sprintf("port %d", port), err)
	}
	host := listener.Addr().String()
	path := "/" + rand.Text() + "/"
	s := &http.Server{Handler: handler(files, host, path), ReadHeaderTimeout: 10 * time.Second}
	address := "http://" + host + path
	if _, err := fmt.Fprintln(c.Stdout, address); err != nil {
		listener.Close()
		return failure.Accessing("standard output", err)
	}
	c.Note("Press Ctrl-C to stop.")
	if open {
		if err := browse(address); err != nil {
			c.Note("cannot open the browser: %v", err)
		}
	}
	stop := context.AfterFunc(ctx, func() { s.Close() })
	defer stop()
	if err := s.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}

// handler returns the handler for the page at path. It answers only requests for host and for
// localhost at the same port, because another web page could make its own host name resolve to this address.
func handler(files *input.Files, host, path string) http.Handler {
	address, port, _ := strings.Cut(host, ":")
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		name, at, _ := strings.Cut(q.Host, ":")
		switch {
		case name != address && name != "localhost" || cmp.Or(at, "80") != port: // browsers leave out the default port
			http.Error(w, "wrong host", http.StatusMisdirectedRequest)
			return
		case q.URL.Path != path:
			http.NotFound(w, q)
			return
		case q.Method != http.MethodGet && q.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		var b bytes.Buffer
		if err := inspector.Write(q.Context(), files, &b); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Length", strconv.Itoa(b.Len()))
		h.Set("Content-Security-Policy", "frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		_, _ = w.Write(b.Bytes()) // this fails if the browser has closed the connection
	})
}

// browse opens an address in the browser.
func browse(address string) error {
	switch runtime.GOOS {
	case "darwin":
		return exec.Command("open", address).Start()
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", address).Start()
	}
	return exec.Command("xdg-open", address).Start()
}
