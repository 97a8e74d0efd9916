package layout_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/layout"
)

// The bounds that SECURITY.md lists.
const (
	memoryPerByte = 256
	againPerByte  = 16
	free          = 1 << 20
)

// A slow is a type that decodes itself and counts how often it is asked.
type slow struct{ N int }

var slowCalls int

func (slow) AppendLayout(dst []byte) ([]byte, error) { return dst, nil }

func (s *slow) DecodeLayout(data []byte) (int, error) {
	slowCalls++
	if s.N = len(data); len(data) < 1<<16 {
		return 0, layout.ErrTruncated
	}
	return len(data), nil
}

// TestReadAsksMethodsOnce reads a type that decodes itself: in a frame it is asked once,
// whatever the reader returns, and without a frame it is refused before anything is read.
func TestReadAsksMethodsOnce(t *testing.T) {
	type ranged struct {
		Length uint32 `layout:"len=Kind..Body"`
		Kind   uint8
		Body   slow
	}
	type prefixed struct {
		In struct{ Body slow } `layout:"prefix=u32"`
	}
	type linked struct {
		Length uint32 `layout:"len=Body"`
		Body   slow
	}
	data := binary.BigEndian.AppendUint32(nil, 1<<16+1)
	data = append(data, make([]byte, 1<<16+1)...)
	for _, v := range []any{new(ranged), new(prefixed), new(linked)} {
		slowCalls = 0
		if err := layout.Read(iotest.OneByteReader(bytes.NewReader(data)), v); err != nil || slowCalls != 1 {
			t.Errorf("%T: %v, %d calls", v, err, slowCalls)
		}
	}
	type open struct {
		A    uint8
		Body slow
	}
	type list struct {
		All []slow `layout:"count=u8"`
	}
	type optional struct {
		A      uint8
		Length uint32 `layout:"if=A,len=Kind..Body"`
		Kind   uint8
		Body   slow
	}
	for _, v := range []any{new(slow), new(open), new(list), new(optional)} {
		r := bytes.NewReader(data)
		err := layout.Read(r, v)
		if !errors.Is(err, layout.ErrUnsupported) || !strings.Contains(err.Error(), "because it decodes itself; give the field a prefix") || r.Len() != len(data) {
			t.Errorf("%T: %v, %d bytes read", v, err, len(data)-r.Len())
		}
		if err := layout.Unmarshal(data, v); errors.Is(err, layout.ErrUnsupported) {
			t.Errorf("%T: Unmarshal %v", v, err)
		}
	}
	typed, err := layout.For[open](nil)
	if err != nil {
		t.Fatal(err)
	}
	r := bytes.NewReader(data)
	for _, err := range typed.Frames(r) {
		if !errors.Is(err, layout.ErrUnsupported) || r.Len() != len(data) {
			t.Errorf("Frames: %v, %d bytes read", err, len(data)-r.Len())
		}
	}
}

// A nest is a recursive type each level of which copies and sums all levels inside.
type nest struct {
	Kind uint8
	Next *nest  `layout:"if=Kind==1"`
	Data []byte `layout:"if=Kind==0,prefix=u32"`
	Raw  []byte `layout:"raw=Kind..Data"`
}

type summedNest struct {
	Kind uint8
	Next *summedNest `layout:"if=Kind==1"`
	Data []byte      `layout:"if=Kind==0,prefix=u32"`
	Sum  uint32      `layout:"sum=counted:Kind..Data"`
}

// levelsAround returns levels around a text of n bytes.
func levelsAround(levels, n int) []byte {
	data := append(bytes.Repeat([]byte{1}, levels), 0)
	data = binary.BigEndian.AppendUint32(data, uint32(n))
	return append(data, make([]byte, n)...)
}

