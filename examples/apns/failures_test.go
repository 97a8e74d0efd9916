package apns_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/examples/apns"
	"github.com/octet-go/octet/examples/apns/internal/certs"
	"github.com/octet-go/octet/layout"
)

func TestStatusText(t *testing.T) {
	for s, want := range map[apns.Status]string{
		apns.OK: "no error", apns.MissingToken: "missing device token", apns.MissingTopic: "missing topic", apns.MissingPayload: "missing payload",
		apns.WrongTokenSize: "wrong token size", apns.WrongTopicSize: "wrong topic size", apns.WrongPayloadSize: "wrong payload size",
		apns.Shutdown: "shutdown", apns.Unknown: "unknown error", 99: "status 99",
	} {
		if s.String() != want {
			t.Errorf("status %d is %q, want %q", uint8(s), s, want)
		}
	}
	cause := errors.New("cause")
	err := error(&apns.RefusedError{Status: apns.MissingTopic, Identifier: 7, Cause: cause})
	if !errors.Is(err, cause) || err.Error() != "apns: notification 7 refused: missing topic: cause" {
		t.Error(err)
	}
}

// fakeServer starts a server that accepts TLS connections and calls answer for each. It returns the address of the
// server and the configuration of its clients.
func fakeServer(t *testing.T, answer func(net.Conn)) (address string, config *tls.Config) {
	t.Helper()
	authority, err := certs.New()
	if err != nil {
		t.Fatal(err)
	}
	serverConfig, err := authority.Server()
	if err != nil {
		t.Fatal(err)
	}
	if config, err = authority.Client("test provider"); err != nil {
		t.Fatal(err)
	}
	l, err := tls.Listen("tcp", "127.0.0.1:0", serverConfig)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				answer(conn)
			}()
		}
	}()
	return l.Addr().String(), config
}

// TestUnexpectedAnswers gives a client answers that do not belong to the notifications that it sent. None of the
// notifications counts as delivered.
func TestUnexpectedAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		answer, want string
	}{
		"another identifier":              {"\x08\x08\xff\xff\xff\xff", "answer names a notification that was not sent: status invalid token, identifier 4294967295"},
		"shutdown after nothing":          {"\x08\x0a\x00\x00\x00\x00", ""},
		"another command":                 {"\x07\x08\x00\x00\x00\x01", "connection ended without an answer"},
		"a part of an answer":             {"\x08\x08", "connection ended without an answer"},
		"the end of the connection alone": {"", "connection ended without an answer"},
	} {
		address, config := fakeServer(t, func(conn net.Conn) {
			if _, err := conn.Read(make([]byte, 1)); err == nil {
				io.WriteString(conn, c.answer)
			}
		})
		client := apns.NewClient(address, config, &apns.Options{Attempts: 1})
		if _, err := client.Send(deadline(t), numbered(0, false)); err != nil {
			t.Fatal(err)
		}
		if err := client.Close(deadline(t)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if list := client.Unsettled(); len(list) != 1 {
			t.Errorf("%s: %d notifications are unsettled, want 1", name, len(list))
		}
	}
}

// TestServeErrors has listeners that are closed or have no TLS, and a server that does not ask for certificates.
func TestServeErrors(t *testing.T) {
	withoutTLS, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer withoutTLS.Close()
	go func() {
		if conn, err := net.Dial("tcp", withoutTLS.Addr().String()); err == nil {
			conn.Close()
		}
	}()
	if err := new(apns.Server).Serve(withoutTLS); err == nil || err.Error() != "apns: listener does not use TLS" {
		t.Errorf("without TLS: %v", err)
	}
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	if err := new(apns.Server).Serve(closed); !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed: %v", err)
	}

	logged := make(chan error, 10)
	s := serve(t, &apns.Server{Handler: &inbox{arrived: make([]int, 1)}, Log: func(_ string, err error) { logged <- err }}, func(l net.Listener, config *tls.Config) net.Listener {
		config.ClientAuth = tls.NoClientCert
		return tls.NewListener(l, config)
	})
	conn, err := tls.Dial("tcp", s.address, s.client)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := <-logged; err == nil || err.Error() != "apns: no verified client certificate" {
		t.Errorf("no certificate: %v", err)
	}
}

// TestFeedbackErrors reads without a server, from a server without feedback, and from a server that ends a tuple early.
func TestFeedbackErrors(t *testing.T) {
	read := func(ctx context.Context, address string, config *tls.Config) (n int, err error) {
		for _, err := range apns.ReadFeedback(ctx, address, config) {
			if err != nil {
				return n, err
			}
			n++
		}
		return n, nil
	}
	done, cancel := context.WithCancel(deadline(t))
	cancel()
	if n, err := read(done, "127.0.0.1:1", &tls.Config{}); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %d, %v", n, err)
	}
	tuple := "\x00\x00\x00\x01\x00\x02ab"
	for data, want := range map[string]int{"": 0, tuple: 1, tuple + tuple: 2, tuple + tuple[:7]: -1, tuple[:3]: -1} {
		address, config := fakeServer(t, func(conn net.Conn) { io.WriteString(conn, data) })
		n, err := read(deadline(t), address, config)
		if want >= 0 && (n != want || err != nil) || want < 0 && !errors.Is(err, layout.ErrTruncated) {
			t.Errorf("%q: %d, %v", data, n, err)
		}
		for range apns.ReadFeedback(deadline(t), address, config) {
			break
		}
	}
	ctx, cancel := context.WithCancel(deadline(t))
	defer cancel()
	address, config := fakeServer(t, func(conn net.Conn) {
		io.WriteString(conn, tuple)
		io.Copy(io.Discard, conn)
	})
	n := 0
	for _, err := range apns.ReadFeedback(ctx, address, config) {
		if err != nil {
			n = -n
			break
		}
		n++
		cancel()
	}
	if n != -1 {
		t.Errorf("canceled while reading: %d", n)
	}
	s := &apns.Server{}
	authority, _ := certs.New()
	serverConfig, _ := authority.Server()
	config, err := authority.Client("p")
	if err != nil {
		t.Fatal(err)
	}
	l, err := tls.Listen("tcp", "127.0.0.1:0", serverConfig)
	if err != nil {
		t.Fatal(err)
	}
	go s.ServeFeedback(l)
	defer s.Shutdown(deadline(t))
	if n, err := read(deadline(t), l.Addr().String(), config); n != 0 || err != nil {
		t.Errorf("without feedback: %d, %v", n, err)
	}
}

// TestShutdownTimeout closes a connection whose provider does not answer.
func TestShutdownTimeout(t *testing.T) {
	s := serve(t, &apns.Server{Handler: &inbox{arrived: make([]int, 1)}}, tls.NewListener)
	conn, err := tls.Dial("tcp", s.address, s.client)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.Handshake(); err != nil {
		t.Fatal(err)
	}
	n := numbered(0, false)
	message, err := apns.Append(nil, &n)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write(message[:len(message)-1]); err != nil { // the server waits for the rest
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := s.Shutdown(ctx); err != nil && err != context.DeadlineExceeded {
		t.Error(err)
	}
	conn.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := io.ReadAll(conn); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the connection is open: %v", err)
	}
}
