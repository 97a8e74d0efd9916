package msgpack_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// cutShort holds readers whose input ends inside a value.
var cutShort = map[string]struct {
	data string
	read func(d *msgpack.Decoder) error
}{
	"Decode":        {"\x92\x01", func(d *msgpack.Decoder) error { return d.Decode(new(any)) }},
	"ReadString":    {"\xa5ab", func(d *msgpack.Decoder) error { _, err := d.ReadString(); return err }},
	"header":        {"\xdc\x01", func(d *msgpack.Decoder) error { _, err := d.ReadArrayHeader(); return err }},
	"Skip":          {"\xdc\x01\x00\x01", (*msgpack.Decoder).Skip},
	"in array":      {"\x92\x01", func(d *msgpack.Decoder) error { _, _ = d.ReadArrayHeader(); return errors.Join(d.Skip(), d.Skip()) }},
	"in array, cut": {"\x91\xcd\x01", func(d *msgpack.Decoder) error { _, _ = d.ReadArrayHeader(); _, err := d.ReadInt(); return err }},
	"payload": {"\xa5ab", func(d *msgpack.Decoder) error {
		_, r, err := d.ReadPayload()
		if err == nil {
			_, err = io.ReadAll(r)
		}
		return err
	}},
	"rest of payload": {"\xa5ab", func(d *msgpack.Decoder) error {
		_, _, err := d.ReadPayload()
		if err == nil {
			err = d.Skip()
		}
		return err
	}},
}

// TestDecoderTruncatedStays reads inputs that end inside a value. Loops that read
// until an error must terminate, and later calls must return the same error.
func TestDecoderTruncatedStays(t *testing.T) {
	for name, c := range cutShort {
		var input bytes.Buffer
		input.WriteString("\x07" + c.data)
		d := msgpack.NewDecoder(&input)
		checkInt(t, d, 7)
		for range 2 {
			if !d.More() {
				t.Errorf("%s: More is false before the error", name)
			}
		}
		err := c.read(d)
		if !errors.Is(err, msgpack.ErrTruncated) {
			t.Fatalf("%s: %v", name, err)
		}
		var want *msgpack.Error
		errors.As(err, &want)
		input.WriteString("\x01\x02\x03\x04\x05")
		for method, read := range tokenMethods {
			if _, again := read(d); again != error(want) || d.More() {
				t.Errorf("%s, then %s: %v, more %v; first %v", name, method, again, d.More(), err)
			}
		}
		if err := d.Decode(new(any)); err != error(want) {
			t.Errorf("%s, then Decode: %v", name, err)
		}
		if err := d.Skip(); err != error(want) {
			t.Errorf("%s, then Skip: %v", name, err)
		}
		for _, err := range msgpack.Values[any](d) {
			if err != error(want) {
				t.Errorf("%s, then Values: %v", name, err)
			}
		}
		d.Reset(bytes.NewReader([]byte{8}))
		checkInt(t, d, 8)
	}
}

// TestDecoderMoreLeavesErrors checks that an error that More encounters is returned
// by the next call.
func TestDecoderMoreLeavesErrors(t *testing.T) {
	for name, c := range map[string]struct {
		data   string
		before func(d *msgpack.Decoder) error
		want   error
	}{
		"in array":  {"\x92\x01", func(d *msgpack.Decoder) error { _, err := d.ReadArrayHeader(); return errors.Join(err, d.Skip()) }, msgpack.ErrTruncated},
		"payload":   {"\xa5ab", func(d *msgpack.Decoder) error { _, _, err := d.ReadPayload(); return err }, msgpack.ErrTruncated},
		"reserved":  {"\xc1", func(d *msgpack.Decoder) error { return nil }, msgpack.ErrReserved},
		"malformed": {"\x92\xcd", func(d *msgpack.Decoder) error { return nil }, msgpack.ErrTruncated},
	} {
		d := msgpack.NewDecoder(newDrip([]byte(c.data), 1))
		if err := c.before(d); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if !d.More() {
				t.Errorf("%s: More is false before the error was returned", name)
			}
		}
		if err := d.Decode(new(any)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if d.More() {
			t.Errorf("%s: More is true after the error was returned", name)
		}
	}
}

