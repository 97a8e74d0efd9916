package profile_test

import (
	"encoding/hex"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/profile"
)

type failure struct{ Err error }

// TestBytes has the bytes of the types that the profiles register. The module bench
// compares the profiles with the libraries.
func TestBytes(t *testing.T) {
	at := time.Unix(1, 0).UTC()
	long := time.Unix(-1, 5).UTC()
	for _, c := range []struct {
		name   string
		config msgpack.Options
		value  any
		want   string
	}{
		{"vmihailenco error", profile.Vmihailenco(), failure{errors.New("no")}, "81 a3 457272 a2 6e6f"},
		{"vmihailenco nil error", profile.Vmihailenco(), failure{}, "81 a3 457272 c0"},
		{"vmihailenco v4 error", profile.VmihailencoV4(), failure{errors.New("no")}, "81 a3 457272 a2 6e6f"},
		{"shamaton complex64", profile.Shamaton(), complex64(complex(1, 2)), "d7 80 3f800000 40000000"},
		{"shamaton complex128", profile.Shamaton(), complex(1, 2), "d8 80 3ff0000000000000 4000000000000000"},
		{"msgp complex64", profile.Msgp(), complex64(complex(1, 2)), "d7 03 3f800000 40000000"},
		{"msgp complex128", profile.Msgp(), complex(1, 2), "d8 04 3ff0000000000000 4000000000000000"},
		{"msgp time", profile.Msgp(), at, "c7 0c 05 0000000000000001 00000000"},
		{"ugorji time", profile.Ugorji(), at, "a4 00000001"},
		{"ugorji time with nanoseconds", profile.Ugorji(), at.Add(1), "a8 0000000400000001"},
		{"ugorji early time", profile.Ugorji(), long, "ac 00000005 ffffffffffffffff"},
		{"ugorji zero time", profile.Ugorji(), time.Time{}, "c0"},
		{"ugorji ext early time", profile.UgorjiExt(), long, "c7 0c ff 00000005 ffffffffffffffff"},
		{"ugorji ext zero time", profile.UgorjiExt(), time.Time{}, "c0"},
		{"hashicorp time", profile.Hashicorp(), at, "a4 00000001"},
	} {
		t.Run(c.name, func(t *testing.T) {
			codec, err := msgpack.New(c.config)
			if err != nil {
				t.Fatal(err)
			}
			want, err := hex.DecodeString(strings.ReplaceAll(c.want, " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			got, err := codec.Marshal(c.value)
			if err != nil || string(got) != string(want) {
				t.Errorf("got % x, %v, want % x", got, err, want)
			}
			back := reflect.New(reflect.TypeOf(c.value))
			if err := codec.Unmarshal(want, back.Interface()); err != nil {
				t.Fatal(err)
			}
			if at, ok := c.value.(time.Time); ok && at.Equal(back.Elem().Interface().(time.Time)) {
				return
			}
			if !reflect.DeepEqual(back.Elem().Interface(), c.value) {
				t.Errorf("got %v, want %v", back.Elem(), c.value)
			}
		})
	}
}

// TestReads decodes forms that the libraries accept besides those that they write.
func TestReads(t *testing.T) {
	local := time.Local
	time.Local = time.FixedZone("local", 3600) // different from UTC
	defer func() { time.Local = local }()
	at := time.Unix(1, 0)
	for _, c := range []struct {
		name   string
		config msgpack.Options
		data   string
		want   any // of the type of the variable
	}{
		{"msgp timestamp", profile.Msgp(), "\xd6\xff\x00\x00\x00\x01", at},
		{"msgp nil for a time", profile.Msgp(), "\xc0", time.Time{}},
		{"msgp nil for a complex", profile.Msgp(), "\xc0", complex128(0)},
		{"msgp ext 5", profile.Msgp(), "\xc7\x0c\x05\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00", at},
		{"ugorji timestamp", profile.Ugorji(), "\xd6\xff\x00\x00\x00\x01", at.UTC()},
		{"ugorji time in a bin", profile.UgorjiExt(), "\xc4\x04\x00\x00\x00\x01", at.UTC()},
		{"hashicorp trailing bytes", profile.Hashicorp(), "\x01\x02", 1},
		{"vmihailenco v4 trailing bytes", profile.VmihailencoV4(), "\x01\x02", 1},
		{"vmihailenco v4 local time", profile.VmihailencoV4(), "\xd6\xff\x00\x00\x00\x01", at.Local()},
		{"shamaton v2 local time", profile.ShamatonV2(), "\xd6\xff\x00\x00\x00\x01", at},
		{"shamaton v3 UTC", profile.Shamaton(), "\xd6\xff\x00\x00\x00\x01", at.UTC()},
		{"shamaton nil for a complex64", profile.Shamaton(), "\xc0", complex64(0)},
	} {
		codec, err := msgpack.New(c.config)
		if err != nil {
			t.Fatal(err)
		}
		got := reflect.New(reflect.TypeOf(c.want))
		if err := codec.Unmarshal([]byte(c.data), got.Interface()); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if at, ok := c.want.(time.Time); ok {
			if back := got.Elem().Interface().(time.Time); !at.Equal(back) || !at.IsZero() && at.Location() != back.Location() {
				t.Errorf("%s: got %v", c.name, got.Elem())
			}
		} else if got.Elem().Interface() != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got.Elem(), c.want)
		}
	}
	// In a variable of type any.
	for _, c := range []struct {
		config msgpack.Options
		data   string
		want   any
	}{
		{profile.VmihailencoV4(), "\x05", int8(5)},
		{profile.Shamaton(), "\xcc\xc8", uint8(200)},
		{profile.Shamaton(), "\xd7\x80\x3f\x80\x00\x00\x40\x00\x00\x00", complex(1, 2)},
		{profile.Msgp(), "\xd7\x03\x3f\x80\x00\x00\x40\x00\x00\x00", complex64(complex(1, 2))},
		{profile.UgorjiExt(), "\x81\xc4\x01a\x01", map[any]any{"a": int64(1)}},
	} {
		codec, err := msgpack.New(c.config)
		if err != nil {
			t.Fatal(err)
		}
		var got any
		if err := codec.Unmarshal([]byte(c.data), &got); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("% x: got %T %v, %v, want %v", c.data, got, got, err, c.want)
		}
	}
}

