package msgpack_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

func mustURL(s string) url.URL {
	u, err := url.Parse(s)
	if err != nil {
		panic(err)
	}
	return *u
}

func mustInt(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 0)
	if !ok {
		panic(s)
	}
	return n
}

// uuids are types with text methods, with text and binary methods, or with neither.
type (
	textUUID   [16]byte
	binaryUUID [16]byte
	plainUUID  [16]byte
)

func (u textUUID) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%x", u[:]), nil }
func (u *textUUID) UnmarshalText(text []byte) error {
	var b []byte
	_, err := fmt.Sscanf(string(text), "%x", &b)
	copy(u[:], b)
	return err
}
func (u binaryUUID) MarshalText() ([]byte, error)     { return textUUID(u).MarshalText() }
func (u *binaryUUID) UnmarshalText(text []byte) error { return (*textUUID)(u).UnmarshalText(text) }
func (u binaryUUID) MarshalBinary() ([]byte, error)   { return u[:], nil }
func (u *binaryUUID) UnmarshalBinary(b []byte) error  { copy(u[:], b); return nil }

// standardValues holds values of the standard library, and of similar types that
// are common elsewhere, with their encoding.
var standardValues = []struct {
	name  string
	value any
	bytes string
}{
	{"net.IP of 4 bytes", net.IP{192, 0, 2, 1}, "\xc4\x04\xc0\x00\x02\x01"},
	{"net.IP of 16 bytes", net.IPv4(192, 0, 2, 1), "\xc4\x10\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xc0\x00\x02\x01"},
	{"net.IP of IPv6", net.ParseIP("2001:db8::1"), "\xc4\x10\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"},
	{"net.IP of an invalid length", net.IP{1, 2, 3}, "\xc4\x03\x01\x02\x03"},
	{"net.IP, empty", net.IP{}, "\xc4\x00"},
	{"net.IP, nil", net.IP(nil), "\xc0"},
	{"net.IPMask", net.CIDRMask(20, 32), "\xc4\x04\xff\xff\xf0\x00"},
	{"net.IPNet", net.IPNet{IP: net.IP{10, 0, 0, 0}, Mask: net.CIDRMask(8, 32)}, "\x82\xa2IP\xc4\x04\x0a\x00\x00\x00\xa4Mask\xc4\x04\xff\x00\x00\x00"},
	{"net.HardwareAddr", net.HardwareAddr{1, 2, 3, 4, 5, 6}, "\xc4\x06\x01\x02\x03\x04\x05\x06"},
	{"net.TCPAddr", net.TCPAddr{IP: net.IP{1, 2, 3, 4}, Port: 80, Zone: "z"}, "\x83\xa2IP\xc4\x04\x01\x02\x03\x04\xa4Port\x50\xa4Zone\xa1z"},

	{"netip.Addr of IPv4", netip.MustParseAddr("192.0.2.1"), "\xc4\x04\xc0\x00\x02\x01"},
	{"netip.Addr of IPv6", netip.MustParseAddr("::1"), "\xc4\x10\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01"},
	{"netip.Addr of IPv4 in IPv6", netip.MustParseAddr("::ffff:1.2.3.4"), "\xc4\x10\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x01\x02\x03\x04"},
	{"netip.Addr with a zone", netip.MustParseAddr("fe80::1%eth0"), "\xc4\x14\xfe\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01eth0"},
	{"netip.Addr, zero", netip.Addr{}, "\xc4\x00"},
	{"netip.AddrPort", netip.MustParseAddrPort("192.0.2.1:258"), "\xc4\x06\xc0\x00\x02\x01\x02\x01"},
	{"netip.AddrPort with a zone", netip.MustParseAddrPort("[fe80::1%eth0]:1"), "\xc4\x16\xfe\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01eth0\x01\x00"},
	{"netip.AddrPort, zero", netip.AddrPort{}, "\xc4\x02\x00\x00"},
	{"netip.Prefix", netip.MustParsePrefix("10.0.0.0/8"), "\xc4\x05\x0a\x00\x00\x00\x08"},
	{"netip.Prefix of all", netip.MustParsePrefix("::/0"), "\xc4\x11" + strings.Repeat("\x00", 17)},
	{"netip.Prefix, zero", netip.Prefix{}, "\xc4\x01\xff"},
	{"netip.Prefix of too many bits", netip.PrefixFrom(netip.MustParseAddr("1.2.3.4"), 99), "\xc4\x05\x01\x02\x03\x04\xff"},

	{"big.Int", mustInt("-18446744073709551617"), "\xb5-18446744073709551617"},
	{"big.Int, zero", mustInt("0"), "\xa10"},
	{"big.Int, nil", (*big.Int)(nil), "\xc0"},
	{"big.Rat", big.NewRat(-3, 7), "\xa4-3/7"},
	{"big.Rat, a whole number", big.NewRat(4, 2), "\xa12"},
	{"big.Rat, zero", new(big.Rat).SetInt64(0), "\xa10"},
	{"big.Float", big.NewFloat(-1.5), "\xc4\x12\x01\x0b\x00\x00\x00\x35\x00\x00\x00\x01\xc0\x00\x00\x00\x00\x00\x00\x00"},
	{"big.Float, zero", new(big.Float), "\xc4\x06\x01\x08\x00\x00\x00\x00"},
	{"big.Float, negative zero with a precision", new(big.Float).SetPrec(7).Neg(new(big.Float).SetPrec(7)), "\xc4\x06\x01\x09\x00\x00\x00\x07"},
	{"big.Float, infinite", new(big.Float).SetInf(true), "\xc4\x06\x01\x0d\x00\x00\x00\x00"},

	{"url.URL", mustURL("https://user:p%40ss@example.org:8080/a%2Fb/c?q=1&r=%20#f%2F"), "\xc4\x3bhttps://user:p%40ss@example.org:8080/a%2Fb/c?q=1&r=%20#f%2F"},
	{"url.URL, opaque", mustURL("mailto:a@example.org"), "\xc4\x14mailto:a@example.org"},
	{"url.URL, empty query", mustURL("http://example.org/?"), "\xc4\x14http://example.org/?"},
	{"url.URL, no host", mustURL("file:///etc"), "\xc4\x0bfile:///etc"},
	{"url.URL, relative", mustURL("../a"), "\xc4\x04../a"},
	{"url.URL, zero", url.URL{}, "\xc4\x00"},
	{"url.Values", url.Values{"a": {"1", "2"}}, "\x81\xa1a\x92\xa11\xa12"},
	{"http.Header", http.Header{"A": {"b"}}, "\x81\xa1A\x91\xa1b"},

	{"uuid with text", textUUID{15: 1}, "\xd9\x20" + strings.Repeat("0", 31) + "1"},
	{"uuid with binary", binaryUUID{15: 1}, "\xc4\x10" + strings.Repeat("\x00", 15) + "\x01"},
	{"uuid without methods", plainUUID{15: 1}, "\xc4\x10" + strings.Repeat("\x00", 15) + "\x01"},

	{"time.Duration", 90 * time.Second, "\xcf\x00\x00\x00\x14\xf4\x6b\x04\x00"},
	{"time.Duration, least", time.Duration(math.MinInt64), "\xd3\x80\x00\x00\x00\x00\x00\x00\x00"},
	{"time.Month", time.December, "\x0c"},
	{"time.Weekday", time.Saturday, "\x06"},
	{"json.Number", json.Number("1.50e+2"), "\xa71.50e+2"},
	{"json.Number, empty", json.Number(""), "\xa0"},
	{"json.RawMessage", json.RawMessage(` {"a": 1}`), "\xc4\x09 {\"a\": 1}"},
	{"json.RawMessage, nil", json.RawMessage(nil), "\xc0"},
	{"regexp.Regexp", *regexp.MustCompile(`(?i)^a+$`), "\xa8(?i)^a+$"},
	{"slog.Level", slog.LevelInfo + 2, "\xa6INFO+2"},
	{"slog.Level far below the named ones", slog.Level(-100), "\xa8DEBUG-96"},
	{"sql.NullString", sql.NullString{String: "s", Valid: true}, "\x82\xa6String\xa1s\xa5Valid\xc3"},
	{"sql.NullString, not valid", sql.NullString{String: "left over"}, "\x82\xa6String\xa9left over\xa5Valid\xc2"},
	{"sql.NullInt64", sql.NullInt64{Int64: -1, Valid: true}, "\x82\xa5Int64\xff\xa5Valid\xc3"},
	{"sql.NullInt32", sql.NullInt32{Int32: -1, Valid: true}, "\x82\xa5Int32\xff\xa5Valid\xc3"},
	{"sql.NullInt16", sql.NullInt16{Int16: -1, Valid: true}, "\x82\xa5Int16\xff\xa5Valid\xc3"},
	{"sql.NullByte", sql.NullByte{Byte: 255, Valid: true}, "\x82\xa4Byte\xcc\xff\xa5Valid\xc3"},
	{"sql.NullFloat64", sql.NullFloat64{Float64: 1, Valid: true}, "\x82\xa7Float64\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00\xa5Valid\xc3"},
	{"sql.NullBool", sql.NullBool{Bool: true, Valid: true}, "\x82\xa4Bool\xc3\xa5Valid\xc3"},
	{"sql.NullTime", sql.NullTime{Time: time.Unix(1, 0).UTC(), Valid: true}, "\x82\xa4Time\xd6\xff\x00\x00\x00\x01\xa5Valid\xc3"},
	{"sql.Null", sql.Null[time.Month]{V: time.May, Valid: true}, "\x82\xa1V\x05\xa5Valid\xc3"},
}

