// Package grpcmsgpack is a gRPC codec for messages in MessagePack. It is for services whose messages
// are Go structs, without protobuf and generated code.
//
// A server and a client are given the codec as an option:
//
//	server := grpc.NewServer(grpc.ForceServerCodecV2(grpcmsgpack.New(nil)))
//	conn, err := grpc.NewClient(target,
//		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(grpcmsgpack.New(nil))), …)
//
// A server with this option decodes all messages as MessagePack. A server that also has services with
// protobuf messages, such as health checks, needs the codec in the registry of gRPC instead: call
// [Register] in main. Clients then use grpc.CallContentSubtype(grpcmsgpack.Name) or
// ForceCodecV2. The content type on the wire is application/grpc+msgpack in both cases.
// Importing the package registers nothing.
//
// [Unary] describes a method without generated code, and [Call] calls it:
//
//	var service = grpc.ServiceDesc{
//		ServiceName: "shop.Orders",
//		HandlerType: (*Orders)(nil),
//		Methods:     []grpc.MethodDesc{grpcmsgpack.Unary("shop.Orders", "Get", Orders.Get)},
//	}
//
//	order, err := grpcmsgpack.Call[Order](ctx, conn, "/shop.Orders/Get", &GetRequest{ID: 1})
//
// A stream needs no generated code either: grpc.GenericServerStream and grpc.GenericClientStream
// give it the types of its messages. The example Stream shows both sides.
//
// # Rules
//
// Messages are pointers to any type that package msgpack encodes. A protobuf message is an error,
// because its exported fields are not all of its content.
//
// Encoded messages are in buffers of gRPC's pool, which gRPC returns to it. A decoded message does not share memory
// with these buffers, even if the Codec has the option AliasInput: it then shares memory with a copy that
// belongs to the message.
//
// Receive each message into a new variable, as [Unary], [Call] and these types do. Unlike protobuf,
// decoding into a used variable keeps the fields that a message leaves out, and uses the memory
// of slices and maps again.
//
// gRPC limits the length of a message that it receives to 4 MiB; see grpc.MaxRecvMsgSize and
// grpc.MaxCallRecvMsgSize. A message that cannot be decoded is an error with codes.Internal, as
// with protobuf.
package grpcmsgpack
