package kernel

import "github.com/octet-go/octet/internal/mem"

// A Run describes bytes of a message whose number is fixed, and what follows them. On
// the wire, runs and texts alternate. In memory, the fields of all runs are in one
// variable.
type Run struct {
	Map    BitMap
	Wire   int // bytes on the wire
	Memory int // offset of the fields of Map in the variable
	Patch  Patch
	Text   Text
}

// A Patch is the length of a range of bytes of a message. The range begins at the
// offset Start of the message and ends End bytes before the end of a run. If Width is
// 0, there is none.
type Patch struct {
	Length
	Start, End int
}

// A Text is the bytes of a string or slice, which follow a run. If Width is 0, there
// is none.
type Text struct {
	Length
	Header int // offset of the string or slice in the variable
	Most   int // maximum length
}

// A Length is the place of a number on the wire: for a Patch from the start of the
// message, for a Text from the end of the run. Its bytes are those of the machine's
// order or, if Swap is set, reversed.
type Length struct {
	At    int
	Width int // 1, 2 or 4
	Swap  bool
}

// A Span is where a text is in a message.
type Span struct{ From, Len int }

// MaxTexts is the maximum number of texts of a message.
const MaxTexts = 4

// maxText is the maximum length of a text that a Message encodes. Copying a longer
// text takes most of the time, so that a Message would save little.
const maxText = 1 << 10

// A Message encodes or decodes a message that consists of runs and texts. The zero
// value is no message.
type Message struct{ first *bitBlock }

// A runEnd describes what follows a run. It is one cache line.
//
// The assembly uses these fields.
type runEnd struct {
	then       uint32 // endRun, endPatch and endText
	wire       uint32 // bytes of the run on the wire
	patchStart uint32 // what to subtract from the offset of the end of the run
	header     uint32 // offset of the text
	patch      number
	text       number
}

const (
	endRun   = 1
	endPatch = 2
	endText  = 4
)

// A number describes a length.
//
// The assembly uses these fields.
type number struct {
	at    int64
	most  uint64
	width uint32
	turn  uint32 // if not 0, the bytes are reversed, and this is the shift of the reversed 64 bits
}

func (l Length) number(most int) number {
	n := number{at: int64(l.At), most: uint64(most), width: uint32(l.Width)}
	if l.Swap && l.Width > 1 {
		n.turn = uint32(64 - 8*l.Width)
	}
	return n
}

// NewEncoder returns a Message for Encode. The Maps of the runs have their source in
// memory. It is the zero value if the processor has no instructions for it, or if
// there is a run or number of texts that it cannot do.
func NewEncoder(runs []Run) Message { return newMessage(runs, true) }

// NewDecoder returns a Message for Decode. The Maps of the runs have their
// destination in memory.
func NewDecoder(runs []Run) Message { return newMessage(runs, false) }

func newMessage(runs []Run, encode bool) (m Message) {
	var last **bitBlock = &m.first
	texts := 0
	for i := range runs {
		r := &runs[i]
		blocks := r.Map.blocks()
		if len(blocks) == 0 {
			if r.Map.stores() {
				return Message{}
			}
			blocks = []*bitBlock{new(bitBlock)}
		}
		constant := 0
		for _, b := range blocks {
			if b.orZero && b.value != [64]byte{} {
				constant++
			}
			if encode {
				b.src += uint32(r.Memory)
			} else {
				b.dst += uint32(r.Memory)
				b.plain = b.plain && b.filled == b.store
			}
			*last, last = b, &b.next
		}
		if constant > 1 { // one block could be zero and the other not
			return Message{}
		}
		e := &blocks[len(blocks)-1].end
		e.then, e.wire = endRun, uint32(r.Wire)
		if p := r.Patch; p.Width > 0 {
			e.then |= endPatch
			e.patch, e.patchStart = p.number(1<<(8*p.Width)-1), uint32(p.Start+p.End)
		}
		if t := r.Text; t.Width > 0 {
			e.then |= endText
			most := min(t.Most, 1<<(8*t.Width)-1)
			if encode {
				most = min(most, maxText)
			}
			e.text, e.header = t.number(most), uint32(t.Header)
			texts++
		}
	}
	if !hasBits64 || texts > MaxTexts {
		return Message{}
	}
	return m
}

// stores reports whether there are bytes to store.
func (m BitMap) stores() bool {
	for _, f := range m.From {
		if f != Keep {
			return true
		}
	}
	return false
}

// Exists reports whether m is a message.
func (m Message) Exists() bool { return m.first != nil }

// Encode stores the variable at value as a message at dst and returns its length. The
// result is -1 if checked bits are wrong, if a text is too long, or if the texts are
// longer than room in all; some bytes may have been stored then.
func (m Message) Encode(dst, value mem.Ptr, room int) int {
	return encodeMessage(dst, value, m.first, room)
}

// Decode sets the fields of the variable at value from the message at src and returns
// its length. It sets texts to the places of the texts, but not the variables. The
// result is -1 if checked bits or lengths of ranges are wrong, if a text is too long,
// or if the texts are longer than room in all; some fields may have been set then.
func (m Message) Decode(value, src mem.Ptr, room int, texts *[MaxTexts]Span) int {
	return decodeMessage(value, src, m.first, room, texts)
}

// encodeRuns is the Go implementation of Encode.
func encodeRuns(runs []Run, dst, value mem.Ptr, room int) (n int) {
	for i := range runs {
		r := &runs[i]
		if !r.Map.apply(dst.Add(uintptr(n)), value.Add(uintptr(r.Memory))) {
			return -1
		}
		n += r.Wire
		if p := r.Patch; p.Width > 0 {
			v := n - p.Start - p.End
			if v >= 1<<(8*p.Width) {
				return -1
			}
			p.put(dst, p.At, v)
		}
		if t := r.Text; t.Width > 0 {
			h := mem.At[mem.TextHeader](value.Add(uintptr(t.Header)))
			room -= h.Len
			if h.Len > min(t.Most, maxText) || h.Len >= 1<<(8*t.Width) || room < 0 {
				return -1
			}
			t.put(dst, n+t.At, h.Len)
			mem.Copy(dst.Add(uintptr(n)), h.Data, h.Len)
			n += h.Len
		}
	}
	return n
}

// decodeRuns is the Go implementation of Decode.
func decodeRuns(runs []Run, value, src mem.Ptr, room int, texts *[MaxTexts]Span) (n int) {
	k := 0
	for i := range runs {
		r := &runs[i]
		if !r.Map.apply(value.Add(uintptr(r.Memory)), src.Add(uintptr(n))) {
			return -1
		}
		n += r.Wire
		if p := r.Patch; p.Width > 0 && p.get(src, p.At) != n-p.Start-p.End {
			return -1
		}
		if t := r.Text; t.Width > 0 {
			v := t.get(src, n+t.At)
			if v > t.Most || v > room {
				return -1
			}
			texts[k] = Span{n, v}
			k++
			n += v
			room -= v
		}
	}
	return n
}

func (l Length) put(p mem.Ptr, at, v int) {
	for i := range l.Width {
		mem.Store8(p, at+l.place(i), byte(v>>(8*i)))
	}
}

func (l Length) get(p mem.Ptr, at int) (v int) {
	for i := range l.Width {
		v |= int(mem.Load8(p, at+l.place(i))) << (8 * i)
	}
	return v
}

// place returns where byte i of the number is, on a little-endian machine.
func (l Length) place(i int) int {
	if l.Swap {
		return l.Width - 1 - i
	}
	return i
}
