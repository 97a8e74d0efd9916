package msgpack_test

import (
	"bytes"
	"reflect"
	"runtime"
	"sync"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// Marshal and Unmarshal hide their arguments from escape analysis, so values can
// stay on the stack of the caller. A method of a user may retain what it receives,
// and it may move the stack. The methods in these tests do both. They read wrong
// bytes if they receive a pointer to the stack, or if one is stored on the heap.

// overwrite fills n frames of the stack of its goroutine.
//
//go:noinline
func overwrite(frames int) byte {
	var a [512]byte
	for i := range a {
		a[i] = 0xff
	}
	if frames > 0 {
		a[1] = overwrite(frames - 1)
	}
	return a[frames%len(a)]
}

// moveStack makes the stack of its goroutine move, and overwrites the old memory.
func moveStack() {
	overwrite(1000)
	reuseStacks()
}

func reuseStacks() {
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() { overwrite(1 << (i % 8)) })
	}
	wg.Wait()
}

// elsewhere runs f on another goroutine, after the garbage collector has shrunk the
// stack of this goroutine and its old memory was reused.
func elsewhere(f func()) {
	done := make(chan bool)
	go func() {
		runtime.GC()
		runtime.GC()
		reuseStacks()
		f()
		close(done)
	}()
	<-done
}

