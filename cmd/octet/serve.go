package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"runtime"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

const serveHelp = `Serve runs a web server for the page of octet page on the loopback interface of this
computer, and prints the address. The address contains a secret, so that other users
of the computer and other pages in the browser cannot read the file. Each time the
page is loaded, serve reads the file again. Serve runs until it is interrupted.`

const serveExamples = `  octet serve std.msgpack               prints the address, http://127.0.0.1:…
  octet serve --open std.msgpack        opens the browser too
  octet serve --port 8080 events.ndjson
  octet serve                           a page that asks for a file`

func (a *app) serveCommand() *cobra.Command {
	var r reading
	port, open := uint16(0), false
	c := &cobra.Command{
		Use:     "serve [FILE]",
		GroupID: groupLook,
		Short:   "Serve the inspector at an address of this computer",
		Long:    serveHelp,
		Example: serveExamples,
		Args:    oneFile,
		RunE: func(c *cobra.Command, args []string) error {
			if r.paths = args; len(args) > 0 && args[0] == "-" {
				return errors.New("serve reads the file each time the page is loaded, which standard input does not allow; use octet page - -o FILE.html")
			}
			return a.serve(c.Context(), &r, port, open)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().Uint16Var(&port, "port", 0, "TCP port `N`; 0 selects a free one")
	c.Flags().BoolVar(&open, "open", false, "open the page in the browser")
	r.readFlags(c)
	return c
}

func (a *app) serve(ctx context.Context, r *reading, port uint16, open bool) error {
	// Writing a page here reports errors of the file before the server starts.
	if err := a.writePage(ctx, r, &bytes.Buffer{}); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port))))
	if err != nil {
		return failure.Accessing(fmt.Sprintf("port %d", port), err)
	}
	host := listener.Addr().String()
	path := "/" + rand.Text() + "/"
	s := &http.Server{Handler: a.pages(r, host, path), ReadHeaderTimeout: 10 * time.Second}
	address := "http://" + host + path
	if _, err := fmt.Fprintln(a.Stdout, address); err != nil {
		listener.Close()
		return err
	}
	a.Note("Press Ctrl+C to stop.")
	if open {
		if err := browse(address); err != nil {
			a.Note("cannot open the browser: %v", err)
		}
	}
	stop := context.AfterFunc(ctx, func() { s.Close() })
	defer stop()
	if err := s.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}

// pages returns the handler for the page at path. It answers only requests for host,
// because another web page could make its own host name resolve to this address.
func (a *app) pages(r *reading, host, path string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch {
		case q.Host != host:
			http.Error(w, "wrong host", http.StatusMisdirectedRequest)
			return
		case q.URL.Path != path:
			http.NotFound(w, q)
			return
		case q.Method != http.MethodGet && q.Method != http.MethodHead:
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		var b bytes.Buffer
		if err := a.writePage(q.Context(), r, &b); err != nil {
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
