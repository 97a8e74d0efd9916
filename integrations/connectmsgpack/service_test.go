package connectmsgpack_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"

	"connectrpc.com/connect"
	"github.com/octet-go/octet/integrations/connectmsgpack"
	"github.com/octet-go/octet/internal/sample"
	"github.com/octet-go/octet/msgpack"
)

type (
	Order = sample.Order
	Line  = sample.Line
)

func order(lines int) *Order {
	o := sample.New(90071, lines)
	return &o
}

const (
	echoPath  = "/test.Echo/Echo"
	watchPath = "/test.Echo/Watch"
)

func echo(_ context.Context, r *connect.Request[Order]) (*connect.Response[Order], error) {
	return connect.NewResponse(r.Msg), nil
}

// watch sends the lines of an order, one in each message.
func watch(_ context.Context, r *connect.Request[Order], s *connect.ServerStream[Line]) error {
	for _, line := range r.Msg.Lines {
		if err := s.Send(&line); err != nil {
			return err
		}
	}
	return nil
}

// serve starts a server, also for HTTP/2, and returns it.
func serve(t testing.TB, options ...connect.HandlerOption) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle(echoPath, connect.NewUnaryHandler(echoPath, echo, append(options, connect.WithIdempotency(connect.IdempotencyNoSideEffects))...))
	mux.Handle(watchPath, connect.NewServerStreamHandler(watchPath, watch, options...))
	server := httptest.NewUnstartedServer(mux)
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

// TestProtocols sends messages by each protocol of Connect.
func TestProtocols(t *testing.T) {
	codec := connect.WithCodec(connectmsgpack.New(nil))
	server := serve(t, codec)
	for name, c := range map[string]struct {
		options     []connect.ClientOption
		contentType string
	}{
		"Connect":  {nil, "application/msgpack"},
		"GET":      {[]connect.ClientOption{connect.WithHTTPGet()}, "application/msgpack"},
		"gRPC":     {[]connect.ClientOption{connect.WithGRPC()}, "application/grpc+msgpack"},
		"gRPC web": {[]connect.ClientOption{connect.WithGRPCWeb()}, "application/grpc-web+msgpack"},
		"gzip":     {[]connect.ClientOption{connect.WithSendGzip()}, "application/msgpack"},
	} {
		t.Run(name, func(t *testing.T) {
			options := append([]connect.ClientOption{codec, connect.WithIdempotency(connect.IdempotencyNoSideEffects)}, c.options...)
			client := connect.NewClient[Order, Order](server.Client(), server.URL+echoPath, options...)
			for _, lines := range []int{0, 1, 12, 300} {
				got, err := client.CallUnary(t.Context(), connect.NewRequest(order(lines)))
				if err != nil || !reflect.DeepEqual(got.Msg, order(lines)) {
					t.Fatalf("%d lines: %.200v, %v", lines, got, err)
				}
				if typ := got.Header().Get("Content-Type"); typ != c.contentType {
					t.Errorf("Content-Type %q, want %q", typ, c.contentType)
				}
			}
			lines := connect.NewClient[Order, Line](server.Client(), server.URL+watchPath, append([]connect.ClientOption{codec}, c.options...)...)
			stream, err := lines.CallServerStream(t.Context(), connect.NewRequest(order(100)))
			if err != nil {
				t.Fatal(err)
			}
			var got []Line
			for stream.Receive() {
				got = append(got, *stream.Msg())
			}
			if err := stream.Err(); err != nil || !reflect.DeepEqual(got, order(100).Lines) {
				t.Errorf("stream: %.200v, %v", got, err)
			}
			if err := stream.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestConcurrency checks that messages in Connect's buffers do not mix.
func TestConcurrency(t *testing.T) {
	for name, c := range map[string]*msgpack.Codec{"package": nil, "aliasing": sample.Codec(t, msgpack.Options{AliasInput: true})} {
		codec := connect.WithCodec(connectmsgpack.New(c))
		server := serve(t, codec)
		client := connect.NewClient[Order, Order](server.Client(), server.URL+echoPath, codec)
		var wait sync.WaitGroup
		for n := range 8 {
			wait.Go(func() {
				var kept []*Order
				for i := range 30 {
					want := order(n*i + 1)
					want.Customer = strings.Repeat(string(rune('a'+n)), 1000)
					got, err := client.CallUnary(t.Context(), connect.NewRequest(want))
					if err != nil || !reflect.DeepEqual(got.Msg, want) {
						t.Errorf("%s: got %.100v, %v", name, got, err)
						return
					}
					kept = append(kept, got.Msg)
				}
				for i, got := range kept {
					if len(got.Lines) != n*i+1 || strings.Trim(got.Customer, string(rune('a'+n))) != "" || got.Lines[0].Note != "gift wrap" {
						t.Errorf("%s: a message changed after it was decoded", name)
					}
				}
			})
		}
		wait.Wait()
	}
}

func TestHostileBodies(t *testing.T) {
	few := sample.Codec(t, msgpack.Options{MaxElements: 100})
	server := serve(t, connect.WithCodec(connectmsgpack.New(few)), connect.WithReadMaxBytes(1<<16))
	encode := func(v any) []byte {
		b, err := msgpack.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	valid := encode(order(2))
	const typ = "application/msgpack"
	for _, c := range []struct {
		name, typ string
		body      []byte
		status    int
		want      string
	}{
		{"valid", typ, valid, 200, ""},
		{"empty", typ, nil, 400, "truncated"},
		{"truncated", typ, valid[:len(valid)-1], 400, "truncated"},
		{"bytes after the message", typ, append(bytes.Clone(valid), 1), 400, "after the value"},
		{"reserved byte", typ, []byte{0xc1}, 400, "c1"},
		{"another type", typ, []byte("\xa3abc"), 400, "want"},
		{"count of 2^32-1", typ, []byte{0xdf, 0xff, 0xff, 0xff, 0xff}, 400, "invalid_argument"},
		{"nested deeply", typ, []byte("\x81\xa1x" + strings.Repeat("\x91", 60000)), 400, "invalid_argument"},
		{"limit of the Codec", typ, encode(order(101)), 400, "limit"},
		{"limit of Connect", typ, make([]byte, 1<<16+1), 429, "resource_exhausted"},
		{"unknown content type", "application/vnd.msgpack", valid, 415, ""},
		{"protobuf", "application/proto", valid, 400, ""},
		{"JSON", "application/json", valid, 400, ""},
	} {
		resp, err := server.Client().Post(server.URL+echoPath, c.typ, bytes.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || c.status != resp.StatusCode || !strings.Contains(string(text), c.want) {
			t.Errorf("%s: %s %q, want %d %q", c.name, resp.Status, text, c.status, c.want)
		}
	}
}
