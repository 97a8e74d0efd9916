package lint

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	data, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// collect returns the findings as lines.
func collect(list *[]string) func(Finding) error {
	return func(f Finding) error {
		*list = append(*list, fmt.Sprintf("%d %d %s [%s] %s", f.Value, f.Offset, f.Path, f.Rule, f.Message))
		return nil
	}
}

func TestRun(t *testing.T) {
	for _, c := range []struct {
		name, hex string
		o         Options
		want      []string
	}{
		{"nothing wrong", "82a16192010202c0", Options{Canonical: true, Single: true}, []string{
			"0 6 {1} [order] keys are not in canonical order: 2 comes after \"a\""}},
		{"integers", "94 cc05 d1ff80 d300000000ffffffff cd03e8", Options{}, []string{
			"0 1 [0] [shortest] uint 8, but positive fixint is enough and 1 byte shorter",
			"0 3 [1] [shortest] int 16, but int 8 is enough and 1 byte shorter",
			"0 6 [2] [shortest] int 64, but uint 32 is enough and 4 bytes shorter"}},
		{"lengths", "dc0005 d90161 c50001ff de0001c0c2 dd00000000 c7040501020304", Options{}, []string{
			"0 0  [shortest] array 16, but fixarray is enough and 2 bytes shorter",
			"0 3 [0] [shortest] str 8, but fixstr is enough and 1 byte shorter",
			"0 6 [1] [shortest] bin 16, but bin 8 is enough and 1 byte shorter",
			"0 10 [2] [shortest] map 16, but fixmap is enough and 2 bytes shorter",
			"0 15 [3] [shortest] array 32, but fixarray is enough and 4 bytes shorter",
			"0 20 [4] [shortest] ext 8, but fixext 4 is enough and 1 byte shorter"}},
		{"timestamps", "c70cff000000000000000000000001 c703ff010203 d7ffee6b280000000000", Options{}, []string{
			"0 0  [shortest] ext 8, but fixext 4 is enough and 9 bytes shorter",
			"1 15  [timestamp] malformed timestamp: length is not 4, 8 or 12 bytes",
			"2 21  [timestamp] malformed timestamp: nanoseconds exceed 999999999"}},
		{"UTF-8", "92 a3e282ff a161", Options{}, []string{"0 1 [0] [utf8] invalid UTF-8 at byte 0 of the str"}},
		{"duplicates", "85 a161c0 01c0 d90161c0 d3000000000000000 1c0 c40161c0", Options{Ignore: map[Rule]bool{Shortest: true}}, []string{
			`0 6 {2} [duplicate] duplicate key "a", first at offset 1`,
			`0 10 {3} [duplicate] duplicate key 1, first at offset 4`,
			`0 20 {4} [duplicate] duplicate key a bin, first at offset 1`}},
		{"duplicate floats", "83 ca3f800000c0 cb3ff0000000000000c0 01c0", Options{}, []string{
			"0 7 {1} [duplicate] duplicate key 1, first at offset 1"}},
		{"duplicate containers", "82 920181a161c2c0 dc0002d0018 1d90161c2c0", Options{Ignore: map[Rule]bool{Shortest: true}}, []string{
			"0 8 {1} [duplicate] duplicate key a array, first at offset 1"}},
		{"duplicate timestamps", "82 d6ff00000001c0 c70cff000000000000000000000001c0", Options{Ignore: map[Rule]bool{Shortest: true}}, []string{
			"0 8 {1} [duplicate] duplicate key a ext, first at offset 1"}},
		{"maps side by side", "92 81a161c0 81a161c0", Options{}, nil},
		{"map in a map", "82 a161 81a161c0 a162c0", Options{Canonical: true}, nil},
		{"map as a key", "82 82a16101a16202 c0 a161c0", Options{}, nil},
		{"order", "84 a162c0 a161c0 a163c0 a161c0", Options{Canonical: true, Ignore: map[Rule]bool{Duplicate: true}}, []string{
			`0 4 {1} [order] keys are not in canonical order: "a" comes after "b"`}},
		{"canonical", "95 d103e8 cb3ff0000000000000 ca3f800000 cb7ff8000000000000 ca7fc00000", Options{Canonical: true}, []string{
			"0 1 [0] [canonical] int 16; the canonical format is uint 16",
			"0 4 [1] [canonical] float 64, but float 32 holds the value exactly",
			"0 18 [3] [canonical] float 64 NaN; the canonical NaN is the float 32 with the bits 7fc00000"}},
		{"trailing", "9000", Options{Single: true}, []string{"1 1  [trailing] more data follows the first value"}},
		{"several values", "90cc0000", Options{}, []string{"1 1  [shortest] uint 8, but positive fixint is enough and 1 byte shorter"}},
		{"malformed", "91cc00 92a161", Options{}, []string{
			"0 1 [0] [shortest] uint 8, but positive fixint is enough and 1 byte shorter",
			"1 6 [1] [malformed] truncated input: expected 1 more element of the fixarray at offset 3, found the end of the input"}},
		{"all ignored", "82 d90161c0 d90161c4", Options{Ignore: map[Rule]bool{Shortest: true, Duplicate: true, Malformed: true}}, []string{
			"0 8 a [malformed] truncated input: expected the length of the bin 8, found 1 byte, then the end of the input"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			_, err := Run(scan.New(iotest.OneByteReader(bytes.NewReader(unhex(t, c.hex))), 0), c.o, collect(&got))
			var fault *scan.Fault
			if errors.As(err, &fault) != (len(c.want) > 0 && strings.Contains(c.want[len(c.want)-1], "[malformed]")) {
				t.Errorf("err = %v", err)
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

func TestRunJSON(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          Options
		want       []string
	}{
		{"nothing wrong", "{\"a\": [1, {\"a\": 2}]}\n[]\n", Options{Canonical: true}, nil},
		{"byte order mark", "\ufeff{\"a\":1,\"a\":2}", Options{}, []string{`0 10 a [duplicate] duplicate name "a", first at offset 4`}},
		{"duplicate", "{}\n{\"b\": [{\"a\":1, \"\\u0061\":2}]}", Options{}, []string{
			`1 18 b[0].a [duplicate] duplicate name "a", first at offset 11`}},
		{"UTF-8", "{\"a\": [\"x\xff\", \"\\ud800\"]}", Options{}, []string{
			"0 7 a[0] [utf8] invalid UTF-8 at byte 1 of the string",
			`0 13 a[1] [utf8] a string contains half of a surrogate pair: "\ud800"`}},
		{"numbers", "[18446744073709551615, 18446744073709551617, 1e400, 1.5]", Options{}, []string{
			"0 23 [1] [number] MessagePack cannot represent the number 18446744073709551617",
			"0 45 [2] [number] MessagePack cannot represent the number 1e400"}},
		{"order", `{"b": 1, "a": {"d": 1, "c": 2, "b": 3}}`, Options{Canonical: true}, []string{
			`0 9 a [order] names are not in canonical order: "a" comes after "b"`,
			`0 23 a.c [order] names are not in canonical order: "c" comes after "d"`}},
		{"trailing", "1 \n 2", Options{Single: true}, []string{"1 4  [trailing] more data follows the first value"}},
		{"malformed", `{"a": [1, }`, Options{}, []string{`0 8 a[1] [malformed] invalid JSON: trailing comma`}},
		{"leading zero", "7\n01\n", Options{}, []string{
			`1 3  [malformed] invalid JSON: expected white space after a number or literal, found '1'`}},
		{"date", "2026-11-21", Options{}, []string{`0 4  [malformed] invalid JSON: expected white space`}},
		{"literals without white space", "truefalse", Options{}, []string{`0 4  [malformed] invalid JSON: expected white space`}},
		{"other values without white space", `1"a"[]{}null"b"true[2]`, Options{}, nil},
		{"truncated", `{"a": [1,`, Options{}, []string{`0 9 a[1] [malformed] truncated input`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			_, err := RunJSON(bufio.NewReader(iotest.OneByteReader(strings.NewReader(c.text))), c.o, collect(&got))
			var fault *transcode.Error
			if errors.As(err, &fault) != strings.Contains(strings.Join(c.want, " "), "[malformed]") {
				t.Errorf("err = %v", err)
			}
			if len(got) != len(c.want) {
				t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			for i := range got {
				if !strings.HasPrefix(got[i], c.want[i]) {
					t.Errorf("got  %s\nwant %s", got[i], c.want[i])
				}
			}
		})
	}
}

// TestManyKeys checks that a map with more keys than are compared is read in
// bounded memory, and that the rest of its keys are counted.
func TestManyKeys(t *testing.T) {
	if testing.Short() {
		t.Skip("hashes a million keys")
	}
	const more = 1000
	r, w := io.Pipe()
	go func() {
		b := bufio.NewWriter(w)
		b.Write([]byte{byte(wire.Map32), 0, (MaxKeys + more) >> 16, (MaxKeys + more) >> 8 & 0xff, (MaxKeys + more) & 0xff})
		for i := range int64(MaxKeys + more) {
			b.Write(wire.AppendNil(wire.AppendInt(nil, i)))
		}
		b.Write(wire.AppendMapHeader(nil, 2))
		b.Write([]byte{1, 1, 1, 1})
		b.Flush()
		w.Close()
	}()
	var got []string
	s, err := Run(scan.New(r, 0), Options{}, collect(&got))
	if err != nil || s.Unchecked != more || len(got) != 1 || !strings.Contains(got[0], "duplicate key 1") {
		t.Errorf("%+v, %v, %q", s, err, got)
	}
}

func FuzzRun(f *testing.F) {
	f.Add([]byte("\x82\xa1b\xc0\xd9\x01a\xd3\x00\x00\x00\x00\x00\x00\x00\x01"))
	f.Add([]byte("\x82\x92\x01\xa1\xff\xc0\xdc\x00\x02\x01\xa1\xff\xc1"))
	f.Add([]byte(`{"a": [1, {"a": "\ud800"}, 1e999], "a": null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, o := range []Options{{}, {Canonical: true, Single: true}} {
			heaptest.AtMost(t, 500*len(data)+2<<20, func() {
				var got []string
				_, err := Run(scan.New(bytes.NewReader(data), 0), o, collect(&got))
				var fault *scan.Fault
				if err != nil && !errors.As(err, &fault) {
					t.Fatal(err)
				}
				_, err = RunJSON(bufio.NewReader(bytes.NewReader(data)), o, collect(&got))
				var malformed *transcode.Error
				if err != nil && !errors.As(err, &malformed) {
					t.Fatal(err)
				}
			})
		}
	})
}
