package layout

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"
)

// mixed has numbers that are only moved, around others that are computed.
type mixed struct {
	A uint16
	B uint32
	C uint8    `layout:"bits=4"`
	D uint8    `layout:"bits=4"`
	E [3]uint8 // not aligned
	F uint16   `layout:"const=7"`
	_ struct{} `layout:"skip=3"`
	G uint64
	H string `layout:"prefix=u8"`
	I uint8
	J uint8 `layout:"-"`
	K uint8
}

// TestMixedRun encodes a run of such numbers, and finds the offsets of errors in what is
// computed between them.
func TestMixedRun(t *testing.T) {
	want := []byte("\x01\x02\x03\x04\x05\x06\x78\x09\x0a\x0b\x00\x07\x00\x00\x00\x11\x12\x13\x14\x15\x16\x17\x18\x02hi\x21\x22")
	v := mixed{A: 0x102, B: 0x3040506, C: 7, D: 8, E: [3]uint8{9, 10, 11}, G: 0x1112131415161718, H: "hi", I: 0x21, J: 1, K: 0x22}
	typed, err := For[mixed](nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, room := range []int{0, 10, len(want), 64} { // what is behind stays as it is
		b := bytes.Repeat([]byte{0xee}, room+8)
		got, err := typed.Append(b[:0:room], &v)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("room for %d bytes: % x, %v", room, got, err)
		}
		if !bytes.Equal(b[room:], bytes.Repeat([]byte{0xee}, 8)) {
			t.Errorf("room for %d bytes: % x is behind it", room, b[room:])
		}
	}
	for _, c := range []struct {
		value  mixed
		kind   error
		offset int64
		path   string
	}{
		{mixed{D: 16}, ErrRange, 6, "mixed.D"},
		{mixed{F: 8, G: 1}, ErrConst, 10, "mixed.F"},
	} {
		_, err := typed.Append(nil, &c.value)
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, c.kind) || e.Offset != c.offset || e.Path != "layout."+c.path && e.Path != c.path {
			t.Errorf("%v, want %v at %d of %s", err, c.kind, c.offset, c.path)
		}
	}
}

// TestMoves looks for the permutations, on processors that have them, and for
// bytes that are copied together. Which of both a message needs depends on the byte order of
// the machine.
func TestMoves(t *testing.T) {
	type numbers struct {
		A, B, C uint16
		D, E, F uint32
		G       uint64
	}
	type image struct {
		_       struct{} `layout:"le"`
		A, B    uint16
		C       uint32
		D, E, F uint8
	}
	count := func(m *message, code opcode) (n int) {
		for i := range m.encoding.ops {
			n += b2i(m.encoding.ops[i].code == code)
		}
		return n
	}
	messages := map[any]*message{numbers{}: nil, image{}: nil}
	for v := range messages {
		m, _, err := defaults.source(v)
		if err != nil {
			t.Fatal(err)
		}
		messages[v] = m
	}
	if n := count(messages[numbers{}], opSwap4) + 2*count(messages[numbers{}], opPair4); native == little && count(messages[numbers{}], opBlock) != 1 && n != 3 {
		t.Errorf("%d numbers of four bytes are moved one by one, and there is no block", n)
	}
	if n := count(messages[image{}], opCopyN); native == little && n != 1 {
		t.Errorf("the bytes are copied by %d operations", n)
	}
}

// TestPairs moves numbers that are side by side, whose bytes are reversed. Two of them are one
// operation in both directions, whatever their signs.
func TestPairs(t *testing.T) {
	type pairs struct {
		A, B uint16
		C    uint32
		D, E int32
		F    uint32
	}
	var order binary.ByteOrder = binary.BigEndian
	if native == big {
		order = binary.LittleEndian
	}
	c, err := New(Options{Order: order})
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := c.source(pairs{})
	if err != nil {
		t.Fatal(err)
	}
	for what, f := range map[string]*flat{"encoding": m.encoding, "decoding": m.decoding} {
		codes := map[opcode]int{}
		for i := range f.ops {
			codes[f.ops[i].code]++
		}
		if codes[opBlock] == 0 && (codes[opPair2] != 1 || codes[opPair4] != 2 || codes[opSwap2]+codes[opSwap4] != 0) {
			t.Errorf("%s has these operations: %v", what, codes)
		}
	}
	v := pairs{0x0102, 0x0304, 0x05060708, -2, 0x090a0b0c, 0x0d0e0f10}
	want, err := binary.Append(nil, order, v)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Marshal(v)
	var back pairs
	if err != nil || !bytes.Equal(got, want) || c.Unmarshal(want, &back) != nil || back != v {
		t.Errorf("encoded as % x, want % x; decoded as %x; %v", got, want, back, err)
	}
}
