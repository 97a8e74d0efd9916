package layout

import (
	"math/rand/v2"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
)

// loopCodes are the operations that the loop of the encoder executes itself or by one call, unless
// something is wrong or there is no room. All others are exits.
var loopCodes = map[opcode]bool{
	opEnd: true, opRoom: true, opCopy1: true, opCopy2: true, opCopy4: true, opCopy8: true, opSwap2: true, opSwap4: true, opSwap8: true, opPair2: true, opPair4: true,
	opCopyN: true, opWord: true, opNote: true, opText: true, opVarint: true,
	opEdge: true, opPatch: true, opOpen: true, opClose: true, opIf: true, opSeq: true, opEach: true,
	opNext: true, opNextSome: true, opDeref: true, opBack: true, opOrder: true, opAlign: true, opJump: true,
	opBlock: true, opNumber: true, opBits: true, opMagic: true, opBytes: true, opUnknown: true, opDerive: true, opItems: true, opEnded: true, opFixed: true, opDigits: true, opUnion: true, opSpace: true, opSum: true,
}

// neededCodes are exits that a value needs in any case: they call a method of its type or a
// checksum, allocate the target of a pointer, a variant or a copy, as a text in UTF-16 is, or
// are recursive.
var neededCodes = map[opcode]bool{opUser: true, opUTF16: true, opSum: true, opDeref: true, opUnion: true, opUnknown: true, opRaw: true, opCall: true}

// decodeLoopCodes are the same for the decoder. Its loop also stops where a value needs
// memory or a stream more data. Digits take one call, as in the encoder.
var decodeLoopCodes = map[opcode]bool{
	opEnd: true, opRoom: true, opCopy1: true, opCopy2: true, opCopy4: true, opCopy8: true, opSwap2: true, opSwap4: true, opSwap8: true, opPair2: true, opPair4: true,
	opCopyN: true, opSpace: true, opValue: true, opWord: true, opDigits: true, opVarint: true, opText: true, opTextVarint: true, opTextAmount: true, opEnded: true, opFixed: true, opRest: true, opIf: true, opOrder: true,
	opEnter: true, opBegin: true, opFinish: true, opBound: true, opCheck: true, opAlign: true, opEdge: true, opDerive: true,
	opOpen: true, opClose: true, opSeq: true, opItems: true, opWide: true, opEach: true, opNext: true, opAppend: true, opAppendRare: true, opBack: true, opJump: true,
}

// TestExits counts for how many random types encoding or decoding leaves the loop once
// for each element of a slice or array. The types have more rare options than messages
// have.
func TestExits(t *testing.T) {
	c, err := New(Options{
		Unions: []UnionCoder{Union[any](VariantOf[*reference.VariantNumber](1), VariantOf[reference.VariantBytes](2),
			VariantOf[*reference.VariantBits](3), VariantOf[*reference.VariantMode](7), KeepUnknown())},
		Sums: map[string]Sum{"blank": reference.Blank},
	})
	if err != nil {
		t.Fatal(err)
	}
	const types = 500
	encode, decode := exitCount{codes: map[opcode]int{}}, exitCount{codes: map[opcode]int{}}
	for seed := range uint64(types) {
		m, err := c.of(reference.RandomType(rand.New(rand.NewPCG(seed, 2))))
		if err != nil {
			continue
		}
		encode.add(m.encoding, loopCodes)
		decode.add(m.decoding, decodeLoopCodes)
	}
	for what, n := range map[string]*exitCount{"encoding": &encode, "decoding": &decode} {
		t.Logf("%s: of %d types, %d leave the loop for each element and %d for each message; %d and %d with what values need; %v", what, types, n.inElement, n.inMessage, n.needed+n.inElement, n.neededInMessage+n.inMessage, n.codes)
	}
	if limit := types * mostExits / 100; encode.inElement > limit {
		t.Errorf("encoding %d of %d types leaves the loop for each element, want at most %d", encode.inElement, types, limit)
	}
	if limit := types * mostDecodeExits / 100; decode.inElement > limit {
		t.Errorf("decoding %d of %d types leaves the loop for each element, want at most %d", decode.inElement, types, limit)
	}
}

// The most types of a hundred for which that may be so.
const (
	mostExits       = 2
	mostDecodeExits = 2
)

// An exitCount counts the types whose lists always leave the loop.
type exitCount struct {
	inElement int // in an element of a slice or array
	inMessage int // anywhere
	codes     map[opcode]int

	needed, neededInMessage int // those that leave it only for what values need
}

// add counts a type by the operations of its list that are not in the loop.
func (c *exitCount) add(f *flat, inLoop map[opcode]bool) {
	var element, message [2]bool // whether one is needed by a value, and whether another is not
	for i := range f.ops {
		o := &f.ops[i]
		if inLoop[o.code] || o.x == nil {
			continue
		}
		other := b2i(!neededCodes[o.code] || o.code == opCall && !o.x.list.recursive)
		message[other] = true
		for x := o.x.outer; x != nil; x = x.outer {
			if x.node != nil && (x.node.kind == sliceNode || x.node.kind == arrayNode) && x.opens != opFrame {
				element[other] = true
				c.codes[o.code]++
				break
			}
		}
	}
	c.inElement += b2i(element[1])
	c.inMessage += b2i(message[1])
	c.needed += b2i(element[0] && !element[1])
	c.neededInMessage += b2i(message[0] && !message[1])
}
