package msgpack_test

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// TestIntegerMessages encodes and decodes single integers of each type around the
// bounds of all formats, with and without room in the buffer.
func TestIntegerMessages(t *testing.T) {
	integerMessages[int](t)
	integerMessages[int8](t)
	integerMessages[int16](t)
	integerMessages[int32](t)
	integerMessages[int64](t)
	integerMessages[uint](t)
	integerMessages[uint8](t)
	integerMessages[uint16](t)
	integerMessages[uint32](t)
	integerMessages[uint64](t)
	type named uint16
	integerMessages[named](t)
}

func integerMessages[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64](t *testing.T) {
	t.Helper()
	typed, err := msgpack.For[T](nil)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := msgpack.UnmarshalPrefix([]byte("\xa1ab"), new(T)); !errors.Is(err, msgpack.ErrMismatch) {
		t.Fatalf("UnmarshalPrefix of a str into %T: %d, %v", *new(T), n, err)
	}
	for _, near := range []uint64{0, 1 << 5, 1 << 7, 1 << 8, 1 << 15, 1 << 16, 1 << 31, 1 << 32, 1 << 63, math.MaxUint64 - 31, math.MaxUint64 - 1<<7, math.MaxUint64 - 1<<15, math.MaxUint64 - 1<<31} {
		for d := range uint64(5) {
			v := T(near + d - 2)
			want := wire.AppendInt(nil, int64(v))
			if v > 0 {
				want = wire.AppendUint(nil, uint64(v))
			}
			check := func(how string, got []byte, err error) {
				if err != nil || !bytes.Equal(got, want) {
					t.Fatalf("%s of %T %d: % x, %v, want % x", how, v, v, got, err, want)
				}
			}
			got, err := msgpack.Marshal(v)
			check("Marshal", got, err)
			got, err = msgpack.Marshal(&v)
			check("Marshal of a pointer", got, err)
			for room := range 20 {
				buf := bytes.Repeat([]byte{0xc1}, 32)
				got, err := msgpack.MarshalAppend(buf[1:1:1+room], v)
				check("MarshalAppend", got, err)
				if got, err = typed.Append(buf[1:1:1+room], &v); err != nil {
					t.Fatal(err)
				}
				check("Typed.Append", got, err)
				if buf[0] != 0xc1 || !bytes.Equal(buf[1+room:], bytes.Repeat([]byte{0xc1}, 31-room)) {
					t.Fatalf("%T %d with room for %d bytes: wrote outside of the room: % x", v, v, room, buf)
				}
			}
			for _, data := range [][]byte{want, append(bytes.Clone(want), 0xc1)[:len(want)]} {
				back := T(99)
				if err := msgpack.Unmarshal(data, &back); err != nil || back != v {
					t.Fatalf("Unmarshal of % x into %T: %d, %v", data, v, back, err)
				}
				back = 99
				if err := typed.Unmarshal(data, &back); err != nil || back != v {
					t.Fatalf("Typed.Unmarshal of % x into %T: %d, %v", data, v, back, err)
				}
			}
			longer, back := append(bytes.Clone(want), 5), T(99)
			if n, err := msgpack.UnmarshalPrefix(longer, &back); err != nil || n != len(want) || back != v {
				t.Fatalf("UnmarshalPrefix of % x into %T: %d, %d, %v", longer, v, back, n, err)
			}
			if err := msgpack.Unmarshal(longer, new(T)); !errors.Is(err, msgpack.ErrTrailing) {
				t.Fatalf("Unmarshal of % x into %T: %v", longer, v, err)
			}
			for n := range len(want) {
				if err := typed.Unmarshal(want[:n:n], new(T)); err == nil {
					t.Fatalf("Typed.Unmarshal of % x: no error", want[:n])
				}
			}
			if err := typed.Unmarshal(append(bytes.Clone(want), 0), new(T)); err == nil {
				t.Fatalf("Typed.Unmarshal of % x and a byte: no error", want)
			}
		}
	}
}
