package formats

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/layout"
)

// perByte is the most memory that walking a file may allocate for each byte of the
// file, and for each byte of a message that is decoded. Files of tiny messages need
// most, such as a PINGREQ packet of MQTT, which has two bytes.
const perByte = 160

// FuzzFormats walks any bytes as a file of each format. There must be no panic, the
// memory is bounded, and what is decoded must encode to a message that is decoded
// and encoded to itself.
func FuzzFormats(f *testing.F) {
	names := Names()
	for _, s := range seeds(f) {
		f.Add(uint8(slices.Index(names, s.format)), s.data)
	}
	f.Fuzz(func(t *testing.T, format uint8, data []byte) {
		f, _ := Lookup(names[int(format)%len(names)])
		checkWalk(t, f, data)
	})
}

// checkWalk checks all promises for one file. It returns the number of messages.
func checkWalk(t *testing.T, f Format, data []byte) (n int) {
	t.Helper()
	before := bytes.Clone(data)
	decoded := 0
	allocated := heaptest.Allocated(func() {
		for m, err := range f.Messages(data) {
			if err == nil && (m.Offset < 0 || m.Offset+int64(len(m.Data)) > int64(len(data))) {
				t.Fatalf("%s: message at %d of %d bytes in %d", f.Name(), m.Offset, len(m.Data), len(data))
			}
			if errors.Is(err, layout.ErrTag) {
				t.Fatal(err)
			}
			decoded += len(m.Data)
			n++
		}
	})
	if decoded > 4*len(data)+1<<16 {
		t.Errorf("%s: %d bytes decoded of %d", f.Name(), decoded, len(data))
	}
	limit := perByte*uint64(len(data)+decoded) + 1<<14
	for range 3 {
		// The first use of a type compiles it, and fuzzing allocates beside the test.
		if allocated > limit {
			allocated = heaptest.Allocated(func() { messages(f, data) })
		}
	}
	if allocated > limit {
		t.Errorf("%s: %d bytes allocated for %d, more than %d", f.Name(), allocated, len(data), limit)
	}
	if !bytes.Equal(data, before) {
		t.Errorf("%s: the data was changed", f.Name())
	}
	for m, err := range f.Messages(data) {
		if err != nil {
			break
		}
		once, err := m.Codec().Marshal(m.Value)
		if err != nil {
			t.Errorf("%s: %s is not encoded: %v\n% x", f.Name(), m.Name, err, m.Data)
			return n
		}
		again := reflect.New(reflect.TypeOf(m.Value).Elem()).Interface()
		if err := m.Codec().Unmarshal(once, again); err != nil {
			t.Errorf("%s: %s: %v\n% x\n% x", f.Name(), m.Name, err, m.Data, once)
			return n
		}
		twice, err := m.Codec().Marshal(again)
		if err != nil || !bytes.Equal(once, twice) {
			t.Errorf("%s: %s: %v\n% x\n% x", f.Name(), m.Name, err, once, twice)
		}
		covered(t, m)
	}
	return n
}

// TestSeeds checks that the seeds that are not vectors are valid.
func TestSeeds(t *testing.T) {
	formats := map[string]bool{}
	for i, s := range seeds(t) {
		f, _ := Lookup(s.format)
		list, err := messages(f, s.data)
		if i >= len(protocolVectors) && (err != nil || len(list) == 0) {
			t.Errorf("%s: %d messages, %v", s.format, len(list), err)
		}
		for _, m := range list {
			formats[s.format] = true
			if s.format != "tar" { // numbers can be padded in many ways
				encodes(t, m)
			}
		}
	}
	if len(formats) != len(Names()) {
		t.Errorf("formats with a seed: %v", formats)
	}
}

// TestMutations walks files with single changes and all their prefixes.
func TestMutations(t *testing.T) {
	codecs() // compiled before the memory is measured
	n, messages := 0, 0
	for i, s := range seeds(t) {
		f, ok := Lookup(s.format)
		if !ok {
			t.Fatal(s.format)
		}
		r := rand.New(rand.NewPCG(uint64(i), 1))
		limit := 300
		if testing.Short() {
			limit = 30
		}
		checkWalk(t, f, s.data)
		for range min(limit, 4*len(s.data)) {
			data := bytes.Clone(s.data)
			at := r.IntN(len(data))
			switch r.IntN(4) {
			case 0:
				data = data[:at]
			case 1:
				data[at] = []byte{0, 1, 0x7f, 0x80, 0xff}[r.IntN(5)]
			case 2:
				data[at] ^= 1 << r.IntN(8)
			case 3:
				data = slices.Insert(data, at, data[r.IntN(at+1):at]...)
			}
			messages += checkWalk(t, f, data)
			n++
			if t.Failed() {
				return
			}
		}
	}
	t.Logf("%d files, %d messages", n, messages)
}

// TestClaims has messages that claim to be much longer than they are.
func TestClaims(t *testing.T) {
	codecs()
	for _, s := range []seed{
		{"http2", []byte("\xff\xff\xff\x00\x00\x00\x00\x00\x01abc")},
		{"mqtt", []byte("\x30\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01abc")},
		{"png", []byte("\x89PNG\r\n\x1a\n\x7f\xff\xff\xffIDATabc")},
		{"apns", []byte("\x02\xff\xff\xff\xff\x01\xff\xffabc")},
		{"tls", []byte("\x16\x03\x01\x40\x00\x01\xff\xff\xffabc")},
		{"dns", []byte("\xff\xff\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00\x00")},
		{"tzif", append(append([]byte("TZif2"), make([]byte, 15)...), bytes.Repeat([]byte{0xff}, 30)...)},
		{"pcapng", []byte("\x0a\x0d\x0d\x0a\xff\xff\xff\xfc\x1a\x2b\x3c\x4d\x00\x01\x00\x00")},
		{"elf", append([]byte("\x7fELF\x01\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00"), bytes.Repeat([]byte{0xff}, 40)...)},
		{"zip", []byte("PK\x05\x06\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00")},
	} {
		f, _ := Lookup(s.format)
		checkWalk(t, f, s.data)
		if list, err := messages(f, s.data); err == nil {
			t.Errorf("%s: %+v", s.format, list)
		}
	}
}
