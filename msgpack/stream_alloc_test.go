package msgpack_test

import (
	"bytes"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// An endless reader repeats its bytes.
type endless struct {
	data []byte
	at   int
}

func (e *endless) Read(b []byte) (n int, err error) {
	for n < len(b) {
		m := copy(b[n:], e.data[e.at:])
		n += m
		e.at = (e.at + m) % len(e.data)
	}
	return n, nil
}

// TestEncoderAllocations writes values that MarshalAppend encodes without an
// allocation, and every kind of part.
func TestEncoderAllocations(t *testing.T) {
	skipIfInstrumented(t)
	e := msgpack.NewEncoder(io.Discard)
	for name, v := range encodedWithoutAllocation {
		t.Run(name, func(t *testing.T) {
			for range 1000 { // until the buffer has grown to its final length
				_ = e.Encode(v)
			}
			if n := testing.AllocsPerRun(1000, func() { _ = e.Encode(v) }); n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
	at, piece := time.Unix(1, 2), make([]byte, 100)
	ext, raw := msgpack.Ext{Type: 1, Data: piece}, msgpack.Raw{0x91, 1}
	for name, write := range map[string]func(){
		"WriteNil":          func() { _ = e.WriteNil() },
		"WriteBool":         func() { _ = e.WriteBool(true) },
		"WriteInt":          func() { _ = e.WriteInt(-5) },
		"WriteUint":         func() { _ = e.WriteUint(5) },
		"WriteFloat":        func() { _ = e.WriteFloat(1.5) },
		"WriteString":       func() { _ = e.WriteString("text") },
		"WriteBytes":        func() { _ = e.WriteBytes(piece) },
		"WriteTime":         func() { _ = e.WriteTime(at) },
		"WriteExt":          func() { _ = e.WriteExt(ext) },
		"WriteRaw":          func() { _ = e.WriteRaw(raw) },
		"WriteArrayHeader":  func() { _ = e.WriteArrayHeader(1); _ = e.WriteNil() },
		"WriteMapHeader":    func() { _ = e.WriteMapHeader(1); _ = e.WriteNil(); _ = e.WriteNil() },
		"WriteStringHeader": func() { _ = e.WriteStringHeader(100); _, _ = e.Write(piece) },
		"WriteBytesHeader":  func() { _ = e.WriteBytesHeader(100); _, _ = e.Write(piece) },
		"WriteExtHeader":    func() { _ = e.WriteExtHeader(1, 100); _, _ = e.Write(piece) },
	} {
		t.Run(name, func(t *testing.T) {
			if n := testing.AllocsPerRun(1000, write); n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
	var b bytes.Buffer
	b.Grow(1 << 20)
	v := makeReport()
	if n := testing.AllocsPerRun(100, func() { _ = msgpack.MarshalWrite(&b, v); b.Reset() }); n != 0 {
		t.Errorf("MarshalWrite to a bytes.Buffer: %v allocations", n)
	}
	if n := testing.AllocsPerRun(100, func() { _ = msgpack.MarshalWrite(io.Discard, v) }); n != 1 {
		t.Errorf("MarshalWrite: %v allocations", n)
	}
}

// TestDecoderAllocations reads values that need no memory of their own, at once and
// in parts.
func TestDecoderAllocations(t *testing.T) {
	skipIfInstrumented(t)
	type pair struct{ A, B int }
	type named struct {
		ID   int
		Name string
	}
	type nested struct {
		Pair   pair
		Scores [3]float64
		At     time.Time
		Flags  []bool
		ID     [16]byte
		Data   []byte
	}
	report := nested{Flags: []bool{true}, At: time.Unix(1, 0), Data: make([]byte, 300)}
	values := map[string]struct{ value, target any }{
		"int":             {5, new(int)},
		"float":           {1.5, new(float64)},
		"bool":            {true, new(bool)},
		"time":            {time.Unix(1, 2), new(time.Time)},
		"bytes":           {make([]byte, 100), new([]byte)},
		"ints":            {[]int{1, 2, 3}, new([]int)},
		"struct":          {pair{1, 2}, new(pair)},
		"nested structs":  {report, new(nested)},
		"many structs":    {make([]nested, 300), new([]nested)},
		"struct in array": {[]int{1, 2}, new(pair)},
		// In a stream, strings share memory with the following ones. In a single
		// message, a string takes one allocation.
		"struct with string":      {named{1, "short"}, new(named)},
		"struct with two strings": {map[string]string{"Name": "short", "Host": "a bit longer"}, new(struct{ Name, Host string })},
	}
	for name, c := range values {
		data, err := msgpack.Marshal(c.value)
		if err != nil {
			t.Fatal(err)
		}
		for how, r := range map[string]io.Reader{"stream": &endless{data: data}, "slice": nil} {
			t.Run(name+" from "+how, func(t *testing.T) {
				whole := bytes.NewReader(data)
				d := msgpack.NewDecoder(r)
				decode := func() {
					if r == nil {
						whole.Reset(data)
						d.Reset(whole)
					}
					if err := d.Decode(c.target); err != nil {
						t.Fatal(err)
					}
				}
				for range 20 + 1<<20/len(data) { // until the buffer has grown to its final length
					decode()
				}
				most := 0.0
				if r == nil && strings.Contains(name, "string") {
					most = 1
				}
				if n := testing.AllocsPerRun(100, decode); n > most {
					t.Errorf("%v allocations", n)
				}
			})
		}
	}
	d := msgpack.NewDecoder(&endless{data: []byte("\x82\xa2ID\x01\xa4Name\xa5short")})
	for range msgpack.Values[named](d) {
		if d.InputOffset() > 100_000 {
			break
		}
	}
	if n := testing.AllocsPerRun(100, func() {
		values := 0
		for _, err := range msgpack.Values[named](d) {
			if values++; err != nil || values == 1000 {
				break
			}
		}
	}); n > 1000 {
		t.Errorf("Values: %v allocations for 1000 values", n)
	}
	for name, c := range map[string]struct {
		data string
		read func(d *msgpack.Decoder)
	}{
		"Skip":            {"\x82\x01\x92\xa1a\x05\x06\xc0", func(d *msgpack.Decoder) { _ = d.Skip() }},
		"PeekKind":        {"\x82\x01\x92\xa1a\x05\x06\xc0", func(d *msgpack.Decoder) { _, _ = d.PeekKind(); _ = d.Skip() }},
		"ReadNil":         {"\xc0", func(d *msgpack.Decoder) { _ = d.ReadNil() }},
		"ReadBool":        {"\xc3", func(d *msgpack.Decoder) { _, _ = d.ReadBool() }},
		"ReadInt":         {"\xd1\xff\x00", func(d *msgpack.Decoder) { _, _ = d.ReadInt() }},
		"ReadUint":        {"\xcd\xff\x00", func(d *msgpack.Decoder) { _, _ = d.ReadUint() }},
		"ReadFloat":       {"\xca\x00\x00\x00\x00", func(d *msgpack.Decoder) { _, _ = d.ReadFloat() }},
		"ReadTime":        {"\xd6\xff\x00\x00\x00\x01", func(d *msgpack.Decoder) { _, _ = d.ReadTime() }},
		"ReadArrayHeader": {"\x91\x01", func(d *msgpack.Decoder) { _, _ = d.ReadArrayHeader(); _, _ = d.ReadInt() }},
	} {
		t.Run(name, func(t *testing.T) {
			d := msgpack.NewDecoder(&endless{data: []byte(c.data)})
			for range 50_000 {
				c.read(d)
			}
			if n := testing.AllocsPerRun(1000, func() { c.read(d) }); n != 0 {
				t.Errorf("%v allocations", n)
			}
			if before := d.InputOffset(); d.Skip() != nil || d.InputOffset() == before {
				t.Error("nothing was read")
			}
		})
	}
}

// TestLongBinAllocations reads one long value from a reader of unknown length. Its header
// says how long it is, so the buffer need not be doubled for each part that arrives.
func TestLongBinAllocations(t *testing.T) {
	skipIfInstrumented(t)
	message, err := msgpack.Marshal(make([]byte, 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	decode := func() {
		var b []byte
		if err := msgpack.NewDecoder(hideLen(message)).Decode(&b); err != nil || len(b) != 1<<20 {
			t.Fatal(len(b), err)
		}
	}
	// The Decoder, two readers, seven buffers and the value.
	if n := testing.AllocsPerRun(10, decode); n > 11 {
		t.Errorf("%v allocations", n)
	}
	if n := allocated(decode); n > 3<<20 {
		t.Errorf("%d bytes allocated", n)
	}
}

// TestShortInputAllocations reads messages that are in memory. There are two allocations: the buffer and the value.
func TestShortInputAllocations(t *testing.T) {
	skipIfInstrumented(t)
	for _, length := range []int{1, 100, 3000, 5000, 30_000, 100_000} {
		message, err := msgpack.Marshal(make([]byte, length))
		if err != nil {
			t.Fatal(err)
		}
		var raw msgpack.Raw
		r := bytes.NewReader(nil)
		for name, read := range map[string]func() error{
			"UnmarshalRead": func() error { return msgpack.UnmarshalRead(r, &raw) },
			"Decode":        func() error { return msgpack.NewDecoder(r).Decode(&raw) },
		} {
			if name == "Decode" && length == 100_000 {
				continue // is read in pieces
			}
			if n := testing.AllocsPerRun(100, func() {
				r.Reset(message)
				if err := read(); err != nil {
					t.Fatal(err)
				}
			}); n > 2 {
				t.Errorf("%s of %d bytes: %v allocations", name, length, n)
			}
		}
	}
}

// TestPrefixAllocations decodes the first of many short documents. The ones after it must
// not be taken for a part of it.
func TestPrefixAllocations(t *testing.T) {
	skipIfInstrumented(t)
	document := map[string]any{"id": 123456, "name": "a name", "tags": []any{"a", 4.5, nil}, "sub": map[string]any{"x": 1.5}}
	for _, v := range []any{document, struct{ Extra any }{document}, generatedExtra{document}} {
		message, err := msgpack.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		decode := func(data []byte) func() {
			return func() {
				for range 100 {
					v := reflect.New(reflect.TypeOf(v)).Interface()
					if n, err := msgpack.UnmarshalPrefix(data, v); n != len(message) || err != nil {
						t.Fatal(n, err)
					}
				}
			}
		}
		one, many := allocated(decode(message)), allocated(decode(bytes.Repeat(message, 100)))
		if many > one+one/4 {
			t.Errorf("%T: %d bytes allocated, and %d for a single message", v, many/100, one/100)
		}
	}
}

// A generatedExtra has the functions of generated code.
type generatedExtra struct{ Extra any }

func (*generatedExtra) OctetMsgpack() msgpack.Generated[generatedExtra] {
	return msgpack.Generated[generatedExtra]{
		Fingerprint: "afc89103ca8e9bca",
		Append:      func(dst []byte, _ *generatedExtra, _ int) ([]byte, bool) { return dst, false },
		Decode: func(in *msgpack.Input, pos int, v *generatedExtra, depth int) int {
			return msgpack.DecodePart(in, pos+len("\x81\xa5Extra"), &v.Extra, depth-1)
		},
	}
}
