package apns_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/octet-go/octet/examples/apns"
	"github.com/octet-go/octet/examples/apns/internal/certs"
	"github.com/octet-go/octet/examples/apns/internal/unreliable"
	"github.com/octet-go/octet/layout"
)

// service is a server on the loopback interface with a client certificate for it.
type service struct {
	*apns.Server
	address string
	client  *tls.Config
}

func serve(t *testing.T, s *apns.Server, config func(net.Listener, *tls.Config) net.Listener) service {
	t.Helper()
	authority, err := certs.New()
	if err != nil {
		t.Fatal(err)
	}
	serverConfig, err := authority.Server()
	if err != nil {
		t.Fatal(err)
	}
	clientConfig, err := authority.Client("test provider")
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(config(l, serverConfig)) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		s.Shutdown(ctx)
		if err := <-done; err != apns.ErrServerClosed {
			t.Errorf("Serve: %v, want ErrServerClosed", err)
		}
	})
	return service{s, l.Addr().String(), clientConfig}
}

// deadline returns a context that ends only if the test hangs.
func deadline(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 9*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// inbox counts the notifications by the number in their token. Tokens that begin with 1 are bad.
type inbox struct {
	mu      sync.Mutex
	arrived []int
	order   []uint32 // identifiers
	pause   time.Duration
}

func (b *inbox) Push(provider string, n apns.Notification) apns.Status {
	if b.pause > 0 && len(b.order)%500 == 0 {
		time.Sleep(b.pause)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if provider != "test provider" {
		return apns.Unknown
	}
	if n.Token[0] == 1 {
		return apns.InvalidToken
	}
	b.arrived[binary.BigEndian.Uint32(n.Token[28:])]++
	b.order = append(b.order, n.Identifier)
	return apns.OK
}

func numbered(i int, bad bool) apns.Notification {
	n := apns.Notification{Payload: []byte(`{"aps":{"alert":"Hi!"}}`)}
	binary.BigEndian.PutUint32(n.Token[28:], uint32(i))
	if bad {
		n.Token[0] = 1
	}
	return n
}

// smallBuffers is a listener whose connections have small buffers, so that the client must wait for a slow server.
type smallBuffers struct{ net.Listener }

func (l smallBuffers) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		c.(*net.TCPConn).SetReadBuffer(128 << 10)
	}
	return c, err
}

// Each notification with a good token arrives once and in order, each with a bad token is reported once.
func TestExactlyOnce(t *testing.T) {
	cases := []struct {
		name    string
		network unreliable.Options
		slow    bool // the server takes pauses
		count   int
	}{
		{name: "steady network", count: 100000},
		{name: "slow reader", slow: true, count: 10000},
		{name: "half-written frames", network: unreliable.Options{Piece: 700, Pause: time.Millisecond}, count: 10000},
		{name: "resets", network: unreliable.Options{Piece: 5000, CutAfter: 150000}, count: 15000},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel() // some wait for the network
			switch {
			case testing.Short():
				c.count /= 10
			case os.Getenv("OCTET_LONG") == "":
				c.count = min(c.count, 20000)
			}
			received := &inbox{arrived: make([]int, c.count)}
			listener := func(l net.Listener, config *tls.Config) net.Listener { return tls.NewListener(smallBuffers{l}, config) }
			if c.slow {
				received.pause = 5 * time.Millisecond
			}
			var handler apns.Handler = received
			if c.network.CutAfter > 0 { // only then do copies arrive
				handler = apns.Once(handler, 20000)
			}
			s := serve(t, &apns.Server{Handler: handler}, listener)

			// Each bad token ends a connection. Most of the time would go into certificates and keys.
			s.client.ClientSessionCache = tls.NewLRUClientSessionCache(1)
			s.client.CurvePreferences = []tls.CurveID{tls.X25519}

			refused := map[int]int{}
			client := apns.NewClient(s.address, s.client, &apns.Options{
				Attempts: 1000, // each reset before an answer is a failed attempt
				Pause:    time.Millisecond,
				Dial:     unreliable.Dialer(new(net.Dialer).DialContext, c.network),
				Refused: func(n apns.Notification, status apns.Status) {
					if status != apns.InvalidToken {
						t.Errorf("refused with status %v", status)
					}
					refused[int(binary.BigEndian.Uint32(n.Token[28:]))]++
				},
			})
			ctx := deadline(t)
			for i := range c.count {
				if _, err := client.Send(ctx, numbered(i, i%100 == 37)); err != nil {
					t.Fatal(err)
				}
			}
			if err := client.Close(deadline(t)); err != nil {
				t.Fatal(err)
			}
			if list := client.Unsettled(); len(list) > 0 {
				t.Errorf("%d notifications are unsettled after Close", len(list))
			}
			for i, n := range received.arrived {
				arrivals, refusals := 1, 0
				if i%100 == 37 {
					arrivals, refusals = 0, 1
				}
				if n != arrivals || refused[i] != refusals {
					t.Fatalf("notification %d arrived %d times and was refused %d times, want %d and %d",
						i, n, refused[i], arrivals, refusals)
				}
			}
			for i := 1; i < len(received.order); i++ {
				if int32(received.order[i]-received.order[i-1]) <= 0 {
					t.Fatalf("identifier %d arrived after %d", received.order[i], received.order[i-1])
				}
			}
		})
	}
}

