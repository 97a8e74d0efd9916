package layout_test

import (
	"bytes"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/layout"
)

// TestNeighborsInUse encodes and decodes a value while another goroutine uses the fields
// of it that are not part of the message. The race detector finds an access to them.
// Without it, the goroutine finds that a field does not have what it has just written.
func TestNeighborsInUse(t *testing.T) {
	type element struct {
		A    uint16
		B    uint8
		Used uint8 `layout:"-"`
		C    uint32
		D    uint16
	}
	type message struct {
		A    uint16
		B    uint16
		C    uint32
		Used uint32 `layout:"-"`
		D    uint32
		E    uint64
		K    uint32
		L    [4]uint16
		M    uint32
		F    uint16
		Also uint16 `layout:"-"`
		G    uint16
		H    [5]uint8
		Byte uint8  `layout:"-"`
		I    uint8  `layout:"bits=4"`
		J    uint16 `layout:"bits=12"`
		One  uint8  `layout:"const=1"`
		Mid  uint8  `layout:"-"`
		Two  uint16 `layout:"const=2"`
		List [9]element
		Last uint64 `layout:"-"`
	}
	v := message{A: 1, B: 2, C: 3, D: 4, E: 5, F: 6, G: 7, H: [5]uint8{8, 9}, I: 10, J: 11}
	want, err := layout.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	turns := 500000
	if heaptest.Race {
		turns = 5000 // each takes much longer
	}
	var done atomic.Bool
	var other sync.WaitGroup
	other.Go(func() {
		for i := uint64(0); !done.Load(); i++ {
			v.Used, v.Also, v.Byte, v.Mid, v.Last = uint32(i), uint16(i), uint8(i), uint8(i), i
			for k := range v.List {
				v.List[k].Used = uint8(i)
			}
			for range 50 {
				if v.Used != uint32(i) || v.Also != uint16(i) || v.Byte != uint8(i) || v.Mid != uint8(i) || v.Last != i || v.List[4].Used != uint8(i) {
					t.Error("a field that is not part of the message has changed")
					return
				}
			}
		}
	})
	for range turns {
		if err := layout.Unmarshal(want, &v); err != nil {
			t.Error(err)
			break
		}
	}
	for range 1000 {
		if b, err := layout.Marshal(&v); err != nil || !bytes.Equal(b, want) {
			t.Errorf("% x, %v, want % x", b, err, want)
			break
		}
	}
	done.Store(true)
	other.Wait()
}
