package grpcmsgpack_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/integrations/grpcmsgpack"
	"github.com/octet-go/octet/internal/sample"
	"github.com/octet-go/octet/msgpack"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

func TestErrors(t *testing.T) {
	c := grpcmsgpack.New(nil)
	if _, err := c.Marshal(make(chan int)); !errors.Is(err, msgpack.ErrUnsupported) {
		t.Errorf("chan: %v, want ErrUnsupported", err)
	}
	if err := c.Unmarshal(mem.BufferSlice{mem.SliceBuffer("\x01")}, 1); !errors.Is(err, msgpack.ErrTarget) {
		t.Errorf("into a value: %v, want ErrTarget", err)
	}
	if _, err := c.Marshal(wrapperspb.Int64(1)); err == nil || !strings.Contains(err.Error(), "*wrapperspb.Int64Value: it is a protobuf message") {
		t.Errorf("protobuf: %v", err)
	}
	if err := c.Unmarshal(mem.BufferSlice{mem.SliceBuffer("\x01")}, new(wrapperspb.Int64Value)); err == nil || !strings.Contains(err.Error(), "protobuf message") {
		t.Errorf("into protobuf: %v", err)
	}
}

// TestBuffers checks that Marshal uses gRPC's pool for long messages, that the buffers do not change
// until they are freed, and that Unmarshal accepts a message in many pieces.
func TestBuffers(t *testing.T) {
	c := grpcmsgpack.New(nil)
	var kept []mem.BufferSlice
	for lines := range 100 {
		data, err := c.Marshal(order(lines))
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, data)
	}
	for lines, data := range kept {
		var pieces mem.BufferSlice
		for _, b := range data.Materialize() {
			pieces = append(pieces, mem.SliceBuffer{b})
		}
		for _, in := range []mem.BufferSlice{data, pieces} {
			var got Order
			if err := c.Unmarshal(in, &got); err != nil || !reflect.DeepEqual(&got, order(lines)) {
				t.Fatalf("%d lines in %d buffers: %.100v, %v", lines, len(in), got, err)
			}
		}
		if _, slice := data[0].(mem.SliceBuffer); slice != mem.IsBelowBufferPoolingThreshold(data.Len()) {
			t.Errorf("%d bytes are in a %T", data.Len(), data[0])
		}
		data.Free()
	}
}

// TestAliasing checks that a decoded message stays the same when its buffers are used again.
func TestAliasing(t *testing.T) {
	for name, config := range map[string]msgpack.Options{
		"default":   {},
		"aliasing":  {AliasInput: true},
		"limits":    {AliasInput: true, MaxTotal: 100_000},
		"tiny":      {AliasInput: true, MaxBytes: 20},
		"UTF-8":     {AliasInput: true, RejectInvalidUTF8: true},
		"any kinds": {AliasInput: true, AnyMap: msgpack.AnyMapPairs},
	} {
		c := grpcmsgpack.New(sample.Codec(t, config))
		data, err := msgpack.Marshal(order(12))
		if err != nil {
			t.Fatal(err)
		}
		var got Order
		if err := c.Unmarshal(mem.BufferSlice{mem.SliceBuffer(data)}, &got); err != nil {
			t.Fatal(err)
		}
		clear(data)
		if !reflect.DeepEqual(&got, order(12)) {
			t.Errorf("%s: the message changed with the buffer: %.100v", name, got)
		}
	}
}
