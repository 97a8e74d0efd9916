package msgpack_test

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// TestFunctionsThatMoveTheStack uses functions that retain their arguments and read
// them after the stack of the caller has moved and its old memory was overwritten.
func TestFunctionsThatMoveTheStack(t *testing.T) {
	type block [64]byte
	type anchor struct{ p *block }
	type arrayAnchor [1]*block
	type catalog map[byte]byte
	var keptBlocks []*block
	var keptCatalogs []catalog
	keep := func(p *block) byte { // retains p, as a function may that passes it to another goroutine
		keptBlocks = append(keptBlocks, p)
		var b byte
		elsewhere(func() { b = p[63] })
		moveStack()
		return b
	}
	parse := func(data []byte) *block {
		moveStack()
		runtime.GC()
		return &block{63: data[len(data)-1]}
	}
	plain := msgpack.Override(
		func(dst []byte, b block) ([]byte, error) { return append(dst, keep(&b)), nil },
		func(data []byte) (block, error) { return *parse(data), nil })
	c := newCodec(t, msgpack.Options{
		Types: []msgpack.TypeCoder{
			msgpack.ExtType(1,
				func(dst []byte, a anchor) ([]byte, error) { return append(dst, keep(a.p)), nil },
				func(data []byte) (anchor, error) { return anchor{parse(data)}, nil }),
			msgpack.ExtType(2,
				func(dst []byte, a arrayAnchor) ([]byte, error) { return append(dst, keep(a[0])), nil },
				func(data []byte) (arrayAnchor, error) { return arrayAnchor{parse(data)}, nil }),
			msgpack.ExtType(3,
				func(dst []byte, m catalog) ([]byte, error) {
					keptCatalogs = append(keptCatalogs, m)
					var b byte
					elsewhere(func() { b = m[0] })
					moveStack()
					return append(dst, b), nil
				},
				func(data []byte) (catalog, error) { moveStack(); return catalog{0: data[0]}, nil }),
			plain,
			msgpack.Union[comparableThing]("", msgpack.VariantOf[mover2](1), msgpack.VariantOf[*mover2](2)),
		},
	})
	pointers := newCodec(t, msgpack.Options{Types: []msgpack.TypeCoder{msgpack.Override(
		func(dst []byte, b *block) ([]byte, error) { return append(dst, keep(b)), nil },
		func(data []byte) (*block, error) { return parse(data), nil })}})
	for _, run := range []func(func()){onSmallStack, onLargeStack} {
		for name, f := range map[string]func() (data []byte, got byte, err error){
			"value": func() ([]byte, byte, error) {
				b := block{63: 5}
				data, err := c.Marshal(&b)
				if err == nil {
					err = c.Unmarshal(data, &b)
				}
				return data, b[63], err
			},
			"value by value": func() ([]byte, byte, error) {
				data, err := c.Marshal(block{63: 5})
				return data, 5, err
			},
			"pointer": func() ([]byte, byte, error) {
				b := block{63: 5}
				data, err := pointers.Marshal(&b)
				if err == nil {
					b = block{}
					err = pointers.Unmarshal(data, &b)
				}
				return data, b[63], err
			},
			"pointer to pointer": func() ([]byte, byte, error) {
				b := &block{63: 5}
				data, err := pointers.Marshal(&b)
				if err == nil {
					err = pointers.Unmarshal(data, &b)
				}
				return data, b[63], err
			},
			"struct of one pointer": func() ([]byte, byte, error) {
				b := block{63: 5}
				a := anchor{&b}
				data, err := c.Marshal(a)
				if err == nil {
					err = c.Unmarshal(data, &a)
				}
				return data[2:], a.p[63], err
			},
			"array of one pointer": func() ([]byte, byte, error) {
				b := block{63: 5}
				data, err := c.Marshal(arrayAnchor{&b})
				return data[2:], b[63], err
			},
			"struct of one inside another": func() ([]byte, byte, error) {
				b := block{63: 5}
				data, err := c.Marshal([1]anchor{{&b}})
				return data[3:], b[63], err
			},
			"map": func() ([]byte, byte, error) {
				m := catalog{0: 5}
				data, err := c.Marshal(m)
				if err == nil {
					err = c.Unmarshal(data, &m)
				}
				b := m[0]
				delete(m, 0)
				return data[2:], b, err
			},
			"union": func() ([]byte, byte, error) {
				var x comparableThing = mover2(5)
				data, err := c.Marshal(&x)
				if err == nil {
					err = c.Unmarshal(data, &x)
				}
				return data[2:], byte(x.(mover2)), err
			},
			"union of a pointer": func() ([]byte, byte, error) {
				m := mover2(5)
				v := struct{ X comparableThing }{&m}
				data, err := c.Marshal(&v)
				if err == nil {
					err = c.Unmarshal(data, &v)
				}
				return data[5:], byte(*v.X.(*mover2)), err
			},
		} {
			run(func() {
				if data, got, err := f(); err != nil || got != 5 || !bytes.Equal(data, []byte{5}) {
					t.Errorf("%s: % x, %v, got %d", name, data, err, got)
				}
			})
		}
	}
	moveStack()
	runtime.GC()
	for _, p := range keptBlocks {
		if p[63] != 5 {
			t.Errorf("kept a block with %d", p[63])
		}
	}
	for _, m := range keptCatalogs {
		if len(m) != 1 || m[0] != 5 {
			t.Errorf("kept a map with %v", m)
		}
	}
}

type comparableThing interface{ thing() }

// A mover2 has methods that move the stack.
type mover2 byte

func (mover2) thing() {}

func (m mover2) AppendMsgpack(dst []byte) ([]byte, error) { return mover(m).AppendMsgpack(dst) }
func (m *mover2) UnmarshalMsgpack(data []byte) error      { return (*mover)(m).UnmarshalMsgpack(data) }
