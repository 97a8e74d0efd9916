package input

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/recordfile"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/transcode"
)

const text = "{\"name\":\"Zoë 𝄞\"}\n[1,2]\n"

// packed is text as MessagePack.
var packed, _ = transcode.AppendMsgpackValues(nil, []byte(text), nil)

func compress(c sniff.Format, data []byte) []byte {
	var b bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&b)
	if c == sniff.Zstandard {
		w, _ = zstd.NewWriter(&b)
	}
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// encode returns text in UTF-16 or UTF-32, with or without a byte order mark.
func encode(text string, unit int, order binary.AppendByteOrder, mark bool) (b []byte) {
	if mark {
		text = "\ufeff" + text
	}
	for _, r := range text {
		if unit == 4 {
			b = order.AppendUint32(b, uint32(r))
			continue
		}
		for _, u := range utf16.AppendRune(nil, r) {
			b = order.AppendUint16(b, u)
		}
	}
	return b
}

// open writes a file and opens it.
func open(t *testing.T, name string, data []byte, o Options) (*Input, error) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
	in, err := Open(t.Context(), &console.Console{}, name, o)
	if err == nil {
		t.Cleanup(in.Close)
	}
	return in, err
}

// TestFormats reads the same two values in every format and encoding, from files
// whose names tell the format and from others.
func TestFormats(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	plain := []byte(text)
	for _, c := range []struct {
		name, file string
		data       []byte
		format     sniff.Format
	}{
		{"JSON", "a", plain, sniff.JSON},
		{"JSON by name", "a.json", plain, sniff.JSON},
		{"byte order mark", "a", append([]byte("\ufeff"), plain...), sniff.JSON},
		{"MessagePack", "a", packed, sniff.MessagePack},
		{"MessagePack by name", "a.msgpack", packed, sniff.MessagePack},
		{"gzip", "a.json.gz", compress(sniff.Gzip, plain), sniff.JSON},
		{"gzip without a name", "a", compress(sniff.Gzip, packed), sniff.MessagePack},
		{"two gzip members", "a", append(compress(sniff.Gzip, packed[:3]), compress(sniff.Gzip, packed[3:])...), sniff.MessagePack},
		{"zstd", "a.msgpack.zst", compress(sniff.Zstandard, packed), sniff.MessagePack},
		{"zstd after a skippable frame", "a", append([]byte("\x5d\x2a\x4d\x18\x02\x00\x00\x00ab"), compress(sniff.Zstandard, plain)...), sniff.JSON},
		{"UTF-16 in gzip", "a", compress(sniff.Gzip, encode(text, 2, le, true)), sniff.JSON},
		{"UTF-16LE with a mark", "a", encode(text, 2, le, true), sniff.JSON},
		{"UTF-16BE with a mark", "a.json", encode(text, 2, be, true), sniff.JSON},
		{"UTF-16LE", "a", encode(text, 2, le, false), sniff.JSON},
		{"UTF-16BE", "a", encode(text, 2, be, false), sniff.JSON},
		{"UTF-32LE with a mark", "a", encode(text, 4, le, true), sniff.JSON},
		{"UTF-32BE with a mark", "a", encode(text, 4, be, true), sniff.JSON},
		{"UTF-32LE", "a", encode(text, 4, le, false), sniff.JSON},
		{"UTF-32BE", "a", encode(text, 4, be, false), sniff.JSON},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, err := open(t, c.file, c.data, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if in.Format != c.format {
				t.Errorf("format %v, want %v", in.Format, c.format)
			}
			var got []byte
			for v, err := range in.Values() {
				if err != nil {
					t.Fatal(in.Explain(err))
				}
				if (v.Offset < 0) != (c.format == sniff.JSON) || v.Offset >= 0 && v.Offset != int64(len(got)) {
					t.Errorf("value %d has offset %d", v.Number, v.Offset)
				}
				got = append(got, v.Data...)
			}
			if !bytes.Equal(got, packed) {
				t.Errorf("values % x, want % x", got, packed)
			}
		})
	}
}

