package inspector

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"net/url"
	"strings"
	"time"
)

// This file is as much of HTTP/1.1 as a server of one page needs: it answers one request
// for each connection and does not read bodies. With net/http, a sixth of the tool and of
// the time to build it would be HTTP/2 and TLS, which are not used.

const (
	maxHead        = 64 << 10         // bytes of a request without its body
	maxConnections = 32               // that are answered at the same time
	headTimeout    = 10 * time.Second // for reading a request
	bodyTimeout    = time.Minute      // for writing a response
	closeTimeout   = time.Second      // for the client to close the connection
)

// A request is what a server of one page needs to know of a request. The path is without
// its query.
type request struct{ method, host, path string }

// A response has a status such as "200 OK", the names and values of header fields, and
// a body.
type response struct {
	status string
	fields []string
	body   []byte
}

// text returns a response with a line of text.
func text(status, line string, fields ...string) response {
	return response{status, append(fields, "Content-Type", "text/plain; charset=utf-8"), []byte(line + "\n")}
}

// serve answers requests until ctx is canceled, which closes the listener and all
// connections.
func serve(ctx context.Context, listener net.Listener, answer func(context.Context, request) response) error {
	stop := context.AfterFunc(ctx, func() { listener.Close() })
	defer stop()
	free := make(chan struct{}, maxConnections)
	for {
		free <- struct{}{}
		conn, err := listener.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		go func() {
			defer func() { <-free }()
			stop := context.AfterFunc(ctx, func() { conn.Close() })
			defer stop()
			defer conn.Close()
			converse(ctx, conn, answer)
		}()
	}
}

// converse answers the request of a connection. Errors of the connection end it.
func converse(ctx context.Context, conn net.Conn, answer func(context.Context, request) response) {
	_ = conn.SetReadDeadline(time.Now().Add(headTimeout))
	q, err := readRequest(conn)
	var a response
	switch {
	case errors.Is(err, errMalformed):
		a = text("400 Bad Request", err.Error())
	case err != nil:
		return
	default:
		a = answer(ctx, q)
	}
	_ = conn.SetWriteDeadline(time.Now().Add(bodyTimeout))
	if err := a.write(conn, q.method != "HEAD"); err != nil {
		return
	}
	// If the connection was closed before all of the request was read, the client might lose
	// the response.
	if c, ok := conn.(*net.TCPConn); ok && c.CloseWrite() == nil {
		_ = conn.SetReadDeadline(time.Now().Add(closeTimeout))
		_, _ = io.CopyN(io.Discard, conn, maxHead)
	}
}

var errMalformed = errors.New("malformed request")

// readRequest reads a request without its body.
func readRequest(r io.Reader) (q request, err error) {
	limited := &io.LimitedReader{R: r, N: maxHead}
	t := textproto.NewReader(bufio.NewReader(limited))
	line, err := t.ReadLine()
	if err != nil {
		return q, tooLong(limited, err)
	}
	method, rest, _ := strings.Cut(line, " ")
	target, version, _ := strings.Cut(rest, " ")
	if method == "" || version != "HTTP/1.1" && version != "HTTP/1.0" {
		return q, fmt.Errorf("%w: the first line is %.40q", errMalformed, line)
	}
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return q, fmt.Errorf("%w: %w", errMalformed, err)
	}
	header, err := t.ReadMIMEHeader()
	if err != nil {
		return q, tooLong(limited, err)
	}
	q = request{method, u.Host, u.Path}
	switch hosts := header["Host"]; {
	case len(hosts) > 1 || len(hosts) == 0 && version == "HTTP/1.1":
		return q, fmt.Errorf("%w: %d fields Host", errMalformed, len(hosts))
	case q.host == "" && len(hosts) == 1:
		q.host = hosts[0]
	}
	return q, nil
}

// tooLong returns the error of reading a request: malformed if the syntax is wrong or the
// limit was reached, otherwise that of the connection.
func tooLong(r *io.LimitedReader, err error) error {
	var syntax textproto.ProtocolError
	switch {
	case r.N <= 0:
		return fmt.Errorf("%w: longer than %d KiB", errMalformed, maxHead>>10)
	case errors.As(err, &syntax):
		return fmt.Errorf("%w: %w", errMalformed, err)
	}
	return err
}

// write writes the response, with its body or without.
func (a response) write(w io.Writer, body bool) error {
	b := bufio.NewWriter(w)
	// A bufio.Writer keeps its first error, which Flush returns.
	_, _ = fmt.Fprintf(b, "HTTP/1.1 %s\r\nDate: %s\r\nContent-Length: %d\r\nConnection: close\r\n",
		a.status, time.Now().UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT"), len(a.body))
	_, _ = b.WriteString("X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCache-Control: no-store\r\n")
	for i := 0; i < len(a.fields); i += 2 {
		_, _ = fmt.Fprintf(b, "%s: %s\r\n", a.fields[i], a.fields[i+1])
	}
	_, _ = b.WriteString("\r\n")
	if body {
		_, _ = b.Write(a.body)
	}
	return b.Flush()
}