// onSmallStack runs f on a small stack, which must move when f uses much of it.
func onSmallStack(f func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

// onLargeStack runs f on a stack that has grown, so that the garbage collector
// shrinks it while f runs.
func onLargeStack(f func()) {
	onSmallStack(func() {
		overwrite(100)
		f()
	})
}

// A mover is one byte. Its methods move the stack before they read or set it.
type mover byte

func (m mover) AppendMsgpack(dst []byte) ([]byte, error) {
	moveStack()
	return append(dst, byte(m)), nil
}

func (m *mover) UnmarshalMsgpack(data []byte) error {
	moveStack()
	*m = mover(data[0])
	return nil
}

// A handle is a mover behind a pointer.
type handle struct {
	_ int // makes it larger than a word
	p *byte
}

func (h handle) AppendMsgpack(dst []byte) ([]byte, error) {
	moveStack()
	return append(dst, *h.p), nil
}

func (h *handle) UnmarshalMsgpack(data []byte) error {
	moveStack()
	*h.p = data[0]
	return nil
}

// A pointing is a pointer, which an interface holds in its data word.
type pointing struct{ p *byte }

func (p pointing) AppendMsgpack(dst []byte) ([]byte, error) {
	moveStack()
	runtime.GC()
	return append(dst, *p.p), nil
}

// TestMethodsThatMoveTheStack encodes and decodes values on the stack whose
// methods move it.
func TestMethodsThatMoveTheStack(t *testing.T) {
	encode := func(name string, want string, f func() ([]byte, error)) {
		t.Run("marshal/"+name, func(t *testing.T) {
			onSmallStack(func() {
				if got, err := f(); err != nil || string(got) != want {
					t.Errorf("got % x, %v, want % x", got, err, want)
				}
			})
		})
	}
	encode("value", "\x05", func() ([]byte, error) { return msgpack.Marshal(mover(5)) })
	encode("pointer", "\x05", func() ([]byte, error) { m := mover(5); return msgpack.Marshal(&m) })
	encode("array", "\x93\x05\x06\x07", func() ([]byte, error) { return msgpack.Marshal([3]mover{5, 6, 7}) })
	encode("slice", "\x93\x05\x06\x07", func() ([]byte, error) { return msgpack.Marshal([]mover{5, 6, 7}) })
	encode("struct", "\x83\xa1A\x05\xa1B\x06\xa1S\xa1s", func() ([]byte, error) {
		v := struct {
			A, B mover
			S    string
		}{5, 6, "s"}
		return msgpack.Marshal(&v)
	})
	encode("any", "\x92\x05\x06", func() ([]byte, error) { return msgpack.Marshal([]any{mover(5), mover(6)}) })
	encode("what a copy points at", "\x05", func() ([]byte, error) {
		b := byte(5)
		return msgpack.Marshal(handle{p: &b})
	})
	encode("one pointer", "\x05", func() ([]byte, error) {
		b := byte(5)
		return msgpack.Marshal(pointing{&b})
	})
	encode("array of one pointer", "\x91\x05", func() ([]byte, error) {
		b := byte(5)
		return msgpack.Marshal([1]pointing{{&b}})
	})
	encode("pointers to pointers", "\x05", func() ([]byte, error) {
		b := byte(5)
		p := &handle{p: &b}
		return msgpack.Marshal(&p)
	})

	decode := func(name string, f func() (got byte, err error)) {
		t.Run("unmarshal/"+name, func(t *testing.T) {
			onSmallStack(func() {
				if got, err := f(); err != nil || got != 5 {
					t.Errorf("got %x, %v, want 5", got, err)
				}
			})
		})
	}
	decode("value", func() (byte, error) {
		var m mover
		err := msgpack.Unmarshal([]byte{5}, &m)
		return byte(m), err
	})
	decode("array", func() (byte, error) {
		var a [3]mover
		err := msgpack.Unmarshal([]byte{0x93, 3, 4, 5}, &a)
		return byte(a[2]), err
	})
	decode("struct", func() (byte, error) {
		var v struct{ A, B mover }
		err := msgpack.Unmarshal([]byte("\x82\xa1A\x04\xa1B\x05"), &v)
		return byte(v.B), err
	})
	decode("interface", func() (byte, error) {
		var m mover
		var x any = &m
		err := msgpack.Unmarshal([]byte{5}, &x)
		return byte(m), err
	})
	decode("what a copy points at", func() (byte, error) {
		var b byte
		h := handle{p: &b}
		err := msgpack.Unmarshal([]byte{5}, &h)
		return b, err
	})
}

// TestStackMaps encodes maps on the stack while the stack moves.
func TestStackMaps(t *testing.T) {
	onSmallStack(func() {
		m := map[int8]mover{1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7}
		got, err := msgpack.Marshal(m)
		if err != nil || len(got) != 1+2*len(m) {
			t.Fatalf("got % x, %v", got, err)
		}
		for i := 1; i < len(got); i += 2 {
			if got[i] != got[i+1] || m[int8(got[i])] == 0 {
				t.Errorf("wrong entry in % x", got)
			}
			delete(m, int8(got[i]))
		}
	})
	onSmallStack(func() {
		m := map[mover]any{1: mover(1)}
		got, err := msgpack.Marshal(m)
		if want := "\x81\x01\x01"; err != nil || string(got) != want {
			t.Errorf("got % x, %v, want % x", got, err, want)
		}
		delete(m, 1)
	})
	onSmallStack(func() {
		type pair struct {
			M mover
			P *byte
		}
		b := byte(2)
		m := map[string]pair{"k": {1, &b}}
		got, err := msgpack.Marshal(m)
		if want := "\x81\xa1k\x82\xa1M\x01\xa1P\x02"; err != nil || string(got) != want {
			t.Errorf("got % x, %v, want % x", got, err, want)
		}
		delete(m, "k")
	})
}

// A keeper retains its receiver and reads it on another goroutine.
type keeper struct {
	n byte
	p *byte
}

var kept *keeper

func (k *keeper) sum() (sum byte) {
	kept = k
	elsewhere(func() { sum = kept.n + *kept.p })
	return sum
}

func (k *keeper) AppendMsgpack(dst []byte) ([]byte, error) { return append(dst, k.sum()), nil }

func (k *keeper) UnmarshalMsgpack(data []byte) error {
	k.n = data[0]
	*k.p += k.sum()
	return nil
}

// A set is a map, which Go can allocate on the stack. Another goroutine reads it.
type set map[byte]byte

func (s set) AppendMsgpack(dst []byte) ([]byte, error) {
	elsewhere(func() { dst = append(dst, s[1]) })
	return dst, nil
}

// A grip is a pointer in the data word of an interface, and retains it.
type grip struct{ p *[4]byte }

var gripped grip

func (g grip) AppendMsgpack(dst []byte) ([]byte, error) {
	gripped = g
	elsewhere(func() { dst = append(dst, g.p[1]) })
	return dst, nil
}

// TestMethodsThatKeepTheirReceiver encodes and decodes values on the stack whose
// methods retain their receiver and read it on another goroutine.
func TestMethodsThatKeepTheirReceiver(t *testing.T) {
	onLargeStack(func() {
		b := byte(40)
		k := keeper{2, &b}
		got, err := msgpack.Marshal(&k)
		if err != nil || !bytes.Equal(got, []byte{42}) {
			t.Errorf("got % x, %v, want 2a", got, err)
		}
		if runtime.GC(); kept.n != 2 || *kept.p != 40 {
			t.Errorf("kept %v", kept)
		}
		// Methods of a value that is not addressable are called on a copy.
		got, err = msgpack.Marshal([1]keeper{k})
		if err != nil || !bytes.Equal(got, []byte{0x91, 42}) {
			t.Errorf("got % x, %v, want 91 2a", got, err)
		}
	})
	onLargeStack(func() {
		b := byte(1)
		k := keeper{p: &b}
		err := msgpack.Unmarshal([]byte{2}, &k)
		if err != nil || k.n != 2 || b != 4 {
			t.Errorf("n = %d, *p = %d, %v, want 2 and 4", k.n, b, err)
		}
	})
	onLargeStack(func() {
		s := set{1: 5}
		got, err := msgpack.Marshal(s)
		if err != nil || !bytes.Equal(got, []byte{5}) {
			t.Errorf("map: got % x, %v, want 05", got, err)
		}
		delete(s, 1)
	})
	onLargeStack(func() {
		b := [4]byte{1: 5}
		got, err := msgpack.Marshal([1]grip{{&b}})
		if err == nil {
			got, err = msgpack.MarshalAppend(got, grip{&b})
		}
		moveStack()
		if err != nil || !bytes.Equal(got, []byte{0x91, 5, 5}) || gripped.p[1] != 5 {
			t.Errorf("one pointer: got % x, %v, want 91 05 05, kept %v", got, err, gripped.p)
		}
	})
}

// Encoding and decoding a bush uses every function that keeps variables on the
// stack.
type bush struct {
	Numbers map[string]int
	Names   map[int64]string
	Floats  map[string]float64
	Any     map[string]any
	Flags   map[int8]bool
	Text    string
	Complex complex128
	Bushes  [1]*bush
}

func makeBush(depth int) *bush {
	if depth == 0 {
		return nil
	}
	return &bush{
		Numbers: map[string]int{"a": depth},
		Names:   map[int64]string{1 << 40: "name"},
		Floats:  map[string]float64{"f": 1.5},
		Any:     map[string]any{"x": []any{int64(-1), map[string]any{"y": "z"}}},
		Flags:   map[int8]bool{-1: true},
		Text:    "text of more than sixteen bytes",
		Complex: complex(1, 2),
		Bushes:  [1]*bush{makeBush(depth - 1)},
	}
}

// atDepth calls f below the given number of stack frames.
//
//go:noinline
func atDepth(frames int, f func()) {
	if frames == 0 {
		f()
		return
	}
	atDepth(frames-1, f)
}

// TestStackGrowsAnywhere starts with less and less room on the first stack, so that
// the stack grows at each call in turn.
func TestStackGrowsAnywhere(t *testing.T) {
	for _, depth := range []int{1, 4} { // short and long ones
		want := makeBush(depth)
		data, err := msgpack.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		for frames := range 300 {
			onSmallStack(func() {
				atDepth(frames, func() {
					var got bush
					if err := msgpack.Unmarshal(data, &got); err != nil || !reflect.DeepEqual(&got, want) {
						t.Errorf("%d frames: decoded %v, %v", frames, got, err)
					}
				})
			})
			onSmallStack(func() {
				atDepth(frames, func() {
					again, err := msgpack.Marshal(want)
					if err != nil || !bytes.Equal(again, data) {
						t.Errorf("%d frames: encoded % x, %v", frames, again, err)
					}
				})
			})
			onSmallStack(func() {
				atDepth(frames, func() {
					var room [2000]byte
					again, err := msgpack.MarshalAppend(room[:0], *want)
					if err != nil || !bytes.Equal(again, data) {
						t.Errorf("%d frames: appended % x, %v", frames, again, err)
					}
				})
			})
		}
	}
}