// TestDigit reads a single digit in UTF-16 without a mark, which is JSON only if its name
// or a flag says so.
func TestDigit(t *testing.T) {
	for order, name := range map[binary.AppendByteOrder]string{binary.LittleEndian: "UTF-16LE", binary.BigEndian: "UTF-16BE"} {
		data := encode("5", 2, order, false)
		for file, o := range map[string]Options{"a.json": {}, "a": {Format: sniff.JSON}} {
			in, err := open(t, file, data, o)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(in)
			if string(text) != "5" || err != nil || in.Encoding.String() != name {
				t.Errorf("%s in %s: %q, %v, %v", name, file, text, in.Encoding, err)
			}
		}
		for _, file := range []string{"a", "a.msgpack"} {
			if in, err := open(t, file, data, Options{}); err != nil || in.Format != sniff.MessagePack {
				t.Errorf("%s in %s: %v, %v", name, file, in, err)
			}
		}
	}
	for _, other := range []string{"a\x00", "\x00\x00", "55", "5\x01"} {
		if e := sniff.EncodingOfJSON([]byte(other)); e != (sniff.Encoding{}) {
			t.Errorf("%q: %v", other, e)
		}
	}
}

// TestRefused opens files in other formats.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ name, file, data, want, detail string }{
		{"ZIP", "a b.zip", "PK\x03\x04\x14\x00", "this looks like a ZIP archive", "Try: unzip -p 'a b.zip' | octet stat -\n"},
		{"PNG named MessagePack", "a.msgpack", "\x89PNG\r\n\x1a\n\x00\x00", "this looks like a PNG image", ""},
		{"ELF", "a", "\x7fELF\x02\x01\x01\x00", "this looks like an ELF program", ""},
		{"CBOR map", "a", "\xa3\x62id\x19\x03\xe8\x64name\x63Ada\x64tags\x82\x01\x02", "this looks like CBOR", ""},
		{"protobuf", "a", "\x08\x96\x01\x12\x03abc", "this looks like a protobuf message", ""},
		{"BSON", "a", "\x0e\x00\x00\x00\x10id\x00\x01\x02\x00\x00\x00\x00", "this looks like BSON", ""},
		{"XML", "a", "<?xml version=\"1.0\"?>", "this looks like XML", ""},
		{"text", "a.txt", "Dear reader, this is not data.", "this looks like text", ""},
		{"small integers", "a", "\x01\x02\x03\x05\x08\x0d\x15\x22", "this looks like an unknown binary format", ""},
		{"JSON named MessagePack", "a.msgpack", text, "the name says MessagePack, but the content looks like JSON", "Try: octet stat --from json 'a.msgpack'"},
		{"UTF-16 named MessagePack", "a.mp", string(encode(text, 2, binary.LittleEndian, true)), "the name says MessagePack, but the content looks like JSON", ""},
		{"MessagePack named JSON", "a.json", string(packed), "the name says JSON, but the content looks like MessagePack", ""},
		{"damaged gzip", "a.gz", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xff\xff", "damaged gzip data", ""},
		{"cut gzip", "a.gz", "\x1f\x8b\x08\x00\x00", "truncated gzip data", ""},
		{"cut zstd", "a.zst", "\x28\xb5\x2f\xfd\x00\x58", "truncated zstd data", ""},
		{"reserved block of zstd", "a.zst", "\x28\xb5\x2f\xfd\x00\x58\x07\x00\x00", "damaged zstd data", ""},
		{"large window", "a b.zst", "\x28\xb5\x2f\xfd\x00\x80\x09\x00\x001", "window of more than 32 MiB", "Try: zstd -dc --long=31 'a b.zst' | octet stat -"},
		{"gzip in zstd", "a b.zst", string(compress(sniff.Zstandard, compress(sniff.Gzip, packed))), "the zstd data contains gzip data", "Try: zstd -dc 'a b.zst' | octet stat -"},
		{"record file in gzip", "a.gz", string(compress(sniff.Gzip, []byte("\x5d\x2a\x4d\x18\x00\x00\x00\x00\x01octet-rec"))), "the gzip data contains a record file", "Try: gzip -dc a.gz | octet stat -"},
		{"dictionary", "a b.zst", "\x28\xb5\x2f\xfd\x01\x58\x07\x09\x00\x001", "needs the dictionary", "Try: zstd -dc -D DICTIONARY 'a b.zst' | octet stat -"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, err := open(t, c.file, []byte(c.data), Options{Args: []string{"stat", c.file}})
			var f *failure.Error
			if !errors.As(err, &f) || f.Code != failure.Data || !strings.Contains(f.Error(), c.want) {
				t.Fatalf("%v, %v; want %q", in, err, c.want)
			}
			if !strings.Contains(f.Detail, strings.ReplaceAll(c.detail, "'a.msgpack'", "a.msgpack")) {
				t.Errorf("detail %q, want %q", f.Detail, c.detail)
			}
		})
	}
}

