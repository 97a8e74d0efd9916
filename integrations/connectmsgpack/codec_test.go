package connectmsgpack_test

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"github.com/octet-go/octet/integrations/connectmsgpack"
	"github.com/octet-go/octet/internal/sample"
	"github.com/octet-go/octet/msgpack"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

func TestErrors(t *testing.T) {
	c := connectmsgpack.New(nil)
	for name, marshal := range map[string]func(any) ([]byte, error){"Marshal": c.Marshal, "MarshalStable": c.MarshalStable} {
		if _, err := marshal(make(chan int)); !errors.Is(err, msgpack.ErrUnsupported) {
			t.Errorf("%s of a chan: %v, want ErrUnsupported", name, err)
		}
		if _, err := marshal(wrapperspb.Int64(1)); err == nil || !strings.Contains(err.Error(), "*wrapperspb.Int64Value: it is a protobuf message") {
			t.Errorf("%s of protobuf: %v", name, err)
		}
	}
	if err := c.Unmarshal([]byte{1}, 1); !errors.Is(err, msgpack.ErrTarget) {
		t.Errorf("into a value: %v, want ErrTarget", err)
	}
	if err := c.Unmarshal([]byte{1}, new(wrapperspb.Int64Value)); err == nil || !strings.Contains(err.Error(), "protobuf message") {
		t.Errorf("into protobuf: %v", err)
	}
}

// TestStable checks that all Codecs encode the messages of GET requests with sorted keys, and otherwise with their Options.
func TestStable(t *testing.T) {
	m := map[string]int{}
	for _, key := range strings.Fields("q w e r t y u i o p a s d f g h j k l") {
		m[key] = len(m)
	}
	for name, c := range map[string]*msgpack.Codec{
		"package":   nil,
		"default":   sample.Codec(t, msgpack.Options{}),
		"sorted":    sample.Codec(t, msgpack.Options{SortKeys: true}),
		"canonical": sample.Codec(t, msgpack.Options{Canonical: true}),
		"arrays":    sample.Codec(t, msgpack.Options{StructAsArray: true}),
	} {
		v := struct{ M map[string]int }{m}
		codec := connectmsgpack.New(c)
		first, err := codec.MarshalStable(v)
		if err != nil || (first[0] == 0x91) != (name == "arrays") {
			t.Errorf("%s: %q, %v", name, first, err)
		}
		for range 20 {
			if next, err := codec.MarshalStable(v); err != nil || !reflect.DeepEqual(next, first) {
				t.Errorf("%s: %q, %v, want %q", name, next, err, first)
			}
		}
	}
	if b, err := (connectmsgpack.Codec{}).MarshalStable(map[string]int{"b": 2, "a": 1, "c": 3}); err != nil || string(b) != "\x83\xa1a\x01\xa1b\x02\xa1c\x03" {
		t.Errorf("zero Codec: %q, %v", b, err)
	}

	codec := connect.WithCodec(connectmsgpack.New(sample.Codec(t, msgpack.Options{})))
	server := serve(t, codec)
	client := connect.NewClient[Order, Order](server.Client(), server.URL+echoPath, codec,
		connect.WithHTTPGet(), connect.WithIdempotency(connect.IdempotencyNoSideEffects))
	if got, err := client.CallUnary(t.Context(), connect.NewRequest(order(1))); err != nil || !reflect.DeepEqual(got.Msg, order(1)) {
		t.Errorf("GET: %v, %v", got, err)
	}
}

// TestEmptyMessage checks that the error for an empty message is not io.EOF, at which Connect ends a stream as if it
// were complete.
func TestEmptyMessage(t *testing.T) {
	for name, c := range map[string]*msgpack.Codec{"package": nil, "codec": sample.Codec(t, msgpack.Options{AliasInput: true})} {
		var o Order
		if err := connectmsgpack.New(c).Unmarshal(nil, &o); !errors.Is(err, msgpack.ErrTruncated) || errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAliasing checks that a decoded message stays the same when its buffer is used again.
func TestAliasing(t *testing.T) {
	for name, config := range map[string]msgpack.Options{
		"default":  {},
		"aliasing": {AliasInput: true},
		"limits":   {AliasInput: true, MaxBytes: 20, MaxTotal: 100_000},
	} {
		c := connectmsgpack.New(sample.Codec(t, config))
		data, err := c.Marshal(order(12))
		if err != nil {
			t.Fatal(err)
		}
		var got Order
		if err := c.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		clear(data)
		if !reflect.DeepEqual(&got, order(12)) {
			t.Errorf("%s: the message changed with the buffer: %.100q", name, got.Customer)
		}
	}
}