// same compares values without memory that is not part of the value, such as the
// capacity of a number.
func same(a, b any) bool {
	switch a := a.(type) {
	case *big.Int:
		b, ok := b.(*big.Int)
		return ok && (a == nil) == (b == nil) && (a == nil || a.Cmp(b) == 0)
	case *big.Rat:
		b, ok := b.(*big.Rat)
		return ok && a.Cmp(b) == 0
	case *big.Float:
		b, ok := b.(*big.Float)
		return ok && a.Cmp(b) == 0 && a.Prec() == b.Prec() && a.Mode() == b.Mode() && a.Acc() == b.Acc() && a.Signbit() == b.Signbit()
	case regexp.Regexp:
		b, ok := b.(regexp.Regexp)
		return ok && a.String() == b.String() && b.MatchString("AA") == a.MatchString("AA")
	}
	return reflect.DeepEqual(a, b)
}

func TestStandardTypes(t *testing.T) {
	for _, c := range standardValues {
		t.Run(c.name, func(t *testing.T) {
			checkEncode(t, c.value, []byte(c.bytes))
			checkEncode(t, []any{c.value}, []byte("\x91"+c.bytes))
			checkEncode(t, struct{ V any }{c.value}, []byte("\x81\xa1V"+c.bytes))
			v := reflect.ValueOf(c.value)
			field := reflect.New(structOfV(v.Type()))
			field.Elem().Field(0).Set(v)
			checkEncode(t, field.Interface(), []byte("\x81\xa1V"+c.bytes))
			for range 2 { // into a zero variable, and into one that holds a value
				if err := msgpack.Unmarshal([]byte("\x81\xa1V"+c.bytes), field.Interface()); err != nil {
					t.Errorf("unmarshal: %v", err)
				} else if got := field.Elem().Field(0).Interface(); !same(got, c.value) {
					t.Errorf("got %#v, want %#v", got, c.value)
				}
			}
			for n := range c.bytes {
				checkError(t, msgpack.Unmarshal([]byte(c.bytes[:n]), reflect.New(v.Type()).Interface()), msgpack.ErrTruncated)
			}
			// A nil sets the zero value.
			old := reflect.New(v.Type())
			old.Elem().Set(v)
			if err := msgpack.Unmarshal([]byte{0xc0}, old.Interface()); err != nil || !old.Elem().IsZero() {
				t.Errorf("nil: got %v, %v", old.Elem(), err)
			}
		})
	}
}

