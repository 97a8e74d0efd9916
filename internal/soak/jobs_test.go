package soak

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/bytebuf"
	"github.com/octet-go/octet/bytebuf/chain"
	"github.com/octet-go/octet/layout"
	"github.com/octet-go/octet/msgpack"
)

// A job is one use of the codecs, pools and buffers that all workers share.
type job struct {
	name string
	do   func(w *worker)
}

// A message has a value of each kind for which decoders have separate code:
// strings in chunks, slices, maps, boxed numbers and times.
type message struct {
	Name    string
	Labels  map[string]string
	Bytes   []byte
	Numbers []int64
	Names   []string
	Any     any
	Next    *message
	When    time.Time
	ID      uint64
}

func (w *worker) message(depth int) message {
	m := message{
		Name: w.name(), Labels: map[string]string{w.name(): w.name(), "id": w.name()}, Bytes: []byte(w.name()),
		Numbers: []int64{int64(w.id), -int64(w.count), 1 << 40}, Names: []string{w.name(), "", w.name()},
		Any:  map[string]any{"name": w.name(), "list": []any{int64(w.id), w.name(), 1.5, nil, true}},
		When: time.Unix(int64(w.count), int64(w.id)).UTC(), ID: uint64(w.id),
	}
	if depth > 0 {
		next := w.message(depth - 1)
		m.Next = &next
	}
	return m
}

