package formats

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"image"
	"image/color"
	"image/png"
	"io"
	"strings"
	"testing"
	"time"
)

// A seed is a small valid file.
type seed struct {
	format string
	data   []byte
}

// seeds returns small files of every format. They do not depend on the files of
// the Go installation.
func seeds(t testing.TB) (list []seed) {
	t.Helper()
	add := func(format string, data []byte, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, seed{format, data})
	}
	for _, v := range protocolVectors {
		data, err := hex.DecodeString(strings.Join(strings.Fields(v.hex), ""))
		add(v.format.Name(), data, err)
	}
	c, le, err := codecs()
	if err != nil {
		t.Fatal(err)
	}

	var b bytes.Buffer
	err = png.Encode(&b, image.NewPaletted(image.Rect(0, 0, 3, 2), color.Palette{color.Black, color.Transparent}))
	add("png", bytes.Clone(b.Bytes()), err)

	b.Reset()
	g := gzip.NewWriter(&b)
	g.Name, g.Comment, g.Extra = "name", "comment", []byte("AB\x02\x00xy")
	io.WriteString(g, "content")
	add("gzip", bytes.Clone(b.Bytes()), g.Close())
	list[len(list)-1].data = bytes.Clone(b.Bytes())

	b.Reset()
	z := zip.NewWriter(&b)
	z.SetComment("comment")
	w, err := z.CreateHeader(&zip.FileHeader{Name: "a.txt", Modified: time.Unix(1600000000, 0), Comment: "of a file"})
	if err == nil {
		io.WriteString(w, "content")
		err = z.Close()
	}
	add("zip", bytes.Clone(b.Bytes()), err)

	var large []byte // the same in the 64-bit form
	extra := []ZIPExtra{{Body: &ZIPExtra64{[]uint64{0, 0}}}}
	for _, v := range []any{
		ZIPLocal{Needs: 45, Size: 1<<32 - 1, Compressed: 1<<32 - 1, Name: "a", Extra: extra},
		ZIPEntry{Needs: 45, Size: 1<<32 - 1, Compressed: 1<<32 - 1, LocalOffset: 1<<32 - 1, Name: "a", Extra: []ZIPExtra{{Body: &ZIPExtra64{[]uint64{0, 0, 0}}}}},
		ZIPEnd64{Needs: 45, DiskEntries: 1, Entries: 1, DirectorySize: 75, DirectoryOffset: 51},
		ZIPLocator64{Offset: 126, Disks: 1},
		ZIPEnd{DiskEntries: 1<<16 - 1, Entries: 1<<16 - 1, DirectorySize: 1<<32 - 1, DirectoryOffset: 1<<32 - 1},
	} {
		if err == nil {
			large, err = le.MarshalAppend(large, v)
		}
	}
	add("zip", large, err)

	b.Reset()
	tw := tar.NewWriter(&b)
	for _, h := range []*tar.Header{
		{Name: "a.txt", Size: 3, Mode: 0o644, Uname: "user", ModTime: time.Unix(1600000000, 0), Format: tar.FormatUSTAR},
		{Name: strings.Repeat("long/", 30), Mode: 0o755, Size: 0, Format: tar.FormatGNU, Typeflag: tar.TypeDir},
		{Name: "é", Size: 3, Mode: 0o600, ModTime: time.Unix(1, 5), Format: tar.FormatPAX},
	} {
		if err = tw.WriteHeader(h); err == nil && h.Size > 0 {
			_, err = io.WriteString(tw, "abc")
		}
	}
	if err == nil {
		err = tw.Close()
	}
	add("tar", bytes.Clone(b.Bytes()), err)

	for _, order := range []uint8{ELFLittle, ELFBig} {
		codec := c
		if order == ELFLittle {
			codec = le
		}
		header, err := c.Marshal(ELFFile{Data: order, Class: 1, Header: &ELFHeader32{Programs: 1, ProgramOffset: 52, Sections: 1, SectionOffset: 84}})
		if err == nil {
			header, err = codec.MarshalAppend(header, ELFProgram32{Type: 1, FileSize: 7})
		}
		if err == nil {
			header, err = codec.MarshalAppend(header, ELFSection32{Type: 2, Offset: 124, Size: 16})
		}
		if err == nil {
			header, err = codec.MarshalAppend(header, ELFSymbol32{Name: 1, Value: 2, ELFSymbolInfo: ELFSymbolInfo{Bind: 1, Type: 2}})
		}
		add("elf", header, err)
	}

	data := TZIFData64{Times: []int64{-1, 5}, Indexes: []uint8{0, 1}, Types: []TZIFType{{3600, false, 0}, {7200, true, 4}}, Designations: []byte("CET\x00CEST\x00"),
		Leaps: []TZIFLeap64{{78796800, 1}}, Standard: []bool{true, false}, UT: []bool{false, false}}
	zone, err := c.Marshal(TZIFFile{Version: '2', Second: &TZIFSecond{Version: '2', Data64: data, Rule: "CET-1CEST,M3.5.0,M10.5.0/3"}})
	add("tzif", zone, err)

	hello := TLSRecord{Version: 0x301, Body: &TLSHandshakes{[]TLSHandshake{{Body: &TLSClientHello{Version: 0x303, SessionID: []byte{1}, CipherSuites: []uint16{0x1301},
		Compressions: []uint8{0}, Extensions: []TLSClientExtension{
			{Body: &TLSServerNames{[]TLSServerName{{Host: "example.com"}}}}, {Body: &TLSProtocols{[]TLSProtocol{{"h2"}}}},
			{Body: &TLSVersions{[]uint16{0x304}}}, {Body: &TLSKeyShares{[]TLSKeyShare{{29, make([]byte, 32)}}}}}}}}}}
	record, err := c.Marshal(hello)
	add("tls", record, err)
	server := TLSRecord{Version: 0x303, Body: &TLSHandshakes{[]TLSHandshake{
		{Body: &TLSServerHello{Version: 0x303, CipherSuite: 0x1301, Extensions: []TLSServerExtension{{Body: &TLSVersion{0x304}}, {Body: &TLSServerKeyShare{29, []byte{1}}}}}},
		{Body: &TLSCertificate{[]TLSDER{{[]byte{0x30, 0}}}}}, {Body: &TLSServerHelloDone{}}}}}
	record, err = c.Marshal(server)
	if err == nil {
		record, err = c.MarshalAppend(record, TLSRecord{Version: 0x303, Body: &TLSAlert{2, 40}})
	}
	add("tls", record, err)
	return list
}