// After Shutdown the client sends the notifications that the first server did not accept to the next server.
func TestServerShutdown(t *testing.T) {
	authority, err := certs.New()
	if err != nil {
		t.Fatal(err)
	}
	serverConfig, _ := authority.Server()
	clientConfig, _ := authority.Client("test provider")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	const count = 2000
	received := &inbox{arrived: make([]int, count)}
	reached := make(chan struct{})
	first := &apns.Server{Handler: apns.HandlerFunc(func(provider string, n apns.Notification) apns.Status {
		status := received.Push(provider, n)
		if len(received.order) == 300 {
			close(reached)
		}
		return status
	})}
	go first.Serve(tls.NewListener(l, serverConfig))

	client := apns.NewClient(l.Addr().String(), clientConfig, &apns.Options{Attempts: 1000})
	sent := make(chan error, 1)
	ctx := deadline(t)
	go func() {
		for i := range count {
			if _, err := client.Send(ctx, numbered(i, false)); err != nil {
				sent <- err
				return
			}
		}
		sent <- nil
	}()
	<-reached
	if err := first.Shutdown(deadline(t)); err != nil {
		t.Fatal(err)
	}
	if err := first.Serve(l); err != apns.ErrServerClosed {
		t.Errorf("Serve after Shutdown: %v", err)
	}
	again, err := net.Listen("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	second := &apns.Server{Handler: received}
	go second.Serve(tls.NewListener(again, serverConfig))
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	if err := client.Close(deadline(t)); err != nil {
		t.Fatal(err)
	}
	second.Shutdown(deadline(t))
	total := 0
	for i, n := range received.arrived {
		if n > 1 {
			t.Errorf("notification %d arrived %d times", i, n)
		}
		total += n
	}
	if total != count {
		t.Errorf("%d arrived, want %d", total, count)
	}
}

// The server answers each wrong message with the status and identifier of the protocol, and then closes.
func TestAnswers(t *testing.T) {
	received := &inbox{arrived: make([]int, 1)}
	s := serve(t, &apns.Server{Handler: received}, tls.NewListener)
	cases := []struct {
		name    string
		message []byte
		want    apns.Response
	}{
		{"wrong token size", items("01 0003 010203 02 0002 7b7d 03 0004 00000009"), apns.Response{Command: 8, Status: apns.WrongTokenSize, Identifier: 9}},
		{"unknown item", items("09 0000 03 0004 00000009"), apns.Response{Command: 8, Status: apns.ProcessingError, Identifier: 9}},
		{"unknown command", []byte{7}, apns.Response{Command: 8, Status: apns.ProcessingError}},
		{"command 0", unhex("00 0001 01 0002 7b7d"), apns.Response{Command: 8, Status: apns.WrongTokenSize}},
		{"frame too long", unhex("02 7fffffff 01"), apns.Response{Command: 8, Status: apns.ProcessingError}},
	}
	for _, c := range cases {
		conn, err := tls.Dial("tcp", s.address, s.client)
		if err != nil {
			t.Fatal(err)
		}
		good := numbered(0, false)
		message, err := apns.Append(nil, &good)
		if err != nil {
			t.Fatal(err)
		}
		conn.SetDeadline(time.Now().Add(time.Minute))
		// The notification after the wrong one is lost.
		if _, err := conn.Write(bytes.Join([][]byte{c.message, message}, nil)); err != nil {
			t.Fatal(err)
		}
		var got apns.Response
		if err := layout.Read(conn, &got); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v; want %+v", c.name, got, err, c.want)
		}
		if n, err := conn.Read(make([]byte, 1)); n > 0 || err == nil {
			t.Errorf("%s: the server sent more after its answer", c.name)
		}
		conn.Close()
	}
	if received.arrived[0] != 0 {
		t.Error("a notification after a refused one was delivered")
	}
}

