package grpcmsgpack_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/octet-go/octet/integrations/grpcmsgpack"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"
)

// List sends the prices of items, one in each message.
func (s shopkeep) List(items []Item, prices grpc.ServerStreamingServer[Price]) error {
	for _, i := range items {
		if err := prices.Send(&Price{s[i.Name]}); err != nil {
			return err
		}
	}
	return nil
}

var lists = grpc.ServiceDesc{
	ServiceName: "shop.Lists",
	HandlerType: (*any)(nil),
	Streams: []grpc.StreamDesc{{
		StreamName:    "List",
		ServerStreams: true,
		Handler: func(srv any, s grpc.ServerStream) error {
			stream := &grpc.GenericServerStream[[]Item, Price]{ServerStream: s}
			items, err := stream.Recv()
			if err != nil {
				return err
			}
			return srv.(shopkeep).List(*items, stream)
		},
	}},
}

// Example_stream shows a stream with the generic types of gRPC, which generated code uses too.
func Example_stream() {
	server := grpc.NewServer(grpc.ForceServerCodecV2(grpcmsgpack.New(nil)))
	server.RegisterService(&lists, shopkeep{"tea": 240, "cake": 320})
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

	s, err := conn.NewStream(context.Background(), &lists.Streams[0], "/shop.Lists/List")
	if err != nil {
		panic(err)
	}
	prices := &grpc.GenericClientStream[[]Item, Price]{ClientStream: s}
	if err := errors.Join(prices.Send(&[]Item{{"tea"}, {"cake"}}), prices.CloseSend()); err != nil {
		panic(err)
	}
	for {
		price, err := prices.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			panic(err)
		}
		fmt.Println(price.Cents)
	}
	// Output:
	// 240
	// 320
}
