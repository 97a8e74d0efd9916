package binary

import (
	"bufio"
	"io"
	"reflect"
	"slices"
	"testing"

	"github.com/octet-go/octet/internal/faulty"
)

// faultRecord has fields of several sizes.
type faultRecord struct {
	A uint32
	B [5]uint16
	C float64
}

// readerCalls has a call of every method of Reader that reads. The arguments ask for 3 elements or bytes.
func readerCalls(t *testing.T) map[string]func(r *Reader) any {
	calls := map[string]func(r *Reader) any{
		"Skip":  func(r *Reader) any { r.Skip(600); return nil },
		"Limit": func(r *Reader) any { r.Limit(5); v := r.String(5); r.Unlimit(); return v + r.String(2) },
		"Peek": func(r *Reader) any {
			b := slices.Clone(r.Peek(10))
			r.Skip(10)
			return b
		},
		"Read": func(r *Reader) any {
			b := make([]byte, 700)
			if _, err := io.ReadFull(r, b); err != nil {
				r.fail(err)
			}
			return b
		},
	}
	typ := reflect.TypeFor[*Reader]()
	for i := range typ.NumMethod() {
		m := typ.Method(i)
		switch m.Name {
		case "End", "Left", "Reset", "Unlimit", "Skip", "Limit", "Peek", "Read":
			continue
		}
		var args []reflect.Value
		for k := 1; k < m.Type.NumIn(); k++ {
			if m.Type.In(k).Kind() != reflect.Int {
				t.Fatalf("Reader.%s has a parameter of type %v; add a call", m.Name, m.Type.In(k))
			}
			args = append(args, reflect.ValueOf(3))
		}
		calls[m.Name] = func(r *Reader) any {
			return reflect.ValueOf(r).Method(i).Call(args)[0].Interface()
		}
	}
	return calls
}

func TestFaultySources(t *testing.T) {
	input := make([]byte, 1000)
	for i := range input {
		input[i] = byte(i % 3)
	}
	sources := []faulty.Source{
		{Name: "Read", Input: input[:22], Read: func(r io.Reader) (any, error) {
			var v faultRecord
			err := Read(r, BigEndian, &v)
			return v, err
		}},
		{Name: "Read many", Input: make([]byte, 22*4000), Read: func(r io.Reader) (any, error) {
			v := make([]faultRecord, 4000)
			err := Read(r, LittleEndian, v)
			return v, err
		}},
		{Name: "Read fast", Input: input[:8], Read: func(r io.Reader) (any, error) {
			var v uint64
			err := Read(r, LittleEndian, &v)
			return v, err
		}},
		{Name: "Read through bufio.Reader", Input: input[:22], Read: func(r io.Reader) (any, error) {
			var v faultRecord
			b := bufio.NewReaderSize(r, 16)
			err := Read(b, BigEndian, &v)
			return v, err
		}, Panics: true}, // bufio.Reader does
		{Name: "ReadSlice", Input: input[:80], Read: func(r io.Reader) (any, error) {
			v := make([]uint64, 10)
			err := ReadSlice(r, BigEndian, v)
			return v, err
		}},
		{Name: "ReadSlice native", Input: input[:80], Read: func(r io.Reader) (any, error) {
			v := make([]uint64, 10)
			err := ReadSlice(r, NativeEndian, v)
			return v, err
		}},
		{Name: "ReadSlice many", Input: make([]byte, 600<<10), Read: func(r io.Reader) (any, error) {
			v := make([]uint16, 300<<10)
			err := ReadSlice(r, BigEndian, v)
			return v[len(v)-1], err
		}},
		{Name: "NewReader", Input: input[:30], Read: func(r io.Reader) (any, error) {
			b := NewReader(r, BigEndian)
			v := []any{b.Uint32(), b.String(9), b.Uint64(), b.Uvarint(), b.Uint16Slice(4)}
			_, err := b.End()
			return v, err
		}},
		{Name: "Reader.Reset", Input: input[:8], Read: func(r io.Reader) (any, error) {
			b := NewReader(nil, BigEndian)
			b.Uint8()
			b.Reset(r, BigEndian)
			v := b.Uint64()
			_, err := b.End()
			return v, err
		}},
	}
	for name, call := range readerCalls(t) {
		s := faulty.Source{Name: "Reader." + name, Input: input, Read: func(r io.Reader) (any, error) {
			b := NewReader(r, BigEndian)
			v := call(b)
			_, err := b.End()
			return v, err
		}}
		switch name {
		case "Peek", "Skip", "Read": // what they need is 700 bytes at most
			s.Input = input[:700]
		case "Uint8String", "Uint8ByteSlice", "UvarintString", "UvarintByteSlice":
			s.Input = append([]byte{20}, input[:20]...)
		case "Uint16String", "Uint16ByteSlice":
			s.Input = append([]byte{0, 20}, input[:20]...)
		case "Uint32String", "Uint32ByteSlice":
			s.Input = append([]byte{0, 0, 0, 20}, input[:20]...)
		default:
			s.Input = input[:60]
		}
		if name == "Read" {
			s.Passes = []string{faulty.Idle} // Read returns what the input returns
		}
		sources = append(sources, s)
	}
	faulty.TestSources(t, sources)
}

