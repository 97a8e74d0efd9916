package cases

import (
	"testing"

	"github.com/octet-go/octet/bench/shape"
)

// TestByHandAcceptsAnyOrder checks that the hand-written code reads every message that a program may write. Otherwise
// the limit would do less work than the libraries.
func TestByHandAcceptsAnyOrder(t *testing.T) {
	want := events(1)[0]
	pairs := []pair{
		{putString(nil, "value"), putFloat(nil, want.Value)},
		{putString(nil, "unknown"), []byte("\x92\x01\xa1x")},
		{putString(nil, "final"), putBool(nil, want.Final)},
		{putString(nil, "count"), putInt(nil, int64(want.Count))},
		{putString(nil, "time"), putTime(nil, want.Time)},
		{putString(nil, "source"), append([]byte{0xd9, 10}, want.Source...)},
		{putString(nil, "name"), append([]byte{0xda, 0, 16}, want.Name...)},
	}
	message := []byte{0xde, 0, byte(len(pairs))}
	for _, p := range pairs {
		message = append(append(message, p.key...), p.value...)
	}
	var got shape.Event
	if err := decodeEvent(message, &got); err != nil || !equal(got, want, false) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for n := range message {
		if err := decodeEvent(message[:n], &got); err == nil {
			t.Errorf("decoding the first %d of %d bytes returned no error", n, len(message))
		}
	}
	if err := decodeEvent(append(message, 0), &got); err == nil {
		t.Error("decoding a value with a trailing byte returned no error")
	}
	for _, wrong := range []string{"\xc1", "\x81\xa4name\x01", "\x81\xa4time\xd7\x01________", "\x81\xa5count\xcf\xff_______", "\x81\xa5final\x01", "\x81\xa5value\xa0"} {
		if err := decodeEvent([]byte(wrong), &got); err == nil {
			t.Errorf("decoding %q returned no error", wrong)
		}
	}
}

func TestByHandIntegers(t *testing.T) {
	for _, v := range append(int64s(1000), 0, 127, 128, -32, -33, -128, -129, 255, 256, 65535, 65536, 1<<32-1, 1<<32, -1<<15, -1<<15-1, -1<<31, -1<<31-1, -1<<63, 1<<63-1) {
		b := putInt(nil, v)
		if got, n, err := getInt(b, 0); got != v || n != len(b) || err != nil {
			t.Errorf("%d decoded as %d, %v", v, got, err)
		}
		for n := range b {
			if _, _, err := getInt(b[:n], 0); err == nil {
				t.Errorf("decoding %x returned no error", b[:n])
			}
		}
	}
}