// TestIgnoredMethods encodes types of the standard library with Options that ignore
// methods. Those that the package page lists keep their forms, except url.URL and
// slog.Level, whose fields and number hold what their methods write.
func TestIgnoredMethods(t *testing.T) {
	for _, o := range []msgpack.Options{{IgnoreTextMethods: true}, {IgnoreBinaryMethods: true}, {IgnoreTextMethods: true, IgnoreBinaryMethods: true}} {
		codec, err := msgpack.New(o)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range standardValues {
			typ := reflect.TypeOf(c.value)
			if strings.HasSuffix(typ.Name(), "UUID") {
				continue // not of the standard library
			}
			changed := typ == reflect.TypeFor[url.URL]() && o.IgnoreBinaryMethods || typ == reflect.TypeFor[slog.Level]() && o.IgnoreTextMethods
			if b, err := codec.Marshal(c.value); (err == nil && string(b) == c.bytes) == changed {
				t.Errorf("%s with %+v: %x, %v", c.name, o, b, err)
			}
		}
	}
}

// TestNumbersOfAllPrecisions decodes floats into variables that have another
// precision. They must not be rounded to it.
func TestNumbersOfAllPrecisions(t *testing.T) {
	for _, prec := range []uint{1, 2, 24, 53, 64, 65, 1000, 1 << 16} {
		for mode := big.ToNearestEven; mode <= big.ToPositiveInf; mode++ {
			x := new(big.Float).SetMode(mode).SetPrec(prec).Quo(big.NewFloat(1), big.NewFloat(3))
			data, err := msgpack.Marshal(struct{ X big.Float }{*x})
			if err != nil {
				t.Fatal(err)
			}
			y := struct{ X big.Float }{*big.NewFloat(7).SetPrec(3)}
			if err := msgpack.Unmarshal(data, &y); err != nil || !same(&y.X, x) {
				t.Errorf("precision %d, %v: got %v, %v, want %v", prec, mode, &y.X, err, x)
			}
		}
	}
	// GobEncode loses the mantissa of a number of this precision. That must be an
	// error.
	const word = strconv.IntSize
	for prec, want := range map[uint]error{big.MaxPrec: msgpack.ErrLimit, big.MaxPrec - word + 2: msgpack.ErrLimit, big.MaxPrec - word + 1: nil} {
		x := new(big.Float).SetPrec(prec).SetInt64(-5)
		if _, err := msgpack.Marshal(x); !errors.Is(err, want) {
			t.Errorf("precision %d: %v, want %v", prec, err, want)
		}
	}
}