// A server does not serve a client whose certificate another authority signed, and a client that cannot connect gives up.
func TestUnknownAuthority(t *testing.T) {
	s := serve(t, &apns.Server{Handler: &inbox{arrived: make([]int, 1)}}, tls.NewListener)
	authority, err := certs.New()
	if err != nil {
		t.Fatal(err)
	}
	config, err := authority.Client("test provider")
	if err != nil {
		t.Fatal(err)
	}
	config.RootCAs = s.client.RootCAs
	client := apns.NewClient(s.address, config, &apns.Options{Attempts: 2})
	if _, err := client.Send(deadline(t), numbered(0, false)); err != nil {
		t.Fatal(err)
	}
	if err := client.Close(deadline(t)); err == nil {
		t.Error("a client with the certificate of another authority was served")
	}
	if list := client.Unsettled(); len(list) != 1 || list[0].Token != numbered(0, false).Token {
		t.Errorf("unsettled: %v, want the notification", list)
	}
	if _, err := client.Send(deadline(t), numbered(0, false)); err == nil {
		t.Error("Send after the client ended: no error")
	}
}

func TestSendErrors(t *testing.T) {
	client := apns.NewClient("127.0.0.1:1", &tls.Config{}, &apns.Options{Window: 1, Attempts: 1000,
		Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no network") }})
	var refused *apns.RefusedError
	if _, err := client.Send(deadline(t), apns.Notification{}); !errors.As(err, &refused) || refused.Status != apns.MissingPayload {
		t.Errorf("no payload: %v", err)
	}
	if _, err := client.Send(deadline(t), apns.Notification{Payload: make([]byte, apns.MaxPayload+1)}); !errors.As(err, &refused) ||
		refused.Status != apns.WrongPayloadSize {
		t.Errorf("payload too long: %v", err)
	}
	if _, err := client.Send(deadline(t), numbered(0, false)); err != nil {
		t.Fatal(err)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := client.Send(done, numbered(1, false)); err != context.Canceled {
		t.Errorf("full window: %v, want context.Canceled", err)
	}
	if err := client.Flush(done); err != context.Canceled {
		t.Errorf("Flush: %v, want context.Canceled", err)
	}
	if err := client.Close(done); err != context.Canceled {
		t.Errorf("Close: %v, want context.Canceled", err)
	}
	if _, err := client.Send(deadline(t), numbered(2, false)); err != apns.ErrClosed {
		t.Errorf("Send after Close: %v, want ErrClosed", err)
	}
}

func TestOnce(t *testing.T) {
	calls := 0
	h := apns.Once(apns.HandlerFunc(func(_ string, n apns.Notification) apns.Status {
		calls++
		if n.Token[0] == 1 {
			return apns.InvalidToken
		}
		return apns.OK
	}), 2)
	a, b, bad := numbered(1, false), numbered(2, false), numbered(3, true)
	c := a
	c.Identifier = 5
	steps := []struct {
		provider string
		n        apns.Notification
		status   apns.Status
		calls    int
	}{
		{"p", a, apns.OK, 1},
		{"p", a, apns.OK, 1},             // a copy
		{"q", a, apns.OK, 2},             // another provider
		{"p", bad, apns.InvalidToken, 3}, // refused again each time
		{"p", bad, apns.InvalidToken, 4},
		{"p", c, apns.OK, 5}, // another identifier; p's a is forgotten
		{"p", a, apns.OK, 6},
		{"p", b, apns.OK, 7},
		{"p", a, apns.OK, 7},
	}
	for i, s := range steps {
		if status := h.Push(s.provider, s.n); status != s.status || calls != s.calls {
			t.Errorf("step %d: status %v after %d calls, want %v after %d", i, status, calls, s.status, s.calls)
		}
	}
}

func TestFeedback(t *testing.T) {
	authority, err := certs.New()
	if err != nil {
		t.Fatal(err)
	}
	serverConfig, _ := authority.Server()
	clientConfig, _ := authority.Client("test provider")
	l, err := tls.Listen("tcp", "127.0.0.1:0", serverConfig)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]apns.Feedback, 1000)
	for i := range want {
		want[i] = apns.Feedback{Time: uint32(i), Token: bytes.Repeat([]byte{byte(i)}, 32)}
	}
	s := &apns.Server{Feedback: func(provider string) []apns.Feedback {
		if provider != "test provider" {
			return nil
		}
		return want
	}}
	go s.ServeFeedback(l)
	defer s.Shutdown(deadline(t))
	i := 0
	for f, err := range apns.ReadFeedback(deadline(t), l.Addr().String(), clientConfig) {
		if err != nil {
			t.Fatal(err)
		}
		if i >= len(want) || f.Time != want[i].Time || !bytes.Equal(f.Token, want[i].Token) || f.When().Unix() != int64(i) {
			t.Fatalf("tuple %d: %v", i, f)
		}
		i++
	}
	if i != len(want) {
		t.Errorf("%d tuples, want %d", i, len(want))
	}
	other, _ := authority.Client("another provider")
	for f, err := range apns.ReadFeedback(deadline(t), l.Addr().String(), other) {
		t.Errorf("another provider got %v, %v", f, err)
	}
}
