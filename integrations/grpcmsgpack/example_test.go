package grpcmsgpack_test

import (
	"context"
	"fmt"
	"net"

	"github.com/octet-go/octet/integrations/grpcmsgpack"
	"github.com/octet-go/octet/msgpack"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"
)

type (
	Item   struct{ Name string }
	Price  struct{ Cents int64 }
	Prices interface {
		Get(context.Context, *Item) (*Price, error)
	}
	shopkeep map[string]int64
)

func (s shopkeep) Get(_ context.Context, i *Item) (*Price, error) {
	cents, ok := s[i.Name]
	if !ok {
		return nil, status.Errorf(codes.NotFound, "no %s here", i.Name)
	}
	return &Price{cents}, nil
}

var prices = grpc.ServiceDesc{
	ServiceName: "shop.Prices",
	HandlerType: (*Prices)(nil),
	Methods:     []grpc.MethodDesc{grpcmsgpack.Unary("shop.Prices", "Get", Prices.Get)},
}

func Example() {
	server := grpc.NewServer(grpc.ForceServerCodecV2(grpcmsgpack.New(nil)))
	server.RegisterService(&prices, shopkeep{"tea": 240})
	listener := bufconn.Listen(1 << 16) // in a program: net.Listen
	go server.Serve(listener)
	defer server.Stop()

	conn, err := grpc.NewClient("passthrough:///shop",
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(grpcmsgpack.New(nil))),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		panic(err)
	}
	defer conn.Close()

	price, err := grpcmsgpack.Call[Price](context.Background(), conn, "/shop.Prices/Get", &Item{"tea"})
	if err != nil {
		panic(err)
	}
	fmt.Println(price.Cents)
	_, err = grpcmsgpack.Call[Price](context.Background(), conn, "/shop.Prices/Get", &Item{"salt"})
	fmt.Println(err)
	// Output:
	// 240
	// rpc error: code = NotFound desc = no salt here
}

func ExampleNew() {
	codec, err := msgpack.New(msgpack.Options{StructAsArray: true, MaxElements: 10_000})
	if err != nil {
		panic(err)
	}
	server := grpc.NewServer(grpc.ForceServerCodecV2(grpcmsgpack.New(codec)))
	server.Stop()
}

func ExampleRegister() {
	grpcmsgpack.Register(nil) // at the start of main
	fmt.Println(encoding.GetCodecV2(grpcmsgpack.Name) != nil)
	// Output: true
}

func ExampleCodec_Marshal() {
	data, err := grpcmsgpack.New(nil).Marshal(&Price{240})
	fmt.Printf("%q %v\n", data.Materialize(), err)
	// Output: "\x81\xa5Cents\xcc\xf0" <nil>
}

func ExampleCodec_Unmarshal() {
	var p Price
	err := grpcmsgpack.New(nil).Unmarshal(mem.BufferSlice{mem.SliceBuffer("\x81\xa5Cents\xcc\xf0")}, &p)
	fmt.Println(p, err)
	// Output: {240} <nil>
}

func ExampleCodec_Name() {
	fmt.Println(grpcmsgpack.New(nil).Name())
	// Output: msgpack
}

func ExampleUnary() {
	method := grpcmsgpack.Unary("shop.Prices", "Get", Prices.Get)
	decode := func(v any) error { *v.(*Item) = Item{"tea"}; return nil }
	price, err := method.Handler(shopkeep{"tea": 240}, context.Background(), decode, nil)
	fmt.Println(price.(*Price).Cents, err)
	// Output: 240 <nil>
}

func ExampleCall() {
	var conn grpc.ClientConnInterface = local{}
	price, err := grpcmsgpack.Call[Price](context.Background(), conn, "/shop.Prices/Get", &Item{"tea"})
	fmt.Println(price.Cents, err)
	// Output: 240 <nil>
}

// local is a connection that answers without a server.
type local struct{ grpc.ClientConnInterface }

func (local) Invoke(_ context.Context, _ string, _, reply any, _ ...grpc.CallOption) error {
	*reply.(*Price) = Price{240}
	return nil
}