// TestOtherFormsOfStandardTypes decodes forms that other encoders write.
func TestOtherFormsOfStandardTypes(t *testing.T) {
	for _, c := range []struct {
		bytes string
		want  any
	}{
		{"\xa9192.0.2.1", net.IPv4(192, 0, 2, 1)},
		{"\xa3::1", net.IPv6loopback},
		{"\xa0", net.IP(nil)},
		{"\x94\x01\x02\x03\x04", net.IP{1, 2, 3, 4}},
		{"\xa3123", mustInt("123")},
		{"\xc4\x03123", mustInt("123")},          // vmihailenco/msgpack
		{"\xc4\x03\x02\x01\x00", mustInt("256")}, // the result of GobEncode
		{"\xc4\x03\x03\x01\x00", mustInt("-256")},
		{"\xa40x1f", mustInt("31")},
		{"\xc4\x033/6", big.NewRat(1, 2)},
		{"\xa31.5", new(big.Float).SetPrec(64).SetFloat64(1.5)},
	} {
		got := reflect.New(reflect.TypeOf(c.want))
		if err := msgpack.Unmarshal([]byte(c.bytes), got.Interface()); err != nil || !same(got.Elem().Interface(), c.want) {
			t.Errorf("%q: got %v, %v, want %v", c.bytes, got.Elem(), err, c.want)
		}
	}
}

// errAny stands for any error that the methods of a type return.
var errAny = errors.New("any error")

