package grpcmsgpack_test

import (
	"context"
	"errors"
	"net"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/octet-go/octet/integrations/grpcmsgpack"
	"github.com/octet-go/octet/internal/sample"
	"github.com/octet-go/octet/msgpack"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
)

type (
	Order = sample.Order
	Line  = sample.Line
)

func order(lines int) *Order {
	o := sample.New(90071, lines)
	return &o
}

type Echo interface {
	Echo(context.Context, *Order) (*Order, error)
	Watch(*Order, grpc.ServerStream) error
}

type echo struct{}

func (echo) Echo(_ context.Context, o *Order) (*Order, error) { return o, nil }

// Watch sends the lines of o, one in each message.
func (echo) Watch(o *Order, s grpc.ServerStream) error {
	for _, line := range o.Lines {
		if err := s.SendMsg(&line); err != nil {
			return err
		}
	}
	return nil
}

var echoService = grpc.ServiceDesc{
	ServiceName: "test.Echo",
	HandlerType: (*Echo)(nil),
	Methods:     []grpc.MethodDesc{grpcmsgpack.Unary("test.Echo", "Echo", Echo.Echo)},
	Streams: []grpc.StreamDesc{{
		StreamName:    "Watch",
		ServerStreams: true,
		Handler: func(srv any, s grpc.ServerStream) error {
			var o Order
			if err := s.RecvMsg(&o); err != nil {
				return err
			}
			return srv.(Echo).Watch(&o, s)
		},
	}},
}

// connect starts a server with an Echo service and returns a connection that uses the codec of the client.
func connect(t testing.TB, client encoding.CodecV2, options ...grpc.ServerOption) *grpc.ClientConn {
	t.Helper()
	server := grpc.NewServer(options...)
	server.RegisterService(&echoService, echo{})
	listener := bufconn.Listen(1 << 20)
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	conn, err := grpc.NewClient("passthrough:///test",
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(client)),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		conn.Close()
		server.Stop()
		if err := <-done; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return conn
}

func forced(c *msgpack.Codec) grpc.ServerOption {
	return grpc.ForceServerCodecV2(grpcmsgpack.New(c))
}

func TestCall(t *testing.T) {
	arrays := sample.Codec(t, msgpack.Options{StructAsArray: true})
	aliasing := sample.Codec(t, msgpack.Options{AliasInput: true})
	for name, c := range map[string]*msgpack.Codec{"package": nil, "arrays": arrays, "aliasing": aliasing} {
		t.Run(name, func(t *testing.T) {
			conn := connect(t, grpcmsgpack.New(c), forced(c))
			for _, lines := range []int{0, 1, 12, 300, 20000} {
				got, err := grpcmsgpack.Call[Order](t.Context(), conn, "/test.Echo/Echo", order(lines))
				if err != nil || !reflect.DeepEqual(got, order(lines)) {
					t.Fatalf("%d lines: %.200v, %v", lines, got, err)
				}
			}
		})
	}
}