// TestDataAfterCompressed reads data behind which something else follows, which is not the same as data that ends too early.
func TestDataAfterCompressed(t *testing.T) {
	gz, zst := compress(sniff.Gzip, packed), compress(sniff.Zstandard, packed)
	for _, c := range []struct {
		name, data, rest, want string
	}{
		{"a.gz", string(gz), "a", "other data follows the gzip data"},
		{"a.gz", string(gz) + string(gz), "abc\n", "other data follows the gzip data"},
		{"a.gz", string(gz), strings.Repeat("\x00", 512), "other data follows the gzip data"},
		{"a.gz", string(gz), string(zst), "other data follows the gzip data"},
		{"a.gz", string(gz), string(gz[:1]), "truncated gzip data"},
		{"a.gz", string(gz), string(gz[:5]), "truncated gzip data"},
		{"a.gz", string(gz), "\x1f\x8b\x07" + string(gz[3:]), "damaged gzip data"},
		{"a.gz", string(gz), "\x1f\x8b\x08\x02" + string(gz[4:]), "damaged gzip data"}, // with a checksum of the header
		{"a.zst", string(zst), string(gz), "other data follows the zstd data"},
		{"a.zst", string(zst), string(zst[:5]), "truncated zstd data"},
	} {
		in, err := open(t, c.name, []byte(c.data+c.rest), Options{})
		if err != nil {
			t.Errorf("%s, then %q: %v", c.name, c.rest, err)
			continue
		}
		read, err := io.ReadAll(in)
		if err = in.Explain(err); err == nil || !strings.Contains(err.Error(), c.want) || !bytes.HasPrefix(read, packed) {
			t.Errorf("%s, then %q: read %d bytes, %v; want %q", c.name, c.rest, len(read), err, c.want)
		}
	}
}