// TestHostileNumbers decodes texts that would take much time or memory to parse,
// and bytes that are not numbers.
func TestHostileNumbers(t *testing.T) {
	long := func(s string) string { return string(wire.AppendString(nil, s)) }
	digits := strings.Repeat("7", 1<<12)
	for _, c := range []struct {
		name   string
		bytes  string
		target any
		err    error
	}{
		{"Int of the greatest length", long(digits), new(big.Int), nil},
		{"Int, too long", long(digits + "7"), new(big.Int), msgpack.ErrLimit},
		{"Rat, too long", long("1/" + digits), new(big.Rat), msgpack.ErrLimit},
		{"Float, too long", long(digits + ".7"), new(big.Float), msgpack.ErrLimit},
		{"Int in hexadecimal", long("0x" + digits[2:]), new(big.Int), nil},
		{"Rat of the greatest length", long(digits[:1<<11] + "/" + digits[:1<<11-1]), new(big.Rat), nil},
		{"Rat with a point", long("0.5"), new(big.Rat), msgpack.ErrMismatch},
		{"Float of the greatest length", long(digits), new(big.Float), nil},
		{"Float with a long exponent", long("1e600000000"), new(big.Float), nil},
		{"Float with a low exponent", long("1e-600000000"), new(big.Float), nil},
		{"Rat with an exponent", long("1e1000000"), new(big.Rat), msgpack.ErrMismatch},
		{"Rat with a binary exponent", long("1p1000000"), new(big.Rat), msgpack.ErrMismatch},
		{"Rat with an exponent, in capitals", long("1E-1000000"), new(big.Rat), msgpack.ErrMismatch},
		{"Rat, empty text", long(""), new(big.Rat), errAny},
		{"Rat by zero", long("1/0"), new(big.Rat), errAny},
		{"Rat from GobEncode", "\xc4\x06\x02\x00\x00\x00\x01\x01", new(big.Rat), errAny},
		{"Int, empty text", long(""), new(big.Int), errAny},
		{"Int, words", long("one"), new(big.Int), errAny},
		{"Int, empty bin", "\xc4\x00", new(big.Int), errAny},
		{"Int, unknown version", "\xc4\x02\x04\x01", new(big.Int), errAny},
		{"Float, empty bin", "\xc4\x00", new(big.Float), errAny},
		{"Float, truncated", "\xc4\x05\x01\x0b\x00\x00\x00", new(big.Float), errAny},
		{"Float without a mantissa", "\xc4\x0a\x01\x0b\x00\x00\x00\x35\x00\x00\x00\x01", new(big.Float), errAny},
		{"Float, not normalized", "\xc4\x12\x01\x0b\x00\x00\x00\x35\x00\x00\x00\x01\x40\x00\x00\x00\x00\x00\x00\x00", new(big.Float), errAny},
		{"Float, unknown form", "\xc4\x06\x01\x0f\x00\x00\x00\x00", new(big.Float), nil},
		{"array", "\x91\x01", new(big.Int), msgpack.ErrMismatch},
		{"int", "\x05", new(big.Float), msgpack.ErrMismatch},
		{"IP of text", long("1.2.3"), new(net.IP), errAny},
	} {
		t.Run(c.name, func(t *testing.T) {
			var err error
			used := allocated(func() { err = msgpack.Unmarshal([]byte(c.bytes), c.target) })
			if bound := uint64(100*len(c.bytes) + 16<<10); used > bound {
				t.Errorf("%d bytes took %d bytes, more than %d", len(c.bytes), used, bound)
			}
			switch {
			case c.err == nil:
				if again, marshalErr := msgpack.Marshal(c.target); err == nil && marshalErr != nil {
					t.Errorf("accepted, but %v: % x", marshalErr, again)
				}
			case c.err == errAny:
				if e, ok := err.(*msgpack.Error); !ok || e.Offset != 0 || e.Path != "" {
					t.Errorf("got %v", err)
				}
			default:
				checkError(t, err, c.err)
			}
		})
	}
	// An Int that is too long for text is encoded as bin. A Rat is an error.
	n := new(big.Int).Lsh(big.NewInt(-5), 1<<20)
	data, err := msgpack.Marshal(n)
	if err != nil || data[0] != byte(wire.Bin32) {
		t.Fatalf("% x..., %v", data[:10], err)
	}
	m := new(big.Int)
	if err := msgpack.Unmarshal(data, m); err != nil || m.Cmp(n) != 0 {
		t.Errorf("%d bits, %v", m.BitLen(), err)
	}
	_, err = msgpack.Marshal([]*big.Rat{new(big.Rat).SetInt(n)})
	checkError(t, err, msgpack.ErrLimit)
}

// TestStandardTypesWithOptions checks that TextAsBin also applies to addresses, such
// as net.IP, and encodes them as text.
func TestStandardTypesWithOptions(t *testing.T) {
	c := newCodec(t, msgpack.Options{Compat: msgpack.Compat{TextAsBin: true}, BytesAsStr: true})
	ip := net.IP{1, 2, 3, 4}
	v := struct {
		N  *big.Int
		R  *big.Rat
		IP net.IP
		L  slog.Level
	}{big.NewInt(12), big.NewRat(1, 2), ip, slog.LevelWarn}
	data, err := c.Marshal(v)
	if want := "\x84\xa1N\xc4\x0212\xa1R\xc4\x031/2\xa2IP\xc4\a1.2.3.4\xa1L\xc4\x04WARN"; err != nil || string(data) != want {
		t.Errorf("got %q, %v", data, err)
	}
	w := v
	w.N, w.R, w.IP, w.L = nil, nil, nil, 0
	if err := c.Unmarshal(data, &w); err != nil || w.N.Cmp(v.N) != 0 || w.R.Cmp(v.R) != 0 || !w.IP.Equal(ip) || w.L != v.L {
		t.Errorf("got %+v, %v", w, err)
	}
	for _, b := range []net.IP{ip, ip.To16()} { // the binary form is accepted too
		if err := c.Unmarshal(append([]byte{0xc4, byte(len(b))}, b...), &w.IP); err != nil || !slices.Equal(w.IP, b) {
			t.Errorf("% x: got % x, %v", b, w.IP, err)
		}
	}
	for _, malformed := range []string{"\xc4\x03abc", "\x05", "\x91\x01"} {
		if err := c.Unmarshal([]byte(malformed), &w.IP); err == nil {
			t.Errorf("% x: got % x, want an error", malformed, w.IP)
		}
	}
	aliasing := newCodec(t, msgpack.Options{AliasInput: true})
	in := []byte("\xc4\x04\x01\x02\x03\x04")
	if err := aliasing.Unmarshal(in, &w.IP); err != nil || &w.IP[0] != &in[2] {
		t.Errorf("aliasing: %v, %v", w.IP, err)
	}
}

