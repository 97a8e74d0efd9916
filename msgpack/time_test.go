package msgpack_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// TestTimesInStructs encodes and decodes the earliest and the latest time of each
// timestamp format.
func TestTimesInStructs(t *testing.T) {
	type record struct {
		At time.Time
		N  int
	}
	now := time.Now() // with a monotonic clock
	here := time.Date(2026, time.March, 1, 12, 0, 0, 0, time.FixedZone("", -3600))
	for _, c := range []struct {
		name string
		at   time.Time
		want string // what precedes the number
	}{
		{"1970", time.Unix(0, 0), "d6 ff 00000000"},
		{"last of 32 bits", time.Unix(math.MaxUint32, 0), "d6 ff ffffffff"},
		{"first beyond 32 bits", time.Unix(math.MaxUint32+1, 0), "d7 ff 0000000100000000"},
		{"a nanosecond", time.Unix(1, 1), "d7 ff 0000000400000001"},
		{"last of 64 bits", time.Unix(1<<34-1, 999_999_999), "d7 ff ee6b27ffffffffff"},
		{"first beyond 64 bits", time.Unix(1<<34, 0), "c7 0c ff 00000000 0000000400000000"},
		{"before 1970", time.Unix(-1, 999_999_999), "c7 0c ff 3b9ac9ff ffffffffffffffff"},
		{"zero", time.Time{}, "c7 0c ff 00000000 fffffff1886e0900"},
		{"now", now, fmt.Sprintf("d7 ff %016x", uint64(now.Nanosecond())<<34|uint64(now.Unix()))},
		{"another zone", here, fmt.Sprintf("d6 ff %08x", here.Unix())},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := record{c.at, 7}
			want := fromHex(t, "82 a2 4174 "+c.want+" a1 4e 07")
			for name, marshal := range map[string]func() ([]byte, error){
				"Marshal":       func() ([]byte, error) { return msgpack.Marshal(&v) },
				"MarshalAppend": func() ([]byte, error) { return msgpack.MarshalAppend(make([]byte, 0, 100), &v) },
				"without room":  func() ([]byte, error) { return msgpack.MarshalAppend(nil, &v) },
			} {
				got, err := marshal()
				if err != nil || string(got) != string(want) {
					t.Errorf("%s: % x, %v, want % x", name, got, err, want)
				}
			}
			var back record
			if err := msgpack.Unmarshal(want, &back); err != nil || !back.At.Equal(c.at) || back.At.Location() != time.UTC || back.N != 7 {
				t.Errorf("%v, %v", back, err)
			}
		})
	}
}

// TestTimeWithTooManyNanoseconds encodes a time that [time.Time.UnmarshalBinary]
// accepts but that no timestamp can hold.
func TestTimeWithTooManyNanoseconds(t *testing.T) {
	var forged time.Time
	if err := forged.UnmarshalBinary([]byte("\x01\x00\x00\x00\x0e\x00\x00\x00\x00\x3f\xff\xff\xff\xff\xff")); err != nil {
		t.Fatal(err)
	}
	type record struct{ At time.Time }
	for name, marshal := range map[string]func() ([]byte, error){
		"alone":           func() ([]byte, error) { return msgpack.Marshal(forged) },
		"in a struct":     func() ([]byte, error) { return msgpack.Marshal(&record{forged}) },
		"with room":       func() ([]byte, error) { return msgpack.MarshalAppend(make([]byte, 0, 100), &record{forged}) },
		"in an interface": func() ([]byte, error) { return msgpack.Marshal([]any{forged}) },
		"as a token": func() ([]byte, error) {
			return nil, msgpack.NewEncoder(new(strings.Builder)).WriteTime(forged)
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := marshal()
			checkError(t, err, msgpack.ErrRange)
		})
	}
}

// TestTimesInSlices decodes slices of times and pointers to times in every format, and an
// invalid one after valid ones.
func TestTimesInSlices(t *testing.T) {
	const data = "\x95\xd6\xff\x00\x00\x00\x01" + "\xd7\xff\x00\x00\x00\x08\x00\x00\x00\x03" +
		"\xc7\x0c\xff\x00\x00\x00\x04\xff\xff\xff\xff\xff\xff\xff\xff" + "\xc0" + "\xd6\xff\x00\x00\x00\x05"
	want := []time.Time{time.Unix(1, 0).UTC(), time.Unix(3, 2).UTC(), time.Unix(-1, 4).UTC(), {}, time.Unix(5, 0).UTC()}
	for name, got := range map[string][]time.Time{"new": nil, "used": make([]time.Time, 5, 9)} {
		if err := msgpack.Unmarshal([]byte(data), &got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %v, %v", name, got, err)
		}
		var pointers []*time.Time
		if err := msgpack.Unmarshal([]byte(data), &pointers); err != nil {
			t.Fatal(err)
		}
		for i, p := range pointers {
			if i == 3 && p != nil || i != 3 && *p != want[i] {
				t.Errorf("pointer %d: got %v, want %v", i, p, want[i])
			}
		}
		broken := strings.Replace(data, "\xd7\xff\x00\x00\x00\x08", "\xd7\xff\xff\xff\xff\xf8", 1)
		err := msgpack.Unmarshal([]byte(broken), &got)
		checkError(t, err, msgpack.ErrTimestamp)
		if e := new(msgpack.Error); !errors.As(err, &e) || e.Path != "[1]" || e.Offset != 7 {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestLocalZone requires that a Codec with the local zone follows time.Local, as time.Unix does.
func TestLocalZone(t *testing.T) {
	codec := newCodec(t, msgpack.Options{Zone: time.Local})
	system := time.Local
	defer func() { time.Local = system }()
	time.Local = time.FixedZone("set later", 3600)
	var fields struct{ T time.Time }
	var list []any
	if err := errors.Join(codec.Unmarshal([]byte("\x81\xa1T\xd6\xff\x00\x00\x00\x01"), &fields), codec.Unmarshal([]byte("\x91\xd6\xff\x00\x00\x00\x01"), &list)); err != nil {
		t.Fatal(err)
	}
	if want := time.Unix(1, 0); fields.T != want || list[0] != want {
		t.Errorf("decoded %v and %v, want %v", fields.T, list[0], want)
	}
}
