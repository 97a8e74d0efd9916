package connectmsgpack_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"connectrpc.com/connect"
	"github.com/octet-go/octet/integrations/connectmsgpack"
)

// jsonCodec is the usual codec of services without protobuf.
type jsonCodec struct{}

func (jsonCodec) Name() string                       { return "json" }
func (jsonCodec) Marshal(v any) ([]byte, error)      { return json.Marshal(v) }
func (jsonCodec) Unmarshal(data []byte, v any) error { return json.Unmarshal(data, v) }

var codecs = []connect.Codec{connectmsgpack.New(nil), jsonCodec{}}

// BenchmarkCodec encodes and decodes one message.
func BenchmarkCodec(b *testing.B) {
	for _, codec := range codecs {
		b.Run(codec.Name(), func(b *testing.B) {
			want := order(12)
			exchange := func() (got Order) {
				data, err := codec.Marshal(want)
				if err == nil {
					err = codec.Unmarshal(data, &got)
				}
				if err != nil {
					b.Fatal(err)
				}
				return got
			}
			if got := exchange(); !reflect.DeepEqual(&got, want) {
				b.Fatalf("got %v", got)
			}
			b.ReportAllocs()
			for b.Loop() {
				exchange()
			}
		})
	}
}

// BenchmarkCall calls a procedure that returns its argument, over HTTP/2 with TLS on the loopback interface.
func BenchmarkCall(b *testing.B) {
	for _, codec := range codecs {
		b.Run(codec.Name(), func(b *testing.B) {
			server := serve(b, connect.WithCodec(codec))
			client := connect.NewClient[Order, Order](server.Client(), server.URL+echoPath, connect.WithCodec(codec))
			want := order(12)
			call := func() *Order {
				got, err := client.CallUnary(b.Context(), connect.NewRequest(want))
				if err != nil {
					b.Fatal(err)
				}
				return got.Msg
			}
			if got := call(); !reflect.DeepEqual(got, want) {
				b.Fatalf("got %v", got)
			}
			b.ReportAllocs()
			for b.Loop() {
				call()
			}
		})
	}
}