// TestTextAsBin encodes text as bin and decodes both formats.
func TestTextAsBin(t *testing.T) {
	c := newCodec(t, msgpack.Options{Compat: msgpack.Compat{TextAsBin: true}})
	for _, v := range []any{textAppender{'x'}, textMarshaler{'x'}, textAppenderP{'x'}, words("x")} {
		checkCodec(t, c, v, []byte("\xc4\x01x"))
		for _, data := range []string{"\xc4\x01x", "\xa1x"} {
			got := reflect.New(reflect.TypeOf(v))
			if err := c.Unmarshal([]byte(data), got.Interface()); err != nil || got.Elem().Interface() != v {
				t.Errorf("%q: got %v, %v", data, got.Elem(), err)
			}
		}
	}
	// Empty text, long text, and a type with text and binary methods.
	checkCodec(t, c, words(""), []byte("\xc4\x00"))
	checkCodec(t, c, words(strings.Repeat("a", 300)), []byte("\xc5\x01\x2c"+strings.Repeat("a", 300)))
	checkCodec(t, c, binaryAndText{}, []byte("\xc4\x01A"))
	checkCodec(t, c, "text", []byte("\xa4text"))
}

// TestTypesThatWouldLoseAll checks that types are refused if they have neither
// exported fields nor methods, because nothing of their values would be encoded.
func TestTypesThatWouldLoseAll(t *testing.T) {
	for _, v := range []any{
		&atomic.Uintptr{}, &atomic.Value{},
		&atomic.Pointer[int]{}, &sync.Mutex{}, &sync.Map{}, &sync.WaitGroup{}, &sync.Once{}, &bytes.Buffer{}, &strings.Builder{},
		url.UserPassword("a", "b"), time.UTC, time.NewTimer(0), &slog.Value{}, reflect.ValueOf(1),
	} {
		t.Run(fmt.Sprintf("%T", v), func(t *testing.T) {
			_, err := msgpack.Marshal(struct{ V any }{v})
			checkError(t, err, msgpack.ErrUnsupported)
		})
	}
}

// TestNilBytes encodes nils of types of bytes. NilSliceAsEmpty makes each an empty value, in what is
// written, described and decoded.
func TestNilBytes(t *testing.T) {
	type named []byte
	for _, o := range []msgpack.Options{{}, {NilSliceAsEmpty: true}, {NilSliceAsEmpty: true, BytesAsStr: true}, {BytesAsStr: true}} {
		c := newCodec(t, o)
		for _, v := range []any{[]byte(nil), named(nil), net.IP(nil), net.IPMask(nil), net.HardwareAddr(nil), json.RawMessage(nil), sql.RawBytes(nil)} {
			data, err := c.Marshal([]any{v})
			if err != nil {
				t.Fatal(err)
			}
			if isNil := data[1] == 0xc0; isNil == o.NilSliceAsEmpty {
				t.Errorf("NilSliceAsEmpty %v, BytesAsStr %v: %T is % x", o.NilSliceAsEmpty, o.BytesAsStr, v, data)
			}
			d, err := msgpack.FormOf(reflect.TypeOf(v), c).Describe()
			if err != nil || d.Nil == o.NilSliceAsEmpty {
				t.Errorf("NilSliceAsEmpty %v: %T is described as nil: %v, %v", o.NilSliceAsEmpty, v, d.Nil, err)
			}
			got := reflect.New(reflect.TypeOf(v))
			if err := c.Unmarshal(data[1:], got.Interface()); err != nil || got.Elem().IsNil() == o.NilSliceAsEmpty || got.Elem().Len() > 0 {
				t.Errorf("NilSliceAsEmpty %v: %T is decoded as %#v, %v", o.NilSliceAsEmpty, v, got.Elem(), err)
			}
		}
	}
}
