package layout

import (
	"math/rand/v2"
	"testing"

	reference "github.com/octet-go/octet/internal/reference/layout"
)

// loopCodes are the operations that the loop of the encoder executes itself, unless
// something is wrong or there is no room. All others are exits.
var loopCodes = map[opcode]bool{
	opEnd: true, opRoom: true, opCopy1: true, opCopy2: true, opCopy4: true, opCopy8: true, opSwap2: true, opSwap4: true, opSwap8: true,
	opCopyN: true, opWord: true, opConst: true, opWide: true, opNote: true, opMark: true, opLength: true, opText: true, opVarint: true,
	opPlace: true, opStart: true, opStop: true, opPatch: true, opOpen: true, opClose: true, opIf: true, opSeq: true, opEach: true,
	opNext: true, opNextSome: true, opDeref: true, opBack: true, opOrder: true, opAlign: true, opJump: true,
	opBlock: true, opNumber: true, opBits: true, opMagic: true, opBytes: true, opUnknown: true, opDerive: true, opItems: true, opEnded: true, opFixed: true, opPrefixed: true, opDigits: true, opPatchBits: true, opSkip: true, opUnion: true, opSpace: true, opSum: true,
}

// TestExits counts for how many random types encoding leaves the loop once for each
// element of a slice or array. The types have more rare options than messages have.
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
	exits, message, codes := 0, 0, map[opcode]int{}
	for seed := range uint64(types) {
		m, err := c.of(reference.RandomType(rand.New(rand.NewPCG(seed, 2))))
		if err != nil {
			continue
		}
		inElement, inMessage := m.exits(codes)
		exits += b2i(inElement)
		message += b2i(inMessage)
	}
	t.Logf("of %d types, %d leave the loop for each element and %d for each message; %v", types, exits, message, codes)
	if limit := types * mostExits / 100; exits > limit {
		t.Errorf("%d of %d types leave the loop for each element, want at most %d", exits, types, limit)
	}
}

// mostExits is the most types of a hundred for which that may be so.
const mostExits = 12

// exits reports whether encoding always leaves the loop in an element, and whether it
// does so in the message. It counts the operations in elements that do.
func (m *message) exits(codes map[opcode]int) (inElement, inMessage bool) {
	for i := range m.encoding.ops {
		o := &m.encoding.ops[i]
		if loopCodes[o.code] || o.x == nil {
			continue
		}
		inMessage = true
		for x := o.x.outer; x != nil; x = x.outer {
			if x.node != nil && (x.node.kind == sliceNode || x.node.kind == arrayNode) && x.opens != opFrame {
				inElement = true
				codes[o.code]++
				break
			}
		}
	}
	return inElement, inMessage
}
