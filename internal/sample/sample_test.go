package sample

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// TestSize checks that an Order of 12 lines has the size that its comment states, and
// that both formats keep all of it.
func TestSize(t *testing.T) {
	want := New(1, 12)
	text, err := json.Marshal(want)
	if err != nil || len(text) < 900 || len(text) > 1200 {
		t.Errorf("%d bytes of JSON, %v", len(text), err)
	}
	data, err := msgpack.Marshal(want)
	if err != nil || len(data) >= len(text) {
		t.Errorf("%d bytes of MessagePack, %v", len(data), err)
	}
	var fromText, fromData Order
	if err := json.Unmarshal(text, &fromText); err != nil || !reflect.DeepEqual(fromText, want) {
		t.Errorf("JSON: %v, %v", fromText, err)
	}
	if err := msgpack.Unmarshal(data, &fromData); err != nil || !reflect.DeepEqual(fromData, want) {
		t.Errorf("MessagePack: %v, %v", fromData, err)
	}
}

// TestCodec checks that a Codec has its Options, and that invalid ones end the test.
func TestCodec(t *testing.T) {
	if c := Codec(t, msgpack.Options{SortKeys: true}); !c.Options().SortKeys {
		t.Error("the Codec does not have its Options")
	}
	r := &recorder{TB: t}
	if Codec(r, msgpack.Options{MaxDepth: -1}); r.fatal != 1 {
		t.Errorf("invalid Options end the test %d times", r.fatal)
	}
}

// A recorder counts calls of Fatal.
type recorder struct {
	testing.TB
	fatal int
}

func (r *recorder) Fatal(...any) { r.fatal++ }