// TestEmptyMembers reads compressed data of which many parts in a row are empty.
func TestEmptyMembers(t *testing.T) {
	for name, c := range map[string]sniff.Format{"a.gz": sniff.Gzip, "a.zst": sniff.Zstandard} {
		empty, part := bytes.Repeat(compress(c, nil), 300), compress(c, packed)
		in, err := open(t, name, slices.Concat(empty, part, empty, part, empty), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if read, err := io.ReadAll(in); err != nil || !bytes.Equal(read, slices.Concat(packed, packed)) {
			t.Errorf("%s: read %d bytes, %v", name, len(read), err)
		}
	}
}

// TestCutRecords opens every beginning of a record file, which package record reads as a torn file. Only the first bytes of
// one with another name can be those of compressed data.
func TestCutRecords(t *testing.T) {
	var b bytes.Buffer
	w, err := recordfile.NewWriter(&b, false, nil)
	if err == nil {
		_, err = w.Write(packed)
	}
	if err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	c, _, _ := consoletest.New("")
	for _, name := range []string{"a.rec", "a"} {
		for n := 1; n < b.Len(); n++ {
			if name == "a" && n <= 8 {
				continue
			}
			if err := os.WriteFile(name, b.Bytes()[:n], 0o666); err != nil {
				t.Fatal(err)
			}
			in, err := Open(t.Context(), c, name, Options{})
			if err != nil {
				t.Fatalf("%d bytes of %s: %v", n, name, err)
			}
			got, err := io.ReadAll(in)
			if err != nil || in.Described() == nil || in.Format != sniff.MessagePack || !bytes.HasPrefix(packed, got) {
				t.Errorf("%d bytes of %s: % x as %v, %v", n, name, got, in.Format, err)
			}
			in.Close()
		}
	}
	at := bytes.Index(b.Bytes(), []byte("\x5d\x2a\x4d\x18\x2d\x00\x00\x00\x02")) // the header of the block
	if at < 0 || os.WriteFile("a", b.Bytes()[at:at+60], 0o666) != nil {
		t.Fatal("no block header", at)
	}
	in, err := Open(t.Context(), c, "a", Options{})
	if err == nil {
		_, err = io.ReadAll(in)
		err = in.Explain(err)
		in.Close()
	}
	var f *failure.Error
	if !errors.As(err, &f) || f.Error() != "a: blocks of a record file, without its file header: truncated zstd data" || f.Detail != "To copy what can be read: octet record recover a -o NEW.rec" {
		t.Errorf("a torn end: %v, %+v", err, f)
	}
	for _, data := range []string{"5", "[1]", "\x28\xb5\x2f\xfd\x00\x58", "\x5d\x2a\x4d\x18\x00\x00\x00\x00\x02"} {
		if in, err := open(t, "a.rec", []byte(data), Options{Format: sniff.JSON}); err == nil && in.Described() != nil {
			t.Errorf("%q was opened as a record file", data)
		}
	}
}

// TestForced opens the same kinds of files with a flag that names the format.
func TestForced(t *testing.T) {
	for _, data := range []string{"PK\x03\x04", "hello", "\x01\x02\x03\x05\x08", text} {
		in, err := open(t, "a.json", []byte(data), Options{Format: sniff.MessagePack})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := io.ReadAll(in); string(got) != data || in.Format != sniff.MessagePack {
			t.Errorf("read %q as %v", got, in.Format)
		}
	}
	in, err := open(t, "a", compress(sniff.Gzip, packed), Options{Format: sniff.MessagePack, Raw: true})
	if err != nil || in.Compression != sniff.Unknown {
		t.Errorf("raw: %v", err)
	}
}

func TestOnly(t *testing.T) {
	_, err := open(t, "a.json", []byte(text), Options{Args: []string{"inspect", "--json", "a.json"}, Only: sniff.MessagePack, Anyway: "--force"})
	var f *failure.Error
	if !errors.As(err, &f) || f.Error() != "a.json: this looks like JSON, not MessagePack" ||
		f.Detail != "Try: octet convert --from json a.json | octet inspect --json -\nTo read it as MessagePack anyway: --force" {
		t.Errorf("%v\n%s", err, f.Detail)
	}
}

// TestEmpty opens empty inputs, which have no values.
func TestEmpty(t *testing.T) {
	for _, name := range []string{"a", "a.json", "a.msgpack", "a.gz"} {
		data := []byte{}
		if name == "a.gz" {
			data = compress(sniff.Gzip, nil)
		}
		in, err := open(t, name, data, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for v, err := range in.Values() {
			t.Errorf("%s: value %v, %v", name, v, err)
		}
	}
}

func TestAll(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	os.WriteFile("a.json", []byte("1 "), 0o644)
	os.WriteFile("b.msgpack", []byte{0x81, 0xa1, 'k', 2}, 0o644)
	c := &console.Console{Stdin: strings.NewReader("[3]")}
	var got []byte
	for in, err := range All(t.Context(), c, []string{"a.json", "-", "b.msgpack"}, Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		for v, err := range in.Values() {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, v.Data...)
		}
	}
	if want := "\x01\x91\x03\x81\xa1k\x02"; string(got) != want {
		t.Errorf("% x, want % x", got, want)
	}
	for _, err := range All(t.Context(), c, []string{"missing"}, Options{}) {
		if failure.CodeOf(err) != failure.Access {
			t.Errorf("missing file: %v", err)
		}
	}
	for _, err := range All(t.Context(), c, []string{dir}, Options{}) {
		if failure.CodeOf(err) != failure.Access {
			t.Errorf("directory: %v", err)
		}
	}
}

// TestInterrupted opens an input that never arrives.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, w := io.Pipe()
	defer w.Close()
	if _, err := Open(ctx, &console.Console{Stdin: r}, "-", Options{}); err != failure.ErrInterrupted {
		t.Error(err)
	}
}

