package inspector

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"os/exec"
	"runtime"
	"strconv"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
)

// Serve serves the page of a file at a port of the loopback interface until ctx is
// canceled; the port 0 selects a free one. It prints the address, and opens it in the
// browser if open is set.
func Serve(ctx context.Context, files *input.Files, port uint16, open bool) error {
	c := files.Console
	// Writing a page here reports errors of the file before the server starts.
	if err := Write(ctx, files, io.Discard); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port))))
	if err != nil {
		return failure.Accessing(fmt.Sprintf("port %d", port), err)
	}
	defer listener.Close()
	s := site{files, listener.Addr().String(), "/" + rand.Text() + "/"}
	address := "http://" + s.host + s.path
	if _, err := fmt.Fprintln(c.Stdout, address); err != nil {
		return err
	}
	c.Note("Press Ctrl+C to stop.")
	if open {
		if err := browse(address); err != nil {
			c.Note("cannot open the browser: %v", err)
		}
	}
	return serve(ctx, listener, s.answer)
}

// A site is the page of a file at a path of a host.
type site struct {
	files      *input.Files
	host, path string
}

// answer answers only requests for the host, because another web page could make its own
// host name resolve to this address.
func (s site) answer(ctx context.Context, q request) response {
	switch {
	case q.host != s.host:
		return text("421 Misdirected Request", "wrong host")
	case q.path != s.path:
		return text("404 Not Found", "page not found")
	case q.method != "GET" && q.method != "HEAD":
		return text("405 Method Not Allowed", "method not allowed", "Allow", "GET, HEAD")
	}
	var b bytes.Buffer
	if err := Write(ctx, s.files, &b); err != nil {
		return text("500 Internal Server Error", err.Error())
	}
	return response{"200 OK", []string{"Content-Type", "text/html; charset=utf-8", "Content-Security-Policy", "frame-ancestors 'none'"}, b.Bytes()}
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
