//go:build linux

package kernel

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/mem"
)

// messageValue is a variable with texts between the fields.
type messageValue struct {
	A [70]byte
	B []byte
	C [40]byte
	D string
	E [33]byte
	F []byte
	G [100]byte
}

func (v *messageValue) fill(r *rand.Rand) {
	fill(v.A[:], int(r.Uint32()))
	fill(v.C[:], int(r.Uint32()))
	fill(v.E[:], int(r.Uint32()))
	fill(v.G[:], int(r.Uint32()))
}

// randomRuns returns runs for a messageValue, in the direction of encoding or of
// decoding.
func randomRuns(r *rand.Rand, encode bool) (runs []Run) {
	t := reflect.TypeFor[messageValue]()
	start := 0
	for i := 0; i < 7; i += 2 {
		size, wire := int(t.Field(i).Type.Size()), 0
		if wire = max(8, size+r.IntN(9)-4); r.IntN(8) == 0 {
			wire = 8
		}
		from, to := size, wire
		if !encode {
			from, to = wire, size
		}
		run := Run{Map: randomBitMap(r, to, from, false), Wire: wire, Memory: int(t.Field(i).Offset)}
		run.Map.OrZero = encode && r.IntN(20) > 0
		for j := range run.Map.Mask { // most messages are right
			if r.IntN(10) > 0 {
				run.Map.Mask[j], run.Map.Value[j] = 0, 0
			}
		}
		width := func() int { return 1 << r.IntN(3) }
		if i > 0 && r.IntN(2) == 0 {
			run.Patch = Patch{Length{r.IntN(4), width(), r.IntN(2) == 0}, r.IntN(start), r.IntN(wire)}
		}
		if i < 6 {
			w := width()
			run.Text = Text{Length{-w - r.IntN(8-w+1), w, r.IntN(2) == 0}, int(t.Field(i + 1).Offset), 20 + r.IntN(200)}
		}
		start += wire
		runs = append(runs, run)
	}
	return runs
}

// makeRight changes data to a message that is right, unless a number is in the place of
// a constant.
func makeRight(runs []Run, data []byte, room int, r *rand.Rand) {
	n := 0
	for i := range runs {
		run := &runs[i]
		for j, mask := range run.Map.Mask {
			data[n+j] = data[n+j]&^mask | run.Map.Value[j]
		}
		n += run.Wire
		if p := run.Patch; p.Width > 0 {
			p.put(ptr(data), p.At, n-p.Start-p.End)
		}
		if t := run.Text; t.Width > 0 {
			size := r.IntN(min(t.Most+r.IntN(20)/18*50, room, 255) + 1)
			t.put(ptr(data), n+t.At, size)
			n += size
			room -= size
		}
	}
	if r.IntN(20) == 0 {
		data[r.IntN(n)] ^= 1
	}
}

// TestMessage compares the kernels with the Go implementations. The wire is between
// guard pages.
func TestMessage(t *testing.T) {
	if !hasBits64 {
		t.Skip("this processor has no instructions for it")
	}
	wire := newGuarded(t, 1)
	r := rand.New(rand.NewPCG(1, 2))
	var count [2][2]int
	for round := range 2000 {
		runs := randomRuns(r, true)
		m := NewEncoder(runs)
		if !m.Exists() {
			continue
		}
		var v messageValue
		v.fill(r)
		size := 0
		for i := range runs {
			run := &runs[i]
			size += run.Wire
			for j, mask := range run.Map.Mask { // the constants
				p := mem.PtrTo(&v).Add(uintptr(run.Memory))
				b := mem.Load8(p, j) &^ mask
				if round%3 > 0 {
					b |= run.Map.Value[j]
				}
				if r.IntN(500) == 0 {
					b ^= 1
				}
				mem.Store8(p, j, b)
			}
		}
		texts := 0
		for _, p := range []*[]byte{&v.B, &v.F} {
			*p = make([]byte, r.IntN(1+r.IntN(150)))
			fill(*p, round)
			texts += len(*p)
		}
		v.D = strings.Repeat("text", r.IntN(1+r.IntN(20)))
		texts += len(v.D)
		room := max(0, texts-r.IntN(20)/19)
		for _, out := range wire.places(r.IntN(64), size+room) {
			fill(out, round)
			n := m.Encode(ptr(out), mem.PtrTo(&v), room)
			got := bytes.Clone(out[:max(n, 0)])
			fill(out, round)
			if want := encodeRuns(runs, ptr(out), mem.PtrTo(&v), room); n != want || n > 0 && !bytes.Equal(got, out[:n]) {
				t.Fatalf("round %d: %d, want %d\ngot  %x\nwant %x\nruns %+v", round, n, want, got, out[:max(want, 0)], runs)
			}
			if n >= 0 {
				count[0][1]++
			} else {
				count[0][0]++
			}
		}
	}
	for round := range 2000 {
		runs := randomRuns(r, false)
		m := NewDecoder(runs)
		if !m.Exists() {
			continue
		}
		data := make([]byte, 1000)
		fill(data, round)
		room := r.IntN(400)
		makeRight(runs, data, room, r)
		total := 0
		for i := range runs {
			total += runs[i].Wire
		}
		if total+room > len(data) {
			continue
		}
		for _, in := range wire.places(r.IntN(64), total+room) {
			copy(in, data)
			var a, b messageValue
			a.fill(r)
			b = a
			var texts, texts2 [MaxTexts]Span
			n := m.Decode(mem.PtrTo(&a), ptr(in), room, &texts)
			want := decodeRuns(runs, mem.PtrTo(&b), ptr(in), room, &texts2)
			if n != want || n >= 0 && (!reflect.DeepEqual(a, b) || texts != texts2) {
				t.Fatalf("round %d: %d, want %d\ngot  %+v %v\nwant %+v %v\nruns %+v", round, n, want, a, texts, b, texts2, runs)
			}
			if n >= 0 {
				count[1][1]++
			} else {
				count[1][0]++
			}
		}
	}
	if min(count[0][0], count[0][1], count[1][0], count[1][1]) < 100 {
		t.Errorf("right and wrong messages: %v", count)
	}
}

// TestConstantsInTwoBlocks shows that constants which may all be zero are not checked
// block by block: some of them could be zero and others not.
func TestConstantsInTwoBlocks(t *testing.T) {
	m := BitMap{From: make([]int, 8*100), SrcSize: 100, Mask: make([]byte, 100), Value: make([]byte, 100), OrZero: true}
	for i := range m.From {
		m.From[i] = i
	}
	m.Mask[10], m.Value[10] = 0xff, 7
	if NewEncoder([]Run{{Map: m, Wire: 100}}).Exists() != hasBits64 {
		t.Errorf("constants in one block: want a message if the processor has the instructions")
	}
	m.Mask[90], m.Value[90] = 0xff, 7
	if NewEncoder([]Run{{Map: m, Wire: 100}}).Exists() {
		t.Errorf("constants in two blocks: there is a message")
	}
}