// TestUTF8 converts text that arrives byte by byte, with characters that are not
// complete or not valid.
func TestUTF8(t *testing.T) {
	le := binary.LittleEndian
	for _, c := range []struct {
		name string
		data []byte
		unit int
		want string
	}{
		{"surrogate pair", encode("a𝄞b", 2, le, false), 2, "a𝄞b"},
		{"high surrogate alone", []byte{0x34, 0xd8, 'b', 0}, 2, "\xffb"},
		{"low surrogate alone", []byte{0x34, 0xdc, 'b', 0}, 2, "\xffb"},
		{"high surrogate at the end", []byte{'a', 0, 0x34, 0xd8}, 2, "a\xff"},
		{"half a unit", []byte{'a', 0, 'b'}, 2, "a\xff"},
		{"UTF-32", encode("a𝄞b", 4, le, false), 4, "a𝄞b"},
		{"surrogate in UTF-32", []byte{0x34, 0xd8, 0, 0}, 4, "\xff"},
		{"beyond Unicode", []byte{0, 0, 0x11, 0}, 4, "\xff"},
		{"far beyond Unicode", []byte{0, 0, 0, 0xff}, 4, "\xff"},
	} {
		r := sniff.NewUTF8(iotest.OneByteReader(bytes.NewReader(c.data)), sniff.Encoding{Unit: c.unit, Big: le})
		if got, err := io.ReadAll(r); err != nil || string(got) != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

// TestCharacters reads JSON with each kind of character that it allows in a string, in
// every encoding.
func TestCharacters(t *testing.T) {
	for _, r := range " /a~\x7f\u0080\u009b\u00a0\u07ff\u0800\u2028\u202e\ud7ff\ue000\ufdd0\ufeff\ufffd\ufffe\uffff\U00010000\U0001f600\U0010ffff" {
		want := `{"a":["` + string(r) + `"]}`
		for _, mark := range []bool{true, false} {
			for _, unit := range []int{2, 4} {
				for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
					in, err := open(t, "a", encode(want, unit, order, mark), Options{})
					if err != nil {
						t.Fatalf("%U in UTF-%d, %v, mark %v: %v", r, 8*unit, order, mark, err)
					}
					if got, err := io.ReadAll(in); err != nil || string(got) != want {
						t.Errorf("%U in UTF-%d, %v, mark %v: %q, %v", r, 8*unit, order, mark, got, err)
					}
				}
			}
		}
	}
}

// TestBeginning reads text in UTF-16 and compressed data from a pipe that returns
// few bytes at a time.
func TestBeginning(t *testing.T) {
	for _, data := range [][]byte{encode(text, 2, binary.LittleEndian, true), compress(sniff.Gzip, []byte(text)), compress(sniff.Zstandard, packed)} {
		c := &console.Console{Stdin: iotest.OneByteReader(bytes.NewReader(data))}
		in, err := Open(t.Context(), c, "-", Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []byte
		for v, err := range in.Values() {
			if err != nil {
				t.Fatal(in.Explain(err))
			}
			got = append(got, v.Data...)
		}
		if !bytes.Equal(got, packed) {
			t.Errorf("%.20q: %x, want %x", data, got, packed)
		}
	}
}

// TestFiles requires that Each visits the files in order, stops after an error, and adds
// the name of the file to an error about its content.
func TestFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.json": "1", "b.json": "2 [", "c.json": "3"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c, _, _ := consoletest.New("")
	files := &Files{Console: c, Paths: []string{"a.json", "b.json", "c.json"}}
	var out bytes.Buffer
	err := files.Each(t.Context(), func(in *Input) error {
		return in.Stream(&out, func(w *bufio.Writer, r io.Reader) error {
			_, err := io.Copy(w, r)
			return err
		})
	})
	if failure.CodeOf(err) != failure.Data || !strings.HasPrefix(err.Error(), "b.json: value 2, line 1, ") || out.String() != "\x01\x02" {
		t.Errorf("%v, % x", err, out.Bytes())
	}
}
