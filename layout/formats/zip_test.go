package formats

import (
	"archive/zip"
	"bytes"
	"testing"
)

// TestZIP compares the headers with archive/zip.
func TestZIP(t *testing.T) {
	list := files(t, goroot(t, "src", "archive", "zip", "testdata"), ".zip")
	entries, refused, same := 0, 0, 0
	for name, data := range list {
		got, err := messages(ZIP(), data)
		want, oracle := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if oracle != nil {
			refused++
			if err == nil {
				t.Logf("%s: read; archive/zip: %v", name, oracle)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var heads []*ZIPEntry
		var locals []Message
		for _, m := range got {
			encodes(t, m)
			same++
			switch v := m.Value.(type) {
			case *ZIPEnd:
				if v.Comment != want.Comment {
					t.Errorf("%s: comment %q, want %q", name, v.Comment, want.Comment)
				}
			case *ZIPEntry:
				heads = append(heads, v)
			case *ZIPLocal:
				locals = append(locals, m)
			}
		}
		if len(heads) != len(want.File) || len(locals) != len(want.File) {
			t.Errorf("%s: %d entries and %d local headers, want %d", name, len(heads), len(locals), len(want.File))
			continue
		}
		for i, f := range want.File {
			entries++
			h, local := heads[i], locals[i]
			d := h.Modified
			year, month, day := int(d.Year)+1980, int(d.Month), int(d.Day)
			if h.Name != f.Name || h.Comment != f.Comment || h.CRC != f.CRC32 || h.Method != f.Method || h.External != f.ExternalAttrs ||
				h.Compressed != f.CompressedSize || h.Size != f.UncompressedSize || h.Flags.Descriptor != (f.Flags&8 != 0) ||
				uint16(d.Hour)<<11|uint16(d.Minute)<<5|uint16(d.Second) != f.ModifiedTime ||
				uint16(year-1980)<<9|uint16(month)<<5|uint16(day) != f.ModifiedDate {
				t.Errorf("%s: entry %d: %+v\nwant %+v", name, i, h, f.FileHeader)
			}
			if off, err := f.DataOffset(); err != nil || off != local.Offset+int64(len(local.Data)) {
				t.Errorf("%s: content of entry %d at %d, want %d, %v", name, i, local.Offset+int64(len(local.Data)), off, err)
			}
		}
	}
	t.Logf("%d files, %d refused by archive/zip; %d entries agree; %d messages encode to the same bytes", len(list), refused, entries, same)
}

// TestZIPPrefix reads archives after other bytes, as in programs that unpack
// themselves. The offsets in them do not count those bytes.
func TestZIPPrefix(t *testing.T) {
	const prefix = 1000
	for name, data := range files(t, goroot(t, "src", "archive", "zip", "testdata"), ".zip") {
		if name == "test-prefix.zip" || name == "comment-truncated.zip" || name == "test-badbase.zip" || name == "test-baddirsz.zip" {
			continue // their offsets are wrong already
		}
		want, err := messages(ZIP(), data)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		got, err := messages(ZIP(), append(make([]byte, prefix), data...))
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: %d messages, %v, want %d", name, len(got), err, len(want))
			continue
		}
		for i, m := range got {
			if m.Name != want[i].Name || m.Offset != want[i].Offset+prefix {
				t.Errorf("%s: %s at %d, want %s at %d", name, m.Name, m.Offset, want[i].Name, want[i].Offset+prefix)
			}
		}
	}
}

// TestZIPOffset64 has an entry whose sizes and offset are in the extra field.
func TestZIPOffset64(t *testing.T) {
	const max = 0xffffffff
	for _, c := range []struct {
		entry ZIPEntry
		want  int64
	}{
		{ZIPEntry{LocalOffset: 7}, 7},
		{ZIPEntry{LocalOffset: max}, max},
		{ZIPEntry{LocalOffset: max, Extra: []ZIPExtra{{ID: 1, Body: &ZIPExtra64{[]uint64{5}}}}}, 5},
		{ZIPEntry{LocalOffset: max, Size: max, Extra: []ZIPExtra{{ID: 1, Body: &ZIPExtra64{[]uint64{5, 6}}}}}, 6},
		{ZIPEntry{LocalOffset: max, Size: max, Compressed: max, Extra: []ZIPExtra{{ID: 9, Body: nil}, {ID: 1, Body: &ZIPExtra64{[]uint64{5, 6, 7}}}}}, 7},
		{ZIPEntry{LocalOffset: max, Size: max, Extra: []ZIPExtra{{ID: 1, Body: &ZIPExtra64{[]uint64{5}}}}}, max},
	} {
		if got := c.entry.localOffset(); got != c.want {
			t.Errorf("%+v: %d, want %d", c.entry, got, c.want)
		}
	}
}

// TestZIPRawExtra has archives whose extra fields are no lists of the known fields: zeros that zipalign and other
// programs write to align contents, and fields with more or fewer bytes than usual. Other programs read them.
func TestZIPRawExtra(t *testing.T) {
	for name, extra := range map[string]string{
		"a zero": "\x00", "two zeros": "\x00\x00", "three zeros": "\x00\x00\x00", "field and zero": "\xfe\xca\x00\x00\x00", "too long": "\xfe\xca\x09\x00abc",
		"times without flags": "\x55\x54\x00\x00", "other version of Unix": "\x75\x78\x01\x00\x02", "with number of the disk": "\x01\x00\x0c\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00",
	} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, file := range []string{"first", "second"} {
			w, err := z.CreateRaw(&zip.FileHeader{Name: file, Comment: "comment", Extra: []byte(extra), CompressedSize64: 3, UncompressedSize64: 3})
			if err != nil {
				t.Fatal(err)
			}
			w.Write([]byte("abc"))
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		want, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatalf("%s: archive/zip: %v", name, err)
		}
		got, err := messages(ZIP(), b.Bytes())
		if err != nil || len(got) != 5 {
			t.Errorf("%s: %d messages, %v, want 5", name, len(got), err)
			continue
		}
		for i, f := range want.File {
			entry, local := got[1+2*i], got[2+2*i]
			e, ok := entry.Value.(*ZIPRawEntry)
			l, isRaw := local.Value.(*ZIPRawLocal)
			if !ok || !isRaw || e.Name != f.Name || e.Comment != f.Comment || string(e.Extra) != extra || l.Name != f.Name || string(l.Extra) != extra {
				t.Errorf("%s: %+v, %+v", name, entry.Value, local.Value)
			}
			if off, err := f.DataOffset(); err != nil || off != local.Offset+int64(len(local.Data)) {
				t.Errorf("%s: content at %d, want %d, %v", name, local.Offset+int64(len(local.Data)), off, err)
			}
			encodes(t, entry)
			encodes(t, local)
		}
	}
}

// TestZIPRawOffset64 has an entry whose offset is in a field of a list that ends in zeros.
func TestZIPRawOffset64(t *testing.T) {
	_, le, err := codecs()
	if err != nil {
		t.Fatal(err)
	}
	entry := &ZIPRawEntry{LocalOffset: 1<<32 - 1, Size: 1<<32 - 1, Extra: []byte("\xfe\xca\x00\x00\x01\x00\x14\x00\x05\x00\x00\x00\x00\x00\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00")}
	if got := localOffset(&walk{le: le}, entry); got != 7 {
		t.Errorf("offset %d, want 7", got)
	}
}
