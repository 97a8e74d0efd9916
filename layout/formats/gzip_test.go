package formats

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"hash/crc32"
	"io"
	"path/filepath"
	"testing"
	"time"
)

// TestGzip compares headers and trailers with compress/gzip, for files of the Go
// installation and for headers with all fields.
func TestGzip(t *testing.T) {
	list := map[string][]byte{}
	for _, dir := range []string{"compress/gzip", "debug/elf"} {
		for name, data := range files(t, goroot(t, "src", filepath.FromSlash(dir), "testdata"), ".gz") {
			list[name] = data
		}
	}
	for _, h := range []gzip.Header{
		{},
		{Name: "a.txt"},
		{Name: "b", Comment: "comment", ModTime: time.Unix(1600000000, 0), OS: 3},
		{Extra: []byte("AB\x02\x00xyCD\x00\x00"), Comment: "c"},
		{Extra: []byte("+aHR0cHM6"), Name: "not subfields"},
		{Extra: []byte{0}, Name: "one byte"},
	} {
		var b bytes.Buffer
		w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
		w.Header = h
		io.WriteString(w, "content of "+h.Name)
		w.Close()
		list["written "+h.Name] = b.Bytes()
	}
	// A header with a checksum, which compress/gzip reads but does not write.
	sum, err := hex.DecodeString("1f8b0802000000000003")
	if err != nil {
		t.Fatal(err)
	}
	c := crc32.ChecksumIEEE(sum)
	sum = append(sum, byte(c), byte(c>>8))
	sum = append(sum, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0) // an empty deflate stream, its CRC and size
	list["header with a checksum"] = sum
	agree := 0
	for name, data := range list {
		got, err := messages(Gzip(), data)
		r, oracle := gzip.NewReader(bytes.NewReader(data))
		if err != nil || oracle != nil || len(got) != 2 {
			t.Errorf("%s: %d messages, %v, compress/gzip: %v", name, len(got), err, oracle)
			continue
		}
		encodes(t, got[0])
		encodes(t, got[1])
		h, ok := got[0].Value.(*GzipHeader)
		if raw, isRaw := got[0].Value.(*GzipRawHeader); isRaw {
			if !bytes.Equal(raw.Extra, r.Extra) {
				t.Errorf("%s: extra field % x, want % x", name, raw.Extra, r.Extra)
			}
			h = &GzipHeader{GzipStart: raw.GzipStart, Name: raw.Name, Comment: raw.Comment}
		} else if !ok {
			t.Fatalf("%s: %T", name, got[0].Value)
		}
		modified := time.Time{}
		if h.Modified > 0 {
			modified = time.Unix(int64(h.Modified), 0)
		}
		if h.Name != r.Name || h.Comment != r.Comment || h.System != r.OS || !modified.Equal(r.ModTime) || h.HasExtra != (r.Extra != nil) {
			t.Errorf("%s: %+v, want %+v", name, h, r.Header)
		}
		if name == "issue6550.gz" { // random bytes after the header
			continue
		}
		trailer := got[1].Value.(*GzipTrailer)
		content, err := io.ReadAll(r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if trailer.Size != uint32(len(content)) || trailer.CRC != crc32.ChecksumIEEE(content) {
			t.Errorf("%s: %+v, content has %d bytes", name, trailer, len(content))
		}
		agree++
	}
	sum[10] ^= 1
	if _, err := messages(Gzip(), sum); err == nil {
		t.Error("header with a wrong checksum was accepted")
	}
	t.Logf("%d of %d headers and trailers agree", agree, len(list))
}