// TestFaultySinks also calls every method of Writer that writes.
func TestFaultySinks(t *testing.T) {
	record := faultRecord{1, [5]uint16{2, 3}, 4}
	sinks := []faulty.Sink{
		{Name: "Write", Write: func(w io.Writer) error { return Write(w, BigEndian, &record) }, TrustsCounts: true},
		{Name: "Write fast", Write: func(w io.Writer) error { return Write(w, BigEndian, uint32(7)) }, TrustsCounts: true},
		{Name: "Write many", Write: func(w io.Writer) error { return Write(w, LittleEndian, make([]faultRecord, 10_000)) }, TrustsCounts: true},
		{Name: "WriteSlice", Write: func(w io.Writer) error { return WriteSlice(w, BigEndian, []uint32{1, 2, 3}) }},
		{Name: "WriteSlice native", Write: func(w io.Writer) error { return WriteSlice(w, NativeEndian, []uint32{1, 2, 3}) }},
		{Name: "WriteSlice many", Write: func(w io.Writer) error { return WriteSlice(w, BigEndian, make([]uint64, 20_000)) }},
		{Name: "NewWriter", Write: func(w io.Writer) error {
			_, err := NewWriter(w, BigEndian).Uint16(1).String("text").Uint64(2).Uint32Slice(make([]uint32, 200)).End()
			return err
		}},
		{Name: "Writer.Reset", Write: func(w io.Writer) error {
			b := NewWriter(nil, LittleEndian)
			b.Uint8(1).Flush()
			b.Reset(w, BigEndian)
			_, err := b.Uint64(1).Flush().Uint64(2).End()
			return err
		}},
		{Name: "Writer.Write", Write: func(w io.Writer) error {
			b := NewWriter(w, BigEndian)
			for _, n := range []int{5, 600, 30} {
				if m, err := b.Write(make([]byte, n)); err != nil || m != n {
					return err
				}
			}
			_, err := b.End()
			return err
		}},
	}
	typ := reflect.TypeFor[*Writer]()
	for i := range typ.NumMethod() {
		m := typ.Method(i)
		switch m.Name {
		case "End", "Reset", "Write":
			continue
		}
		var args []reflect.Value
		for k := 1; k < m.Type.NumIn(); k++ {
			v := reflect.New(m.Type.In(k)).Elem()
			if v.Kind() == reflect.Slice {
				v.Set(reflect.MakeSlice(v.Type(), 200, 200))
			}
			args = append(args, v)
		}
		sinks = append(sinks, faulty.Sink{Name: "Writer." + m.Name, Write: func(w io.Writer) error {
			b := NewWriter(w, BigEndian)
			for range 3 {
				b.Uint8(1)
				if out := reflect.ValueOf(b).Method(i).Call(args); out[0].Interface() != any(b) {
					t.Fatalf("Writer.%s does not return the Writer", m.Name)
				}
			}
			_, err := b.End()
			return err
		}})
	}
	faulty.TestSinks(t, sinks)
}

// A byteReader hides all methods but ReadByte.
type byteReader struct{ r io.Reader }

func (b byteReader) ReadByte() (byte, error) {
	var c [1]byte
	_, err := readFull(b.r, c[:])
	return c[0], err
}

// TestFaultyByteReaders lets the input of varints fail at every byte.
func TestFaultyByteReaders(t *testing.T) {
	input := AppendUvarint(nil, 1<<63)
	faulty.TestSources(t, []faulty.Source{
		{Name: "ReadUvarint", Input: input, Read: func(r io.Reader) (any, error) { return ReadUvarint(byteReader{r}) }},
		{Name: "ReadVarint", Input: input, Read: func(r io.Reader) (any, error) { return ReadVarint(byteReader{r}) }},
	})
}
