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

type (
	Product struct{ Name string }
	Label   struct{ Cents int64 }
	lister  map[string]int64
)

// List sends the labels of products, one in each message.
func (l lister) List(products []Product, labels grpc.ServerStreamingServer[Label]) error {
	for _, p := range products {
		if err := labels.Send(&Label{l[p.Name]}); err != nil {
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
			stream := &grpc.GenericServerStream[[]Product, Label]{ServerStream: s}
			products, err := stream.Recv()
			if err != nil {
				return err
			}
			return srv.(lister).List(*products, stream)
		},
	}},
}

// Example_stream shows a stream with the generic types of gRPC, which generated code uses too.
func Example_stream() {
	server := grpc.NewServer(grpc.ForceServerCodecV2(grpcmsgpack.New(nil)))
	server.RegisterService(&lists, lister{"tea": 240, "cake": 320})
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
	labels := &grpc.GenericClientStream[[]Product, Label]{ClientStream: s}
	if err := errors.Join(labels.Send(&[]Product{{"tea"}, {"cake"}}), labels.CloseSend()); err != nil {
		panic(err)
	}
	for {
		label, err := labels.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			panic(err)
		}
		fmt.Println(label.Cents)
	}
	// Output:
	// 240
	// 320
}
