package record

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/record"
)

func plainPython(t *testing.T) string {
	t.Helper()
	bin, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	return bin
}

func checkRecords(t *testing.T, got []string, s *sample) {
	t.Helper()
	var want []string
	for _, r := range s.records {
		want = append(want, hex.EncodeToString(r))
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d records, want %d", len(got), len(want))
	}
}

// TestReader reads the stored samples by reader.py, whole and in ranges.
func TestReader(t *testing.T) {
	bin := plainPython(t)
	for _, s := range samples(t) {
		if s.compressed {
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			got, last := runReader(t, bin, s.path)
			checkRecords(t, got, &s)
			if strings.HasPrefix(last, "torn") != s.torn || !s.torn && last != "end" {
				t.Errorf("it ends with %q", last)
			}
			info, err := os.Stat(s.path)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(s.name, "joined") {
				return
			}
			var all []string
			for at := int64(0); at < info.Size(); at += 300_000 {
				got, _ := runReader(t, bin, s.path, fmt.Sprint(at), fmt.Sprint(min(at+300_000, info.Size())))
				all = append(all, got...)
			}
			checkRecords(t, all, &s)
		})
	}
}

// TestReaderAgrees damages a file and compares reader.py with package record: where
// reading ends, and after how many records.
func TestReaderAgrees(t *testing.T) {
	bin := plainPython(t)
	path := filepath.Join(t.TempDir(), "a.rec")
	write(t, path, record.Options{BlockSize: 1 << 10}, values(t, 30))
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	try := func(name string, damaged []byte) {
		t.Helper()
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		got, last := runReader(t, bin, path)
		n, failure := 0, error(nil)
		f, err := record.NewFile(bytes.NewReader(damaged), int64(len(damaged)), nil)
		if failure = err; err == nil {
			for _, err := range record.All[msgpack.Raw](f) {
				if failure = err; err != nil {
					break
				}
				n++
			}
		}
		if n != len(got) || (failure != nil) != strings.HasPrefix(last, "damage") {
			t.Errorf("%s: reader.py has %d records and %q, record %d and %v", name, len(got), last, n, failure)
		}
		if f == nil || failure == nil && len(damaged) == 0 {
			return
		}
		if r, err := record.Recover(path, "", nil); err == nil && f.Len() > 0 {
			if got, _ := runReader(t, bin, path, "recover"); int64(len(got)) != r.Records {
				t.Errorf("%s: after damage reader.py has %d records, record %d", name, len(got), r.Records)
			}
		}
	}
	step := max(1, len(file)/25)
	for at := 0; at < len(file); at += step {
		try(fmt.Sprintf("cut at %d", at), file[:at])
		damaged := bytes.Clone(file)
		damaged[at] ^= 0x11
		try(fmt.Sprintf("byte %d", at), damaged)
	}
	try("zeros at the end", append(bytes.Clone(file), make([]byte, 1000)...))
	try("text at the end", append(bytes.Clone(file), strings.Repeat("text ", 20)...))
	for at := 0; at+512 <= len(file); at += 512 {
		lost := bytes.Clone(file)
		clear(lost[at:][:512])
		try(fmt.Sprintf("zeros at %d", at), lost)
		try(fmt.Sprintf("zeros at %d, no index", at), lost[:max(len(file)-400, at+512)])
	}
	try("text", []byte("this is a text, and no record file at all, but long enough to be one"))
}

// TestReaderAgreesOnMovedFrames copies each frame of a file to each other place, after a frame that is whole or begins
// with zeros, and compares reader.py with package record.
func TestReaderAgreesOnMovedFrames(t *testing.T) {
	bin := plainPython(t)
	path := filepath.Join(t.TempDir(), "a.rec")
	file := syncedFile(t)
	ends := []int{0}
	for at := 0; at < len(file); {
		at += 8 + int(binary.LittleEndian.Uint32(file[at+4:]))
		if bytes.HasPrefix(file[at:], []byte{0x28, 0xb5, 0x2f, 0xfd}) {
			at += int(binary.LittleEndian.Uint32(file[at-28:])) // the stored length of the block header before it
		}
		ends = append(ends, at)
	}
	if len(ends) != 11 {
		t.Fatalf("%d frames", len(ends)-1)
	}
	ends = ends[:9] // an index or seek table shows too much
	for from := range len(ends) - 1 {
		for to := range ends {
			for _, zeros := range []int{0, 8} {
				moved := slices.Concat(file[:ends[to]], file[ends[from]:ends[from+1]], file[ends[to]:ends[8]])
				clear(moved[ends[max(to-1, 0)]:][:zeros])
				if err := os.WriteFile(path, moved, 0o666); err != nil {
					t.Fatal(err)
				}
				got, last := runReader(t, bin, path)
				s := record.NewScanner(bytes.NewReader(moved), nil)
				n := 0
				for s.Scan() {
					n++
				}
				want := "end"
				if s.Err() != nil {
					want = "damage"
				} else if s.Report().Torn > 0 {
					want = "torn"
				}
				if n != len(got) || !strings.HasPrefix(last, want) {
					t.Errorf("frame %d at %d, %d zeros: reader.py has %d records and %q, record %d and %s, %v",
						from, to, zeros, len(got), last, n, want, s.Err())
				}
			}
		}
	}
}

// syncedFile returns a file of a header, four blocks with sync marks between them, and tables.
func syncedFile(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.rec")
	w, err := record.Create(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		if err := errors.Join(w.Write(strings.Repeat("x", 400*i)), w.Write(i), w.Sync()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file
}