// TestDecoderTail reads a value of which the input has only a part, and reads it
// again after the input has grown.
func TestDecoderTail(t *testing.T) {
	for name, c := range cutShort {
		for _, late := range []bool{false, true} {
			var input bytes.Buffer
			input.WriteString(c.data)
			d := msgpack.NewDecoder(&input)
			d.Tail(!late)
			if err := c.read(d); !errors.Is(err, msgpack.ErrTruncated) {
				t.Fatalf("%s: %v", name, err)
			}
			d.Tail(true)
			if name != "in array" && !d.More() {
				t.Errorf("%s: More is false inside a value", name)
			}
			input.Write(make([]byte, 300))
			for d.InputOffset() < int64(len(c.data)) {
				if err := d.Skip(); err != nil {
					t.Fatalf("%s, late %v: %v", name, late, err)
				}
			}
			if err := d.Decode(new(int)); err != nil {
				t.Errorf("%s, late %v: then %v", name, late, err)
			}
		}
	}
	// Malformed input stays malformed. With Tail(false) the next truncation stays
	// too.
	d := msgpack.NewDecoder(bytes.NewReader([]byte{0xc1}))
	err := d.Skip()
	d.Tail(true)
	if again := d.Skip(); again != err || d.More() {
		t.Errorf("%v after %v", again, err)
	}
	d.Reset(bytes.NewReader([]byte{0xa1}))
	if err := d.Skip(); !errors.Is(err, msgpack.ErrTruncated) || !d.More() {
		t.Errorf("Reset has changed the setting: %v", err)
	}
	d.Tail(false)
	if err := d.Skip(); !errors.Is(err, msgpack.ErrTruncated) || d.More() {
		t.Errorf("Tail(false): %v", err)
	}
}

// TestDecoderTailGrows delivers values byte by byte and tries to decode after each
// byte.
func TestDecoderTailGrows(t *testing.T) {
	var input bytes.Buffer
	d := msgpack.NewDecoder(&input)
	d.Tail(true)
	var got []string
	message := []byte("\xa3one\xa3two\xd9\x05three\xa0\xa3end")
	for i := range message {
		input.WriteByte(message[i])
		var s string
		err := d.Decode(&s)
		switch {
		case err == nil:
			got = append(got, s)
		case !errors.Is(err, msgpack.ErrTruncated):
			t.Fatalf("at %d: %v", i, err)
		}
		if err := d.Decode(&s); err == nil || err != io.EOF && !errors.Is(err, msgpack.ErrTruncated) {
			t.Fatalf("at %d: %v", i, err)
		}
	}
	if want := []string{"one", "two", "three", "", "end"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPayloadErrors reads from the reader of a payload that was truncated or that
// the Decoder has skipped.
func TestPayloadErrors(t *testing.T) {
	var input bytes.Buffer
	input.WriteString("\xa5ab")
	d := msgpack.NewDecoder(&input)
	_, r, err := d.ReadPayload()
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.ReadAll(r)
	if !errors.Is(err, msgpack.ErrTruncated) {
		t.Fatal(err)
	}
	input.WriteString("cde")
	if n, again := r.Read(make([]byte, 5)); n != 0 || again != err {
		t.Errorf("%d, %v after %v", n, again, err)
	}
	d.Reset(bytes.NewReader([]byte("\xa5abcde\x01")))
	if _, r, err = d.ReadPayload(); err != nil {
		t.Fatal(err)
	}
	checkInt(t, d, 1)
	if n, err := r.Read(make([]byte, 5)); n != 0 || err == nil || err.Error() != "msgpack: payload read after the Decoder advanced" {
		t.Errorf("%d, %v", n, err)
	}
}
