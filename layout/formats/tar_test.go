package formats

import (
	"archive/tar"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

// tarFiles returns the archives of archive/tar, uncompressed.
func tarFiles(t testing.TB) map[string][]byte {
	t.Helper()
	list := files(t, goroot(t, "src", "archive", "tar", "testdata"), ".tar", ".bz2")
	for name, data := range list {
		if strings.HasSuffix(name, ".bz2") {
			// The content of the large ones is of no interest.
			data, err := io.ReadAll(io.LimitReader(bzip2.NewReader(bytes.NewReader(data)), 1<<20))
			if err != nil {
				t.Fatal(err)
			}
			list[name] = data
		}
	}
	return list
}

// TestTAR compares headers with archive/tar, as far as no extended header changes
// them.
func TestTAR(t *testing.T) {
	list := tarFiles(t)
	headers, agree, same := 0, 0, 0
	var refused []string
	for name, data := range list {
		got, err := messages(TAR(), data)
		var entries []*TARHeader // nil if a header before changes it
		changed, global := false, false
		for _, m := range got {
			covered(t, m)
			again, err := m.Codec().Marshal(m.Value)
			if err != nil {
				t.Errorf("%s: %s: %v", name, m.Name, err)
			}
			if bytes.Equal(again, m.Data) {
				same++
			} else {
				// Digits can be padded in many ways. The numbers must be the same.
				back := reflect.New(reflect.TypeOf(m.Value).Elem()).Interface()
				if err := m.Codec().Unmarshal(again, back); err != nil || !sameHeader(back, m.Value) {
					t.Errorf("%s: %s: %v\n got %+v\nwant %+v", name, m.Name, err, back, m.Value)
				}
			}
			h, ok := m.Value.(*TARHeader)
			if !ok {
				continue
			}
			headers++
			switch h.Type {
			case 'x', 'L', 'K':
				changed = true
				continue
			case 'g':
				global = true
			}
			if changed || global {
				h = nil
			}
			entries = append(entries, h)
			changed = false
		}
		if name == "invalid-go17.tar" { // a name where GNU has times, which Go 1.7 wrote
			if err == nil {
				t.Errorf("%s: no error", name)
			}
			continue
		}
		r := tar.NewReader(bytes.NewReader(data))
		i := 0
		for {
			want, oracle := r.Next()
			if oracle == io.EOF && i == len(entries) {
				if err != nil {
					t.Errorf("%s: %v, archive/tar has no error", name, err)
				}
				break
			}
			if oracle != nil {
				// Most of these are cut short or have wrong pax records, which headers do not show.
				refused = append(refused, name)
				if err == nil && i < len(entries)-1 && oracle != io.ErrUnexpectedEOF {
					t.Errorf("%s: header %d of %d is fine, archive/tar: %v", name, i, len(entries), oracle)
				}
				break
			}
			if i >= len(entries) {
				t.Errorf("%s: %d headers, archive/tar has another: %+v, %v", name, i, want, err)
				break
			}
			h := entries[i]
			i++
			if h == nil {
				continue
			}
			agree++
			full := h.Name
			user, group := "", ""
			switch tail := h.Tail.(type) {
			case *TARUstar:
				if prefix, _, _ := strings.Cut(tail.Prefix, "\x00"); prefix != "" {
					full = prefix + "/" + full
				}
				user, group = tail.User, tail.Group
			case *TARGNU:
				user, group = tail.User, tail.Group
			}
			kind := h.Type
			if kind == 0 {
				kind = tar.TypeReg
			}
			if want.Typeflag == tar.TypeDir && strings.HasSuffix(full, "/") || want.Typeflag == tar.TypeGNUSparse {
				kind = want.Typeflag
			}
			if full != want.Name && !strings.Contains(name, "star.tar") || h.Linkname != want.Linkname || int64(h.Mode) != want.Mode || int(h.UID) != want.Uid ||
				int(h.GID) != want.Gid || int64(h.Modified) != want.ModTime.Unix() || user != want.Uname || group != want.Gname || kind != want.Typeflag ||
				kind == tar.TypeReg && int64(h.Size) != want.Size {
				t.Errorf("%s: %+v %+v\nwant %+v", name, h, h.Tail, want)
			}
		}
	}
	t.Logf("%d archives, %v refused by archive/tar; %d headers, %d agree with archive/tar; %d messages encode to the same bytes", len(list), refused, headers, agree, same)
}

// sameHeader compares two messages apart from their checksums.
func sameHeader(a, b any) bool {
	x, ok := a.(*TARHeader)
	y, _ := b.(*TARHeader)
	if ok {
		one, two := *x, *y
		one.Checksum, two.Checksum = 0, 0
		a, b = one, two
	}
	return reflect.DeepEqual(a, b)
}

func TestTARNumbers(t *testing.T) {
	for _, c := range []struct {
		n    int64
		size int
		hex  string
	}{
		{0o755, 8, "0000755\x00"},
		{1<<33 - 1, 12, "77777777777\x00"},
		{1 << 33, 12, "\x80\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00"},
		{-1, 12, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"},
		{-1 << 63, 12, "\xff\xff\xff\xff\x80\x00\x00\x00\x00\x00\x00\x00"},
		{1<<63 - 1, 12, "\x80\x00\x00\x00\x7f\xff\xff\xff\xff\xff\xff\xff"},
		{-2, 8, "\xff\xff\xff\xff\xff\xff\xff\xfe"},
		{1 << 40, 8, "\x80\x00\x01\x00\x00\x00\x00\x00"},
		{-1 << 62, 8, "\xc0\x00\x00\x00\x00\x00\x00\x00"},
	} {
		got, err := appendTAR([]byte("x"), c.n, c.size)
		if err != nil || string(got) != "x"+c.hex {
			t.Errorf("%d in %d: %q, %v, want %q", c.n, c.size, got, err, c.hex)
		}
		var n int64
		if err := decodeTAR([]byte(c.hex), &n, c.size); err != nil || n != c.n {
			t.Errorf("%q: %d, %v, want %d", c.hex, n, err, c.n)
		}
		if err := decodeTAR([]byte(c.hex[1:]), &n, c.size); err == nil {
			t.Errorf("%q: no error", c.hex[1:])
		}
	}
	if got, err := appendTAR(nil, 1<<62, 8); err == nil {
		t.Errorf("1<<62 in 8 bytes: %q", got)
	}
	for _, text := range []string{"0000008\x00", "abc\x00\x00\x00\x00\x00", "\x80\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00", "\xff\xff\xff\xff\x7f\x00\x00\x00\x00\x00\x00\x00"} {
		var n int64
		if err := decodeTAR([]byte(text), &n, len(text)); err == nil {
			t.Errorf("%q: decoded %d", text, n)
		}
	}
}

// TestTARBlank has a header whose checksum ends with a NUL instead of a space.
// Both bytes count as spaces.
func TestTARBlank(t *testing.T) {
	c, _, err := codecs()
	if err != nil {
		t.Fatal(err)
	}
	for _, blank := range []uint8{0, ' '} {
		data, err := c.Marshal(TARHeader{Name: "a", Mode: 0o644, Type: '0', Blank: blank, Tail: &TARUstar{}})
		if err != nil {
			t.Fatal(err)
		}
		if h, err := tar.NewReader(bytes.NewReader(data)).Next(); err != nil || h.Name != "a" || h.Mode != 0o644 {
			t.Errorf("blank %q: %+v, %v", blank, h, err)
		}
	}
}

// TestTARSigned has a header whose checksum was computed with signed bytes. Other programs read
// it too.
func TestTARSigned(t *testing.T) {
	c, _, err := codecs()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "\xc4\xd6\xdc", strings.Repeat("\xff", 100)} {
		header := TARHeader{Name: name, Mode: 0o644, Type: '0', Blank: ' ', Tail: &TARUstar{}}
		data, err := c.Marshal(header)
		if err != nil {
			t.Fatal(err)
		}
		high := len(strings.TrimLeft(name, "a"))
		sum, err := strconv.ParseInt(string(data[148:154]), 8, 64)
		if err != nil {
			t.Fatal(err)
		}
		if sum -= int64(256 * high); sum < 0 {
			data[148] = '7' // the sum of signed bytes cannot be written
		} else {
			copy(data[148:], fmt.Sprintf("%06o", sum))
		}
		h, oracle := tar.NewReader(bytes.NewReader(data)).Next()
		got, err := messages(TAR(), data)
		if (err == nil) != (oracle == nil) {
			t.Errorf("%q: %v, archive/tar: %v", name, err, oracle)
			continue
		}
		if err != nil {
			if !errors.Is(err, layout.ErrChecksum) {
				t.Errorf("%q: %v, want ErrChecksum", name, err)
			}
			continue
		}
		if len(got) != 1 || got[0].Value.(*TARHeader).Name != h.Name {
			t.Errorf("%q: %+v", name, got)
		}
		encodes(t, got[0])
		data[153] ^= 1
		if _, err := messages(TAR(), data); !errors.Is(err, layout.ErrChecksum) {
			t.Errorf("%q, another sum: %v, want ErrChecksum", name, err)
		}
	}
}

// TestTARPaxSize has files whose sizes are in extended headers, because they have no room in their headers or because
// the program that wrote them says so always. The headers of all files must be found.
func TestTARPaxSize(t *testing.T) {
	c, _, err := codecs()
	if err != nil {
		t.Fatal(err)
	}
	record := func(name, value string) string {
		for n := 0; ; n++ {
			if s := fmt.Sprintf("%d %s=%s\n", n, name, value); len(s) == n {
				return s
			}
		}
	}
	long := record("path", strings.Repeat("d/", 100)+"a")
	for name, extended := range map[string]string{
		"alone":                record("size", "1500"),
		"last":                 long + record("mtime", "1.5") + record("size", "1500"),
		"first":                record("size", "1500") + long,
		"twice":                record("size", "9") + record("size", "1500"),
		"in the value as well": record("comment", "size=7\n11 size=9") + record("size", "1500"),
		"for an empty header":  record("size", "1500"),
		"none":                 long,
		"empty":                record("size", ""),
	} {
		var data []byte
		content := strings.Repeat("PK", 750)
		size := TAR12(len(content))
		if strings.Contains(extended, "size=1500") {
			size = 0
		}
		for _, part := range []struct {
			header TARHeader
			text   string
		}{
			{TARHeader{Name: "x", Type: 'x', Size: TAR12(len(extended))}, extended},
			{TARHeader{Name: "a", Type: '0', Size: size}, content},
			{TARHeader{Name: "b", Type: '0', Size: 3}, "abc"},
			{TARHeader{Name: "c", Type: '0'}, ""},
		} {
			part.header.Tail, part.header.Blank = &TARUstar{}, ' '
			if data, err = c.MarshalAppend(data, part.header); err != nil {
				t.Fatal(err)
			}
			data = append(data, part.text...)
			data = append(data, make([]byte, -len(data)&(tarBlock-1))...)
		}
		data = append(data, make([]byte, 2*tarBlock)...)
		got, err := messages(TAR(), data)
		var names []string
		for _, m := range got {
			if h, ok := m.Value.(*TARHeader); ok {
				names = append(names, h.Name)
			}
		}
		if want := "x a b c"; err != nil || strings.Join(names, " ") != want {
			t.Errorf("%s: headers of %v, %v, want %s", name, names, err, want)
		}
		r := tar.NewReader(bytes.NewReader(data))
		for i := 0; ; i++ {
			h, err := r.Next()
			if err == io.EOF && i == 3 {
				break
			}
			if err != nil {
				t.Fatalf("%s: archive/tar: %v after %d headers", name, err, i)
			}
			if text, err := io.ReadAll(r); err != nil || i == 0 && string(text) != content {
				t.Errorf("%s: archive/tar: %q has %d bytes, %v", name, h.Name, len(text), err)
			}
		}
	}
}
