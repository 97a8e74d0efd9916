package connectmsgpack_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"github.com/octet-go/octet/integrations/connectmsgpack"
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

// TestStable checks which Codecs allow GET requests.
func TestStable(t *testing.T) {
	m := map[string]int{}
	for _, key := range strings.Fields("q w e r t y u i o p a s d f g h j k l") {
		m[key] = len(m)
	}
	for name, c := range map[string]struct {
		codec *msgpack.Codec
		want  bool
	}{
		"package":   {nil, true},
		"default":   {newCodec(t, msgpack.Options{}), false},
		"sorted":    {newCodec(t, msgpack.Options{SortKeys: true}), true},
		"canonical": {newCodec(t, msgpack.Options{Canonical: true}), true},
		"arrays":    {newCodec(t, msgpack.Options{StructAsArray: true}), false},
	} {
		codec := connectmsgpack.New(c.codec)
		first, err := codec.MarshalStable(m)
		if (err == nil) != c.want {
			t.Errorf("%s: %v, want success %t", name, err, c.want)
			continue
		}
		for range 20 {
			if next, err := codec.MarshalStable(m); c.want && (err != nil || !reflect.DeepEqual(next, first)) {
				t.Errorf("%s: %q, %v, want %q", name, next, err, first)
			}
		}
	}

	codec := connect.WithCodec(connectmsgpack.New(newCodec(t, msgpack.Options{})))
	server := serve(t, codec)
	client := connect.NewClient[Order, Order](server.Client(), server.URL+echoPath, codec,
		connect.WithHTTPGet(), connect.WithIdempotency(connect.IdempotencyNoSideEffects))
	_, err := client.CallUnary(t.Context(), connect.NewRequest(order(1)))
	if err == nil || !strings.Contains(err.Error(), "SortKeys") {
		t.Errorf("GET without sorted keys: %v", err)
	}
}

// TestAliasing checks that a decoded message stays the same when its buffer is used again.
func TestAliasing(t *testing.T) {
	for name, config := range map[string]msgpack.Options{
		"default":  {},
		"aliasing": {AliasInput: true},
		"limits":   {AliasInput: true, MaxBytes: 20, MaxTotal: 100_000},
	} {
		c := connectmsgpack.New(newCodec(t, config))
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