// text returns the canonical encoding of v, so that values of different types can be compared.
func text(v any) string {
	b, err := canonical.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

var canonical = must(msgpack.New(msgpack.Options{Canonical: true}))

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// newJobs returns all jobs. The caller calls finish when they are done.
func newJobs(t *testing.T) (jobs []job, finish func()) {
	records, finish := recordJobs(t)
	return slices.Concat(messagePackJobs(), bufferJobs(), layoutJobs(), records), finish
}

func messagePackJobs() []job {
	alias := must(msgpack.New(msgpack.Options{AliasInput: true}))
	strict := must(msgpack.New(msgpack.Options{RejectDuplicates: true, RejectInvalidUTF8: true, SortKeys: true}))
	typed := must(msgpack.For[message](nil))
	return []job{
		{"Marshal, Unmarshal", func(w *worker) {
			m := w.message(w.IntN(3))
			want := text(m)
			b, err := msgpack.Marshal(m)
			var got message
			if w.check("Marshal", err) && w.check("Unmarshal", msgpack.Unmarshal(b, &got)) {
				clear(b) // what was decoded does not share it
				w.keep("Unmarshal", func() bool { return text(got) == want })
			}
		}},
		{"into any", func(w *worker) {
			m := w.message(1)
			b, err := strict.Marshal(m)
			var got any
			if w.check("Marshal", err) && w.check("Unmarshal", strict.Unmarshal(b, &got)) {
				want := text(got)
				again := text(must(strict.Marshal(got)))
				clear(b)
				w.keep("into any", func() bool { return text(got) == want && again != "" })
			}
		}},
		{"AliasInput", func(w *worker) {
			m := w.message(0)
			b, err := alias.MarshalAppend(make([]byte, 0, 100), m)
			var got message
			if w.check("MarshalAppend", err) && w.check("Unmarshal", alias.Unmarshal(b, &got)) {
				want := text(m)
				w.keep("AliasInput", func() bool { return text(got) == want })
			}
		}},
		{"Typed", func(w *worker) {
			m := w.message(0)
			b, err := typed.Append(nil, &m)
			var got message
			if w.check("Append", err) && w.check("Unmarshal", typed.Unmarshal(b, &got)) {
				want := text(m)
				w.keep("Typed", func() bool { return text(got) == want })
			}
		}},
		{"Encoder, Decoder", func(w *worker) {
			var stream bytes.Buffer
			e := msgpack.NewEncoder(&stream)
			var want []string
			for range 1 + w.IntN(5) {
				m := w.message(w.IntN(2))
				want = append(want, text(m))
				if !w.check("Encode", e.Encode(m)) {
					return
				}
			}
			if !w.check("Flush", e.Flush()) {
				return
			}
			d := msgpack.NewDecoder(io.MultiReader(&stream))
			for i := range want {
				var got message
				if !w.check("Decode", d.Decode(&got)) {
					return
				}
				w.keep("Decoder", func() bool { return text(got) == want[i] })
			}
			if err := d.Decode(new(message)); err != io.EOF {
				w.t.Errorf("after the last value: %v", err)
			}
		}},
		{"errors, then reuse", func(w *worker) {
			m := w.message(1)
			b := must(msgpack.Marshal(m))
			var got message
			if err := msgpack.Unmarshal(b[:w.IntN(len(b))], &got); err == nil {
				w.t.Error("a part of a message is accepted")
			}
			b[w.IntN(len(b))] ^= 1 << w.IntN(8)
			_ = msgpack.Unmarshal(b, &got)
			var v any
			_ = strict.Unmarshal(b, &v)
			_ = msgpack.Valid(b)
			if _, err := msgpack.Marshal(map[string]any{w.name(): make(chan int)}); err == nil {
				w.t.Error("a channel is encoded")
			}
			d := msgpack.NewDecoder(bytes.NewReader(b))
			_ = d.Decode(&got)
			good := w.message(0)
			d.Reset(bytes.NewReader(must(msgpack.Marshal(good))))
			var after message
			if w.check("Decode after Reset", d.Decode(&after)) {
				want := text(good)
				w.keep("Reset", func() bool { return text(after) == want })
			}
		}},
		{"Get, View", func(w *worker) {
			m := w.message(1)
			b := must(msgpack.Marshal(m))
			raw, err := msgpack.Get(b, "Next", "Name")
			var got string
			if w.check("Get", err) && w.check("Unmarshal", msgpack.Unmarshal(raw, &got)) {
				w.keep("Get", func() bool { return got == m.Next.Name })
			}
			v, err := msgpack.ViewOf(b)
			if w.check("ViewOf", err) && !bytes.Equal(v.Raw(), b) {
				w.t.Error("the View has other bytes")
			}
		}},
		{"MarshalWrite, UnmarshalRead", func(w *worker) {
			m := w.message(0)
			var b bytes.Buffer
			var got message
			if w.check("MarshalWrite", msgpack.MarshalWrite(&b, m)) && w.check("UnmarshalRead", msgpack.UnmarshalRead(&b, &got)) {
				want := text(m)
				w.keep("UnmarshalRead", func() bool { return text(got) == want })
			}
		}},
	}
}

func bufferJobs() []job {
	pool := &bytebuf.Pool{Size: 128, Max: 4 << 10}
	wiped := &bytebuf.Pool{Wipe: true}
	type block struct {
		ID    uint32
		Flags [3]uint16
		Value float64
	}
	codec := must(binary.For[block](binary.BigEndian))
	return []job{
		{"bytebuf.Pool", func(w *worker) {
			for _, p := range []*bytebuf.Pool{pool, wiped} {
				b := p.Get()
				if b.Len() != 0 {
					w.t.Errorf("a Buffer of the Pool has %q", b.Bytes())
				}
				want := ""
				for range w.IntN(40) {
					s := w.name()
					b.WriteString(s)
					want += s
				}
				got := b.String()
				p.Put(b)
				w.keep("Pool", func() bool { return got == want })
			}
		}},
		{"chain.Buffer", func(w *worker) {
			var b chain.Buffer
			var want []byte
			for range w.IntN(100) {
				s := w.name()
				b.WriteString(s)
				want = append(want, s...)
			}
			part := make([]byte, w.IntN(3000))
			n, _ := b.Read(part)
			var rest bytes.Buffer
			_, err := b.WriteTo(&rest)
			if got := append(part[:n:n], rest.Bytes()...); w.check("WriteTo", err) && !bytes.Equal(got, want) {
				w.t.Errorf("worker %d: the blocks have something else", w.id)
			}
		}},
		{"binary.Writer, Reader", func(w *worker) {
			s, numbers := w.name(), make([]uint32, w.IntN(5000))
			for i := range numbers {
				numbers[i] = uint32(w.id)
			}
			var b bytes.Buffer
			_, err := binary.NewWriter(&b, binary.LittleEndian).UvarintString(s).Uint32Slice(numbers).Varint(int64(w.id)).End()
			if !w.check("Writer", err) {
				return
			}
			r := binary.NewReader(io.MultiReader(&b), binary.LittleEndian)
			got, back, id := r.UvarintString(), r.Uint32Slice(len(numbers)), r.Varint()
			_, err = r.End()
			if w.check("Reader", err) {
				w.keep("Reader", func() bool { return got == s && slices.Equal(back, numbers) && id == int64(w.id) })
			}
		}},
		{"binary.Typed, slices", func(w *worker) {
			list := make([]block, w.IntN(50))
			for i := range list {
				list[i] = block{uint32(w.id), [3]uint16{1, uint16(i), 3}, float64(w.count)}
			}
			b := codec.AppendSlice(nil, list)
			back := make([]block, len(list))
			if _, err := codec.GetSlice(b, back); w.check("GetSlice", err) && !slices.Equal(back, list) {
				w.t.Errorf("worker %d: other structs", w.id)
			}
			numbers := make([]uint64, w.IntN(10_000))
			for i := range numbers {
				numbers[i] = uint64(w.id)<<32 | uint64(i)
			}
			var out bytes.Buffer
			if !w.check("WriteSlice", binary.WriteSlice(&out, binary.BigEndian, numbers)) {
				return
			}
			got := make([]uint64, len(numbers))
			if w.check("ReadSlice", binary.ReadSlice(&out, binary.BigEndian, got)) && !slices.Equal(got, numbers) {
				w.t.Errorf("worker %d: other numbers", w.id)
			}
		}},
	}
}

type packet struct {
	Kind   uint8  `layout:"const=7"`
	Length uint32 `layout:"len=Items"`
	Items  []item
	Sum    uint32 `layout:"crc32=Kind..Items"`
}

type item struct {
	ID   uint16
	Name string   `layout:"prefix=u16"`
	List []uint32 `layout:"count=u8"`
}

func layoutJobs() []job {
	c := must(layout.New(layout.Options{}))
	typed := must(layout.For[packet](c))
	make := func(w *worker) packet {
		p := packet{}
		for range w.IntN(6) {
			p.Items = append(p.Items, item{uint16(w.id), w.name(), []uint32{uint32(w.count), uint32(w.id)}})
		}
		return p
	}
	form := func(p packet) string { return fmt.Sprint(p.Items) }
	return []job{
		{"layout.Typed", func(w *worker) {
			p := make(w)
			want := form(p)
			b, err := typed.Append(nil, &p)
			var got packet
			if !w.check("Append", err) {
				return
			}
			n, err := typed.UnmarshalPrefix(b, &got)
			if w.check("Decode", err) && n == len(b) {
				w.keep("layout", func() bool { return form(got) == want })
			}
		}},
		{"layout.Read", func(w *worker) {
			p := make(w)
			want := form(p)
			var b bytes.Buffer
			var got packet
			if w.check("Write", c.Write(&b, &p)) && w.check("Read", c.Read(io.MultiReader(&b), &got)) {
				w.keep("layout.Read", func() bool { return form(got) == want })
			}
			damaged := must(c.Marshal(&p))
			damaged[w.IntN(len(damaged))] ^= 1
			_ = c.Unmarshal(damaged, new(packet))
		}},
		{"maps", func(w *worker) {
			m := map[string]int{}
			for i := range w.IntN(50) {
				m[w.name()] = i
			}
			b := must(msgpack.Marshal(m))
			got := map[string]int{"other": w.id}
			clear(got)
			if w.check("Unmarshal", msgpack.Unmarshal(b, &got)) {
				clear(b)
				w.keep("maps", func() bool { return maps.Equal(got, m) })
			}
		}},
	}
}