// TestRawOfRecursiveTypes bounds the memory of raw fields in recursive types.
func TestRawOfRecursiveTypes(t *testing.T) {
	for _, c := range []struct {
		levels, size int
		refused      bool
	}{{5, 1 << 20, false}, {500, 1000, false}, {17, 700 << 10, true}, {500, 1 << 17, true}, {511, 1 << 18, true}} {
		data := levelsAround(c.levels, c.size)
		var err error
		used := heaptest.Allocated(func() { err = layout.Unmarshal(data, new(nest)) })
		if errors.Is(err, layout.ErrLimit) != c.refused || !c.refused && err != nil {
			t.Errorf("%d levels of %d bytes: %v", c.levels, c.size, err)
		}
		if bound := uint64(2*againPerByte*len(data) + 2*free); used > bound {
			t.Errorf("%d levels of %d bytes: %d bytes of memory, more than %d", c.levels, c.size, used, bound)
		}
	}
	alias, err := layout.New(layout.Options{AliasInput: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := alias.Unmarshal(levelsAround(511, 1<<20), new(nest)); err != nil {
		t.Errorf("raw fields that alias the input: %v", err)
	}
}

// TestSumsOfRecursiveTypes bounds the bytes that are summed in recursive types.
func TestSumsOfRecursiveTypes(t *testing.T) {
	total := 0
	c, err := layout.New(layout.Options{Sums: map[string]layout.Sum{"counted": func(data []byte, _, _ int) uint64 {
		total += len(data)
		return uint64(crc32.ChecksumIEEE(data))
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		levels, size int
		refused      bool
	}{{5, 1 << 20, false}, {300, 1000, false}, {17, 700 << 10, true}, {511, 1 << 18, true}} {
		data := levelsAround(k.levels, k.size)
		for range k.levels + 1 {
			data = binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(data[k.levels-(len(data)-5-k.levels-k.size)/4:]))
		}
		total = 0
		err := c.Unmarshal(data, new(summedNest))
		if errors.Is(err, layout.ErrLimit) != k.refused || !k.refused && err != nil {
			t.Errorf("%d levels of %d bytes: %v", k.levels, k.size, err)
		}
		if total > againPerByte*len(data)+free {
			t.Errorf("%d levels of %d bytes: %d bytes summed", k.levels, k.size, total)
		}
	}
}

// TestMemoryOfValues bounds the memory of elements, targets and variants that are much
// larger than their bytes on the wire.
func TestMemoryOfValues(t *testing.T) {
	type large struct {
		Kept [8192]uint8 `layout:"-"`
		B    uint8
	}
	type flagged struct {
		Has  uint8
		Data [4096]uint16 `layout:"if=Has"`
	}
	type pointer struct{ P *large }
	c, err := layout.New(layout.Options{Unions: []layout.UnionCoder{layout.Union[any](layout.VariantOf[*large](0))}})
	if err != nil {
		t.Fatal(err)
	}
	zeros := make([]byte, 1<<16)
	counted := append([]byte{0, 0, 255, 252}, zeros...)
	for _, k := range []struct {
		data []byte
		v    any
	}{
		{zeros, new(struct{ L []large })},
		{zeros, new(struct{ L []flagged })},
		{zeros, new(struct{ L []pointer })},
		{counted, new(struct {
			L []large `layout:"count=u32"`
		})},
		{counted, new(struct {
			N uint32 `layout:"len=L"`
			L []large
		})},
		{zeros, new(struct {
			L []struct {
				T uint8
				V any `layout:"switch=T"`
			}
		})},
		{append([]byte{1}, bytes.Repeat([]byte{1}, 1<<16)...), new(struct {
			L []large `layout:"until=zero"`
		})},
	} {
		for name, decode := range map[string]func() error{
			"Unmarshal": func() error { return c.Unmarshal(k.data, k.v) },
			"Read":      func() error { return c.Read(bytes.NewReader(k.data), k.v) },
		} {
			var err error
			used := heaptest.Allocated(func() { err = decode() })
			if !errors.Is(err, layout.ErrLimit) || !strings.Contains(err.Error(), "bytes of memory, 256 for each byte of the input and 1 MiB") {
				t.Errorf("%s %T: %v", name, k.v, err)
			}
			if bound := uint64(3 * (memoryPerByte*len(k.data) + free)); used > bound {
				t.Errorf("%s %T: %d bytes of memory, more than %d", name, k.v, used, bound)
			}
		}
	}
	if err := c.Unmarshal(zeros[:100], new(struct{ L []large })); err != nil {
		t.Errorf("100 elements: %v", err)
	}
}

// TestMemoryOfTexts bounds the memory of texts, beside that of the slice that has them.
func TestMemoryOfTexts(t *testing.T) {
	const n, textsPerByte = 1 << 20, 2
	short := make([]byte, 0, n)
	for len(short) < n {
		short = append(short, 3, 'a', 'b', 'c')
	}
	long := binary.BigEndian.AppendUint32(nil, n)
	long = append(long, bytes.Repeat([]byte{'a'}, n)...)
	for _, k := range []struct {
		data     []byte
		v        any
		elements int // bytes of memory of the slice
	}{
		{long, new(struct {
			S string `layout:"prefix=u32"`
		}), 0},
		{long, new(struct {
			B []byte `layout:"prefix=u32"`
		}), 0},
		{short, new(struct {
			L []struct {
				S string `layout:"prefix=u8"`
			}
		}), n / 4 * 16},
		{short, new(struct {
			L []struct {
				B []byte `layout:"prefix=u8"`
			}
		}), n / 4 * 24},
	} {
		var err error
		used := heaptest.Allocated(func() { err = layout.Unmarshal(k.data, k.v) })
		// A slice that grows allocates up to six times its last size, which counts for the bound of elements.
		if bound := uint64(textsPerByte*len(k.data) + 6*k.elements + 64<<10); err != nil || used > bound {
			t.Errorf("%T: %d bytes of memory, more than %d, %v", k.v, used, bound, err)
		}
	}
}

// TestDefaultMaxMessage reads a message of 16 MiB, and refuses a longer one before it has arrived.
func TestDefaultMaxMessage(t *testing.T) {
	type message struct {
		Data []byte `layout:"prefix=u32"`
	}
	const most = 16 << 20
	for n, refused := range map[uint32]bool{most - 4: false, most - 3: true} {
		data := append(binary.BigEndian.AppendUint32(nil, n), make([]byte, n)...)
		r := bytes.NewReader(data)
		err := layout.Read(r, new(message))
		if errors.Is(err, layout.ErrLimit) != refused || !refused && err != nil || refused && r.Len() < len(data)/2 {
			t.Errorf("Read of %d bytes: %v, %d bytes left", len(data), err, r.Len())
		}
	}
}
