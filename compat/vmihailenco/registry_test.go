package msgpack

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

// restore drops what the test registers.
func restore(t *testing.T) {
	old := current.Load()
	t.Cleanup(func() { current.Store(old) })
}

// TestRegisteredTimes checks that functions for time.Time are called wherever the library calls
// them, and that their values are written with one call of Write, if at all.
func TestRegisteredTimes(t *testing.T) {
	encode := func(*Encoder, reflect.Value) ([]byte, error) { return []byte("own"), nil }
	decode := func(d *Decoder, v reflect.Value, n int) error {
		v.Set(reflect.ValueOf(time.Unix(7, 0)))
		return d.ReadFull(make([]byte, n))
	}
	for name, test := range map[string]struct {
		register func()
		want     string // a time
	}{
		"Register": {func() {
			Register(time.Time{}, func(e *Encoder, v reflect.Value) error {
				return errors.Join(e.EncodeArrayLen(1), e.EncodeString("own"))
			}, func(d *Decoder, v reflect.Value) error {
				v.Set(reflect.ValueOf(time.Unix(7, 0)))
				return d.Skip()
			})
		}, "\x91\xa3own"},
		"timestamp": {func() {
			RegisterExtEncoder(timestamp, time.Time{}, encode)
			RegisterExtDecoder(timestamp, time.Time{}, decode)
		}, "\xc7\x03\xffown"},
		"ext": {func() {
			RegisterExtEncoder(5, time.Time{}, encode)
			RegisterExtDecoder(5, time.Time{}, decode)
		}, "\xc7\x03\x05own"},
		"unregistered": {func() { UnregisterExt(timestamp) }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			restore(t)
			test.register()
			type record struct{ T time.Time }
			v, got := record{time.Unix(1, 0)}, record{}
			b, err := Marshal(v)
			if err != nil || !strings.HasPrefix(string(b), "\x81\xa1T"+test.want) {
				t.Errorf("a struct: % x, %v", b, err)
			}
			if err := Unmarshal(b, &got); err != nil || test.want != "" && !got.T.Equal(time.Unix(7, 0)) {
				t.Errorf("a struct is decoded as %v, %v", got, err)
			}
			var w writes
			if err := NewEncoder(&w).EncodeValue(reflect.ValueOf(v.T)); err != nil || len(w) != 1 || !bytes.HasSuffix(b, w[0]) {
				t.Errorf("written: % x, %v", w, err)
			}
		})
	}
}

// writes are what the calls of Write got.
type writes [][]byte

func (w *writes) Write(b []byte) (int, error) {
	*w = append(*w, bytes.Clone(b))
	return len(b), nil
}

// A level is a number that is written as nested arrays, by its methods.
type level int

func (l level) EncodeMsgpack(e *Encoder) error {
	if l == 0 {
		return e.EncodeNil()
	}
	return errors.Join(e.EncodeArrayLen(1), e.Encode(l-1))
}

func (l *level) DecodeMsgpack(d *Decoder) error {
	var inner level
	n, err := d.DecodeArrayLen()
	if err != nil || n < 0 {
		return err
	}
	err = d.Decode(&inner)
	*l = inner + 1
	return err
}

// A plainLevel is the same by registered functions.
type plainLevel int

// TestDepthOfMethods nests values of scalar types by their methods and registered functions.
func TestDepthOfMethods(t *testing.T) {
	restore(t)
	Register(plainLevel(0), func(e *Encoder, v reflect.Value) error {
		if v.Int() == 0 {
			return e.EncodeNil()
		}
		return errors.Join(e.EncodeArrayLen(1), e.Encode(plainLevel(v.Int()-1)))
	}, func(d *Decoder, v reflect.Value) error {
		var inner plainLevel
		n, err := d.DecodeArrayLen()
		if err != nil || n < 0 {
			return err
		}
		err = d.Decode(&inner)
		v.SetInt(int64(inner) + 1)
		return err
	})
	const deep = 2 * maxDepth
	message := strings.Repeat("\x91", deep) + "\xc0"
	for _, v := range []any{level(deep), plainLevel(deep)} {
		if b, err := Marshal(v); !errors.Is(err, errDepth) {
			t.Errorf("%T: encoded in %d bytes, %v", v, len(b), err)
		}
		into := reflect.New(reflect.TypeOf(v)).Interface()
		if err := Unmarshal([]byte(message), into); err != errDepth {
			t.Errorf("%T: decoded, %v", v, err)
		}
		if err := NewDecoder(strings.NewReader(message)).Decode(into); err != errDepth {
			t.Errorf("%T: decoded from a reader, %v", v, err)
		}
	}
}

// An interning turns interning on, for what follows it.
type interning struct{}

func (interning) EncodeMsgpack(e *Encoder) error {
	e.UseInternedStrings(true)
	return e.EncodeBool(true)
}

func (*interning) DecodeMsgpack(d *Decoder) error {
	d.UseInternedStrings(true)
	_, err := d.DecodeBool()
	return err
}

// TestInternedKeys interns the keys behind a field that changes the dictionary, as the library does.
func TestInternedKeys(t *testing.T) {
	type record struct {
		Name string `msgpack:",intern"`
		Kind string
	}
	if b, err := Marshal(record{"Kind", "x"}); err != nil || string(b) != "\x82\xa4Name\xa4Kind\xd4\x80\x00\xa1x" {
		t.Errorf("% x, %v", b, err)
	}
	type options struct {
		On    interning
		First string
		Other map[string]string
	}
	v := options{First: "text", Other: map[string]string{"First": "text"}}
	b, err := Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var got options
	if err := Unmarshal(b, &got); err != nil || !reflect.DeepEqual(got, v) {
		t.Errorf("% x: %+v, %v", b, got, err)
	}
}