// TestRefuses decodes malformed values of the types that the profiles register.
func TestRefuses(t *testing.T) {
	var at time.Time
	var c64 complex64
	var c128 complex128
	var failed failure
	for name, c := range map[string]struct {
		config msgpack.Options
		data   string
		target any
	}{
		"msgp time of 11 bytes":               {profile.Msgp(), "\xc7\x0b\x05" + strings.Repeat("\x00", 11), &at},
		"msgp time of too many nanoseconds":   {profile.Msgp(), "\xc7\x0c\x05" + strings.Repeat("\x00", 8) + "\xff\xff\xff\xff", &at},
		"msgp time as int":                    {profile.Msgp(), "\x05", &at},
		"msgp time of another ext":            {profile.Msgp(), "\xd4\x09\x05", &at},
		"msgp complex64 of 4 bytes":           {profile.Msgp(), "\xd6\x03\x00\x00\x00\x00", &c64},
		"msgp complex128 of 8 bytes":          {profile.Msgp(), "\xd7\x04" + strings.Repeat("\x00", 8), &c128},
		"ugorji time of 5 bytes":              {profile.Ugorji(), "\xa5abcde", &at},
		"ugorji time of too many nanoseconds": {profile.Ugorji(), "\xa8\xff\xff\xff\xff\xff\xff\xff\xff", &at},
		"ugorji time as array":                {profile.Ugorji(), "\x90", &at},
		"shamaton complex64 of another ext":   {profile.Shamaton(), "\xd7\x81" + strings.Repeat("\x00", 8), &c64},
		"shamaton complex64 of 16 bytes":      {profile.Shamaton(), "\xd8\x80" + strings.Repeat("\x00", 16), &c64},
		"shamaton complex64 as int":           {profile.Shamaton(), "\x01", &c64},
		"shamaton complex128 of 4 bytes":      {profile.Shamaton(), "\xd6\x80" + strings.Repeat("\x00", 4), &c128},
		"vmihailenco error as int":            {profile.Vmihailenco(), "\x81\xa3Err\x05", &failed},
	} {
		codec, err := msgpack.New(c.config)
		if err != nil {
			t.Fatal(err)
		}
		if err := codec.Unmarshal([]byte(c.data), c.target); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	var invalid time.Time // with 1,000,000,000 nanoseconds
	b, err := at.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	copy(b[9:], "\x3b\x9a\xca\x00")
	if err := invalid.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	for _, c := range []msgpack.Options{profile.Msgp(), profile.Ugorji(), profile.UgorjiExt()} {
		codec, err := msgpack.New(c)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := codec.Marshal(invalid); err == nil {
			t.Errorf("invalid time: got % x", b)
		}
	}
}
