package msgpack_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/vmihailenco/msgpack/v5"
)

// A direct reads a str, and what follows from the reader of the Decoder.
type direct struct {
	text  string
	raw   [2]byte
	reset io.Reader // what the Decoder reads afterwards, unless nil
	fail  bool
	from  io.Reader
}

func (d *direct) DecodeMsgpack(dec *msgpack.Decoder) (err error) {
	if d.text, err = dec.DecodeString(); err != nil {
		return err
	}
	if d.fail {
		panic("method")
	}
	d.from = dec.Buffered()
	if _, err := io.ReadFull(d.from, d.raw[:]); err != nil {
		return err
	}
	if d.reset != nil {
		dec.ResetReader(d.reset)
	}
	return nil
}

// TestReaderInMethods checks methods that use the reader of the Decoder itself.
func TestReaderInMethods(t *testing.T) {
	const message = "\xa2ab\x01\x02\xa3end"
	for name, open := range map[string]func() io.Reader{
		"Reader": func() io.Reader { return bytes.NewReader([]byte(message)) },
		"Buffer": func() io.Reader { return bytes.NewBufferString(message) },
		"text":   func() io.Reader { return strings.NewReader(message) },
		"other":  func() io.Reader { return io.MultiReader(strings.NewReader(message)) },
	} {
		var v direct
		r := open()
		d := msgpack.NewDecoder(r)
		if err := d.Decode(&v); err != nil || v.text != "ab" || v.raw != [2]byte{1, 2} {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
		if _, scans := r.(io.ByteScanner); scans && v.from != r {
			t.Errorf("%s: the reader is a %T", name, v.from)
		}
		if s, err := d.DecodeString(); s != "end" || err != nil {
			t.Errorf("%s: then %q, %v", name, s, err)
		}

		v = direct{reset: strings.NewReader("\xa5other")}
		d = msgpack.NewDecoder(open())
		if err := d.Decode(&v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if s, err := d.DecodeString(); s != "other" || err != nil {
			t.Errorf("%s: after ResetReader %q, %v", name, s, err)
		}

		v = direct{fail: true}
		d = msgpack.NewDecoder(open())
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: the panic of the method is lost", name)
				}
			}()
			_ = d.Decode(&v)
		}()
		if n, err := d.DecodeInt(); n != 1 || err != nil {
			t.Errorf("%s: after a panic %d, %v", name, n, err)
		}
	}
}

// TestReaderKeepsError checks that an error of a reader is returned once it is met.
func TestReaderKeepsError(t *testing.T) {
	fault := errors.New("fault")
	for cut := range 3 {
		d := msgpack.NewDecoder(&onceFaulty{data: []byte("\x93\x01\x02\x03"[:cut]), err: fault})
		var v []int8
		if err := d.Decode(&v); err != fault {
			t.Errorf("%d bytes: %v, %v", cut, v, err)
		}
	}
}

// A onceFaulty returns data, an error, and then io.EOF.
type onceFaulty struct {
	data []byte
	err  error
}

func (f *onceFaulty) Read(b []byte) (int, error) {
	if n := copy(b, f.data); n > 0 {
		f.data = f.data[n:]
		return n, nil
	}
	err := f.err
	f.err = io.EOF
	return 0, err
}

// TestRawOfAnyDepth reads values that are nested deeper than others may be.
func TestRawOfAnyDepth(t *testing.T) {
	message := "\x81\xa1R" + strings.Repeat("\x92\xcd\x01\x00", 30_000) + "\xc0"
	var own struct{ R msgpack.RawMessage }
	if err := msgpack.Unmarshal([]byte(message), &own); err != nil || string(own.R) != message[3:] {
		t.Errorf("Unmarshal: %d of %d bytes, %v", len(own.R), len(message)-3, err)
	}
	for name, r := range map[string]io.Reader{
		"Reader": bytes.NewReader([]byte(message)), "Buffer": bytes.NewBufferString(message), "text": strings.NewReader(message),
		"other": io.MultiReader(strings.NewReader(message)),
	} {
		own.R = nil
		if err := msgpack.NewDecoder(r).Decode(&own); err != nil || string(own.R) != message[3:] {
			t.Errorf("%s: %d of %d bytes, %v", name, len(own.R), len(message)-3, err)
		}
	}
}

// A late keeps the reader of its Decoder for after the call.
type late struct{ from io.Reader }

func (l *late) DecodeMsgpack(d *msgpack.Decoder) error {
	l.from = d.Buffered()
	return nil
}

// TestReaderAfterUnmarshal checks that a reader that a method keeps does not read other messages.
func TestReaderAfterUnmarshal(t *testing.T) {
	var kept []late
	for _, message := range []string{"one", "two", "three"} {
		var l late
		if err := msgpack.Unmarshal([]byte(message), &l); err != nil {
			t.Fatal(err)
		}
		kept = append(kept, l)
	}
	for i, want := range []string{"one", "two", "three"} {
		if got, err := io.ReadAll(kept[i].from); string(got) != want || err != nil {
			t.Errorf("%q, %v, want %q", got, err, want)
		}
	}
}

// A byCopy reads a str with a copy of the Decoder, which has other options, and its last byte from the reader.
type byCopy struct {
	V    any
	last [1]byte
}

func (c *byCopy) DecodeMsgpack(d *msgpack.Decoder) (err error) {
	own := *d
	own.UseLooseInterfaceDecoding(true)
	if err := own.Decode(&c.V); err != nil {
		return err
	}
	_, err = io.ReadFull(own.Buffered(), c.last[:])
	return err
}

// TestCopiedDecoder checks that a copy of a Decoder reads from the same place.
func TestCopiedDecoder(t *testing.T) {
	const message = "\x91\x92\x05\x06\x07\xa3end"
	for name, r := range map[string]io.Reader{
		"Reader": bytes.NewReader([]byte(message)), "Buffer": bytes.NewBufferString(message), "text": strings.NewReader(message),
		"other": io.MultiReader(strings.NewReader(message)),
	} {
		var v []byCopy
		d := msgpack.NewDecoder(r)
		if err := d.Decode(&v); err != nil || len(v) != 1 || !reflect.DeepEqual(v[0].V, []any{int64(5), int64(6)}) || v[0].last[0] != 7 {
			t.Errorf("%s: %v, %v", name, v, err)
		}
		if s, err := d.DecodeString(); s != "end" || err != nil {
			t.Errorf("%s: then %q, %v", name, s, err)
		}
	}
}
