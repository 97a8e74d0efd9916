// Package connectmsgpack is a Connect codec for messages in MessagePack. It is for services whose
// messages are Go structs, without protobuf and generated code.
//
// Handlers and clients are given the codec as an option:
//
//	codec := connect.WithCodec(connectmsgpack.New(nil))
//	mux.Handle("/shop.Orders/Get", connect.NewUnaryHandler("/shop.Orders/Get", get, codec))
//
//	client := connect.NewClient[GetRequest, Order](http.DefaultClient, url+"/shop.Orders/Get", codec)
//
// The content types on the wire are application/msgpack for calls of one message,
// application/connect+msgpack for streams, and application/grpc+msgpack for the protocol of gRPC. A handler
// answers unknown types with status 415. It keeps Connect's own codecs for protobuf and for JSON, which answer messages
// that are not protobuf with status 400. Connect itself writes errors and the end of a stream in JSON.
// Importing the package registers nothing.
//
// # Rules
//
// Messages are pointers to any type that package msgpack encodes. A protobuf message is an error,
// because its exported fields are not all of its content. A message that cannot be decoded is an
// error with connect.CodeInvalidArgument. Connect reads messages of any length unless
// connect.WithReadMaxBytes limits it; set that option on servers. In streams and in the protocols of gRPC, Connect takes
// a message of zero bytes for the zero value and does not call the codec. In calls of one message it is an error.
//
// A decoded message does not share memory with Connect's buffers, even if the Codec has the option AliasInput: it then
// shares memory with a copy that belongs to the message.
//
// A client with connect.WithHTTPGet sends the message in the URL. Equal messages must then have equal
// encodings, so that caches work: the keys of maps are sorted in these messages, whatever the Options of the Codec.
package connectmsgpack
