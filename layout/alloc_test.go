package layout_test

import (
	"bytes"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/layout"
)

// TestAllocs lists how often the calls allocate when the buffer has room and the
// target has been used before.
func TestAllocs(t *testing.T) {
	needStack(t)
	c, err := layout.New(layout.Options{AliasInput: true, Unions: []layout.UnionCoder{
		layout.Union[packet](layout.VariantOf[*publish](3), layout.VariantOf[*ping](12)),
	}})
	if err != nil {
		t.Fatal(err)
	}
	fixed, bits := fixedValue, bitRun{Version: 6, Label: 7}
	allocs(t, c, "fixed", &fixed, 0, 0)
	allocs(t, c, "bits", &bits, 0, 0)
	allocs(t, c, "notification", notificationValue(), 0, 0)
	allocs(t, c, "items", framesValue(), 0, 0)
	allocs(t, c, "ipv4", &ipv4{Version: 4, Payload: []byte("payload")}, 0, 0)
	allocs(t, c, "chunk", &chunk{Data: []byte("data")}, 0, 0)
	allocs(t, c, "question", &question{Name: []label{{"www"}, {"go"}}}, 0, 0)
	allocs(t, c, "lengths", &lengths{length{Data: []byte("a")}, length{}, length{}, length{}, length{}, length{}, length{}, length{}}, 0, 0)
	allocs(t, c, "mqtt", &mqtt{Body: &publish{Topic: "a", Payload: []byte("b")}}, 0, 1) // the variant
	list := &listed{}
	for range 20 {
		list = &listed{More: 1, Next: list}
	}
	allocs(t, c, "recursive", list, 0, 20) // the elements
	limited, err := layout.New(layout.Options{MaxMessage: 1000})
	if err != nil {
		t.Fatal(err)
	}
	allocs(t, limited, "recursive with a limit", list, 0, 20)
	wide := &wideTree{Kids: make([]wideTree, 20)}
	allocs(t, c, "recursive with many slots", wide, 2, 2) // where the slots are saved, which grows
}

// needStack skips a test if hidden variables are not on the stack.
func needStack(t *testing.T) {
	t.Helper()
	if n := testing.AllocsPerRun(10, func() { var v uint64; mem.Load64(mem.Hide(mem.PtrTo(&v)), 0) }); n > 0 || heaptest.Race {
		t.Skip("pointer checks and the race detector move variables to the heap")
	}
}

// wideTree has more slots than the stack of a recursive call.
type wideTree struct {
	A    lengths
	Kids []wideTree `layout:"count=u8"`
}

// listed is a list of structs that contain each other.
type listed struct {
	More uint8
	Next *listed `layout:"if=More!=0"`
}

// lengths has more slots than most messages.
type lengths struct{ A, B, C, D, E, F, G, H length }

type length struct {
	Size uint8 `layout:"len=Size..Data"`
	Data []byte
}

// TestReadAllocs reads messages that arrive in parts. Only the message and its texts are
// allocated.
func TestReadAllocs(t *testing.T) {
	needStack(t)
	for _, c := range []struct {
		value any
		most  float64
	}{{&chunk{Data: []byte("data")}, 2}, {&question{Name: []label{{"www"}, {"go"}}}, 3}} {
		data, err := layout.Marshal(c.value)
		if err != nil {
			t.Fatal(err)
		}
		r := bytes.NewReader(nil)
		if n := testing.AllocsPerRun(100, func() {
			r.Reset(data)
			if err := layout.Read(r, c.value); err != nil {
				t.Fatal(err)
			}
		}); n > c.most {
			t.Errorf("%T: %v allocations, want %v", c.value, n, c.most)
		}
	}
}

func allocs[T any](t *testing.T, c *layout.Codec, name string, v *T, encode, decode float64) {
	t.Helper()
	typed, err := layout.For[T](c)
	if err != nil {
		t.Fatal(err)
	}
	buf, err := typed.Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := typed.Append(buf[:0:len(buf)], v); err != nil {
			t.Fatal(err)
		}
	}); n > encode {
		t.Errorf("%s: %v allocations to append, want %v", name, n, encode)
	}
	// Only the result.
	if n := testing.AllocsPerRun(100, func() {
		if _, err := c.Marshal(v); err != nil {
			t.Fatal(err)
		}
	}); n > encode+1 {
		t.Errorf("%s: %v allocations to marshal, want %v", name, n, encode+1)
	}
	target := new(T)
	for method, decoder := range map[string]func() error{
		"UnmarshalPrefix": func() error { _, err := typed.UnmarshalPrefix(buf, target); return err },
		"Unmarshal":       func() error { return typed.Unmarshal(buf, target) },
	} {
		if n := testing.AllocsPerRun(100, func() {
			if err := decoder(); err != nil {
				t.Fatal(err)
			}
		}); n > decode {
			t.Errorf("%s: %v allocations in %s, want %v", name, n, method, decode)
		}
	}
}
