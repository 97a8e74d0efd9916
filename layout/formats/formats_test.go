package formats

import (
	"bytes"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// goroot returns a folder of the Go installation. The test is skipped if the
// installation has been stripped of it.
func goroot(t testing.TB, elem ...string) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("go env GOROOT: %v", err)
	}
	dir := filepath.Join(append([]string{strings.TrimSpace(string(root))}, elem...)...)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the Go installation does not have %s", dir)
	}
	return dir
}

// files reads all files of a folder whose names end in one of the suffixes. Files
// in base64 are decoded.
func files(t testing.TB, dir string, suffixes ...string) map[string][]byte {
	t.Helper()
	list := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		base, encoded := strings.CutSuffix(name, ".base64")
		if !slices.ContainsFunc(suffixes, func(s string) bool { return strings.HasSuffix(base, s) }) {
			return nil
		}
		data, err := os.ReadFile(name)
		if err == nil && encoded {
			data, err = base64.StdEncoding.DecodeString(string(data))
		}
		list[strings.TrimPrefix(base, dir+string(filepath.Separator))] = data
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Skipf("no files in %s", dir)
	}
	return list
}

// messages returns all messages of a file.
func messages(f Format, data []byte) (list []Message, err error) {
	for m, err := range f.Messages(data) {
		if err != nil {
			return list, err
		}
		list = append(list, m)
	}
	return list, nil
}

// encodes checks that m is encoded to the bytes that it was decoded from, and that
// its fields cover them.
func encodes(t *testing.T, m Message) {
	t.Helper()
	covered(t, m)
	got, err := m.Codec().Marshal(m.Value)
	if err != nil || !bytes.Equal(got, m.Data) {
		t.Errorf("%s at offset %d: %v\n got % x\nwant % x", m.Name, m.Offset, err, clip(got), clip(m.Data))
	}
}

// covered checks that the leaves of the fields of m cover its bytes in order.
func covered(t *testing.T, m Message) {
	t.Helper()
	list, err := m.Fields()
	pos := 0
	for i, f := range list {
		if i+1 < len(list) && list[i+1].Depth > f.Depth || f.Bits > 0 && f.Offset+f.Size == pos {
			continue // something is inside, or another field of the run
		}
		if f.Offset != pos {
			t.Errorf("%s at offset %d: %+v does not begin at %d", m.Name, m.Offset, f, pos)
			return
		}
		pos += f.Size
	}
	if err != nil || pos != len(m.Data) || len(list) == 0 || list[0].Size != pos {
		t.Errorf("%s at offset %d: fields of %d of %d bytes, %v", m.Name, m.Offset, pos, len(m.Data), err)
	}
}

func clip(b []byte) []byte { return b[:min(len(b), 200)] }

func TestNames(t *testing.T) {
	names := Names()
	if !slices.IsSorted(names) {
		t.Errorf("not sorted: %v", names)
	}
	for _, name := range names {
		f, ok := Lookup(name)
		if !ok || f.Name() != name || f.About() == "" || strings.ToLower(name) != name {
			t.Errorf("%s: %v %q %q", name, ok, f.Name(), f.About())
		}
	}
	if _, ok := Lookup("none"); ok {
		t.Error("found a format called none")
	}
}

// TestOverlap has an ELF file whose sections are all the same table of symbols. It
// would be decoded once for each of them.
func TestOverlap(t *testing.T) {
	const symbols = 2000
	c, _, _ := codecs()
	file := ELFFile{Data: ELFBig, Class: 2, Header: &ELFHeader64{SectionOffset: 64, Sections: symbols}}
	data, err := c.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	for range symbols {
		section, err := c.Marshal(ELFSection64{Type: 2, Offset: 64, Size: 64 * symbols})
		if err != nil {
			t.Fatal(err)
		}
		data = append(data, section...)
	}
	list, err := messages(ELF(), data)
	if err == nil || !strings.Contains(err.Error(), "overlap") {
		t.Errorf("%d messages, %v", len(list), err)
	}
	n := 0
	for _, m := range list {
		n += len(m.Data)
	}
	if n > 4*len(data)+1<<16 {
		t.Errorf("decoded %d bytes of a file of %d", n, len(data))
	}
}

// TestStop checks that a caller can stop anywhere.
func TestStop(t *testing.T) {
	for _, s := range seeds(t) {
		f, _ := Lookup(s.format)
		for stop := range 4 {
			n := 0
			for range f.Messages(s.data) {
				if n++; n > stop {
					break
				}
			}
		}
	}
}