// TestConcurrency checks that messages in pooled buffers do not mix, on one connection.
func TestConcurrency(t *testing.T) {
	for name, c := range map[string]*msgpack.Codec{"package": nil, "aliasing": sample.Codec(t, msgpack.Options{AliasInput: true})} {
		conn := connect(t, grpcmsgpack.New(c), forced(c))
		var wait sync.WaitGroup
		for n := range 8 {
			wait.Go(func() {
				var kept []*Order
				for i := range 30 {
					want := order(n*i + 1)
					want.Customer = strings.Repeat(string(rune('a'+n)), 1000)
					got, err := grpcmsgpack.Call[Order](t.Context(), conn, "/test.Echo/Echo", want)
					if err != nil || !reflect.DeepEqual(got, want) {
						t.Errorf("%s: got %.100v, %v", name, got, err)
						return
					}
					kept = append(kept, got)
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

// TestNilRequest checks that a method gets the zero value if a call has no request, as with protobuf.
func TestNilRequest(t *testing.T) {
	conn := connect(t, grpcmsgpack.New(nil), forced(nil))
	for _, req := range []any{nil, (*Order)(nil)} {
		got, err := grpcmsgpack.Call[Order](t.Context(), conn, "/test.Echo/Echo", req)
		if err != nil || !reflect.DeepEqual(got, &Order{}) {
			t.Errorf("%T: %v, %v", req, got, err)
		}
	}
}

func TestStream(t *testing.T) {
	conn := connect(t, grpcmsgpack.New(nil), forced(nil))
	stream, err := conn.NewStream(t.Context(), &echoService.Streams[0], "/test.Echo/Watch")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(stream.SendMsg(order(100)), stream.CloseSend()); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		var line Line
		if err := stream.RecvMsg(&line); err != nil || line != order(100).Lines[i] {
			t.Fatalf("line %d: %v, %v", i, line, err)
		}
	}
}

// raw is a codec whose messages are byte slices. It sends what no encoder would send.
type raw struct{ name string }

func (r raw) Name() string { return r.name }
func (raw) Marshal(v any) (mem.BufferSlice, error) {
	return mem.BufferSlice{mem.SliceBuffer(v.([]byte))}, nil
}
func (raw) Unmarshal(data mem.BufferSlice, v any) error {
	*v.(*[]byte) = data.Materialize()
	return nil
}

func TestHostileBodies(t *testing.T) {
	few := sample.Codec(t, msgpack.Options{MaxElements: 100})
	conn := connect(t, raw{"msgpack"}, forced(few), grpc.MaxRecvMsgSize(1<<16))
	valid, err := msgpack.Marshal(order(2))
	if err != nil {
		t.Fatal(err)
	}
	long, err := msgpack.Marshal(order(101))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		body []byte
		code codes.Code
		want string
	}{
		{"valid", valid, codes.OK, ""},
		{"empty", nil, codes.Internal, "truncated"},
		{"truncated", valid[:len(valid)-1], codes.Internal, "truncated"},
		{"bytes after the message", append(valid, 1), codes.Internal, "after the value"},
		{"reserved byte", []byte{0xc1}, codes.Internal, "c1"},
		{"another type", []byte("\xa3abc"), codes.Internal, "want"},
		{"count of 2^32-1", []byte{0xdf, 0xff, 0xff, 0xff, 0xff}, codes.Internal, ""},
		{"nested deeply", append([]byte("\x81\xa1x"), []byte(strings.Repeat("\x91", 60000))...), codes.Internal, ""},
		{"limit of the Codec", long, codes.Internal, "limit"},
		{"limit of gRPC", make([]byte, 1<<16+1), codes.ResourceExhausted, "larger than max"},
	} {
		var answer []byte
		err := conn.Invoke(t.Context(), "/test.Echo/Echo", c.body, &answer)
		if status.Code(err) != c.code || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %v and %q", c.name, err, c.code, c.want)
		}
	}
}

// TestContentType checks what is on the wire, and what a server without the codec answers.
func TestContentType(t *testing.T) {
	var seen []string
	see := grpc.UnaryInterceptor(func(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
		md, _ := metadata.FromIncomingContext(ctx)
		seen = append(seen, md["content-type"]...)
		seen = append(seen, info.FullMethod)
		return next(ctx, req)
	})
	conn := connect(t, grpcmsgpack.New(nil), forced(nil), see)
	if _, err := grpcmsgpack.Call[Order](t.Context(), conn, "/test.Echo/Echo", order(1)); err != nil {
		t.Fatal(err)
	}
	if want := []string{"application/grpc+msgpack", "/test.Echo/Echo"}; !reflect.DeepEqual(seen, want) {
		t.Errorf("the server saw %q, want %q", seen, want)
	}

	conn = connect(t, raw{"proto"})
	if err := conn.Invoke(t.Context(), "/test.Echo/Echo", []byte("\xc0"), new([]byte)); status.Code(err) != codes.Internal {
		t.Errorf("a message in another form: %v, want codes.Internal", err)
	}
}

func TestInterceptor(t *testing.T) {
	replace := grpc.UnaryInterceptor(func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
		if req.(*Order).ID == 1 {
			return next(ctx, &Line{})
		}
		req.(*Order).Customer = "replaced"
		return next(ctx, req)
	})
	conn := connect(t, grpcmsgpack.New(nil), forced(nil), replace)
	got, err := grpcmsgpack.Call[Order](t.Context(), conn, "/test.Echo/Echo", &Order{})
	if err != nil || got.Customer != "replaced" {
		t.Errorf("got %v, %v", got, err)
	}
	_, err = grpcmsgpack.Call[Order](t.Context(), conn, "/test.Echo/Echo", &Order{ID: 1})
	if err == nil || !strings.Contains(err.Error(), "interceptor replaced the request of /test.Echo/Echo by *sample.Line") {
		t.Errorf("a request of another type: %v", err)
	}
}
