package grpcmsgpack_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/octet-go/octet/integrations/grpcmsgpack"
	"google.golang.org/grpc"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/mem"
)

// jsonCodec is the usual codec of services without protobuf.
type jsonCodec struct{}

func (jsonCodec) Name() string { return "json" }

func (jsonCodec) Marshal(v any) (mem.BufferSlice, error) {
	b, err := json.Marshal(v)
	return mem.BufferSlice{mem.SliceBuffer(b)}, err
}

func (jsonCodec) Unmarshal(data mem.BufferSlice, v any) error {
	b := data.MaterializeToBuffer(mem.DefaultBufferPool())
	defer b.Free()
	return json.Unmarshal(b.ReadOnlyData(), v)
}

var codecs = []encoding.CodecV2{grpcmsgpack.New(nil), jsonCodec{}}

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
				data.Free()
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

// BenchmarkCall calls a method that returns its argument, over a connection in memory.
func BenchmarkCall(b *testing.B) {
	for _, codec := range codecs {
		b.Run(codec.Name(), func(b *testing.B) {
			conn := connect(b, codec, grpc.ForceServerCodecV2(codec))
			want := order(12)
			call := func() *Order {
				got, err := grpcmsgpack.Call[Order](b.Context(), conn, "/test.Echo/Echo", want)
				if err != nil {
					b.Fatal(err)
				}
				return got
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
