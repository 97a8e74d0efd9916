package layout_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/octet-go/octet/layout"
)

// sampleCalls runs f and returns how often the functions of sample were called.
func sampleCalls(f func() error) (appends, decodes int, err error) {
	sampleAppends, sampleDecodes = 0, 0
	err = f()
	return sampleAppends, sampleDecodes, err
}

// TestGeneratedIsUsed checks that all calls for whole messages in memory use generated code, and that Options that
// change the form, a limit and aliasing do not.
func TestGeneratedIsUsed(t *testing.T) {
	codec := func(o layout.Options) *layout.Codec {
		c, err := layout.New(o)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	typed, err := layout.For[sample](nil)
	if err != nil {
		t.Fatal(err)
	}
	v, data := sample{7}, []byte{0, 7}
	encoded := func(b []byte, err error) error {
		if err == nil && !bytes.Equal(b, data) {
			t.Errorf("got % x", b)
		}
		return err
	}
	for name, test := range map[string]struct {
		call             func() error
		appends, decodes int
	}{
		"Marshal":         {func() error { return encoded(layout.Marshal(v)) }, 1, 0},
		"MarshalAppend":   {func() error { return encoded(layout.MarshalAppend(nil, &v)) }, 1, 0},
		"Typed.Append":    {func() error { return encoded(typed.Append(nil, &v)) }, 1, 0},
		"Write":           {func() error { return layout.Write(new(bytes.Buffer), &v) }, 1, 0},
		"Unmarshal":       {func() error { return layout.Unmarshal(data, &v) }, 0, 1},
		"UnmarshalPrefix": {func() error { _, err := layout.UnmarshalPrefix(data, &v); return err }, 0, 1},
		"Typed.Unmarshal": {func() error { return typed.Unmarshal(data, &v) }, 0, 1},
		"At":              {func() error { _, err := layout.At([]byte{9, 0, 7}, 1, &v); return err }, 0, 1},
		"Read":            {func() error { return layout.Read(bytes.NewReader(data), &v) }, 0, 0},
		"big-endian":      {func() error { return encoded(codec(layout.Options{Order: binary.BigEndian}).Marshal(v)) }, 1, 0},
		"unions":          {func() error { return encoded(codec(layout.Options{Sums: map[string]layout.Sum{}}).Marshal(v)) }, 1, 0},
		"another order":   {func() error { return encoded(codec(layout.Options{Order: binary.LittleEndian}).Marshal(v)) }, 0, 0},
		"MaxMessage":      {func() error { return encoded(codec(layout.Options{MaxMessage: 5}).Marshal(v)) }, 0, 0},
		"AliasInput":      {func() error { return codec(layout.Options{AliasInput: true}).Unmarshal(data, &v) }, 0, 0},
	} {
		if appends, decodes, err := sampleCalls(test.call); appends != test.appends || decodes != test.decodes || err != nil || v.Value != 7 {
			t.Errorf("%s: %d and %d calls, %v, value %d", name, appends, decodes, err, v.Value)
		}
	}
}

// TestGeneratedLeaves checks that the plan encodes and decodes what generated code leaves, with its errors.
func TestGeneratedLeaves(t *testing.T) {
	v := sample{300}
	if b, err := layout.MarshalAppend([]byte{9}, &v); err != nil || !bytes.Equal(b, []byte{9, 1, 44}) {
		t.Errorf("got % x, %v", b, err)
	}
	v.Value = 0
	if n, err := layout.UnmarshalPrefix([]byte{1, 44, 5}, &v); n != 2 || err != nil || v.Value != 300 {
		t.Errorf("got %d, %v, value %d", n, err, v.Value)
	}
	if err := layout.Unmarshal([]byte{1}, &v); !errors.Is(err, layout.ErrTruncated) {
		t.Errorf("got %v", err)
	}
}

// stale has functions that were written for other tags, embeds has those of another type, and byHand has a method of
// that name that is not generated.
type (
	stale  struct{ Value uint16 }
	embeds struct {
		sample
		More uint8
	}
	byHand struct{ Value uint8 }
)

func (*stale) OctetLayout() layout.Generated[stale] { return layout.Generated[stale]{Fingerprint: "1"} }

func (*byHand) OctetLayout() string { return "" }

// TestGeneratedIsNotUsed checks that other methods have no effect.
func TestGeneratedIsNotUsed(t *testing.T) {
	for _, v := range []any{stale{0x0102}, byHand{1}, embeds{sample{0x0102}, 3}, struct{ Field sample }{sample{0x0102}}} {
		appends, _, err := sampleCalls(func() error {
			b, err := layout.Marshal(v)
			if !bytes.HasPrefix([]byte{1, 2, 3}, b) {
				t.Errorf("%T: got % x", v, b)
			}
			return err
		})
		if appends != 0 || err != nil {
			t.Errorf("%T: %d calls, %v", v, appends, err)
		}
	}
}

// TestGeneratedIsTriedLess checks that generated code is tried for few messages only while most of them are left.
func TestGeneratedIsTriedLess(t *testing.T) {
	wrong := func(n int) (tried int) {
		_, tried, _ = sampleCalls(func() error {
			for range n {
				_ = layout.Unmarshal([]byte{1}, new(sample))
			}
			return nil
		})
		return tried
	}
	wrong(1000)
	if tried := wrong(1600); tried < 15 || tried > 25 {
		t.Errorf("tried for %d of 1600 wrong messages, want about 20", tried)
	}
	for range 2000 {
		if err := layout.Unmarshal([]byte{0, 7}, new(sample)); err != nil {
			t.Fatal(err)
		}
	}
	if _, tried, err := sampleCalls(func() error { return layout.Unmarshal([]byte{0, 7}, new(sample)) }); tried != 1 || err != nil {
		t.Errorf("after correct messages: tried %d times, %v", tried, err)
	}
}

// TestChecksum checks that the bytes of a checksum count as zeros in its range.
func TestChecksum(t *testing.T) {
	for _, name := range []string{"crc32", "crc32c", "adler32", "inet", "sum8", "xor8"} {
		sum, data := layout.Checksum(name), []byte("0123456789")
		for at := range 9 {
			zeros := bytes.Clone(data)
			clear(zeros[at : at+2])
			if got, want := sum(data, at, 2), sum(zeros, -1, 2); got != want || got == sum(data, -1, 2) {
				t.Errorf("%s at %d: got %#x, want %#x", name, at, got, want)
			}
		}
		if string(data) != "0123456789" {
			t.Errorf("%s: the data has changed", name)
		}
	}
	if layout.Checksum("sum") != nil || layout.Checksum("") != nil {
		t.Error("a name that is no checksum: not nil")
	}
}
