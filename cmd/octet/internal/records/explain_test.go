package records

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/record"
)

// TestExplain checks the errors that the user sees.
func TestExplain(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.json": `{"a":1}`, "a.msgpack": "\x81\xa1a\x01", "a.png": "\x89PNG\r\n\x1a\n0000", "a.rec": "\x81\xa1a\x01",
		"a.gz": "\x1f\x8b\x08\x00\x00\x00\x00\x00", "a.zst": "\x28\xb5\x2f\xfd\x24\x2a\x00\x00"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, err := os.Lstat("none.rec")
	missing := errors.Unwrap(err) // in the words of the system
	for name, want := range map[string]struct{ text, detail string }{
		"a.json":    {"a.json: this looks like JSON, not a record file", "To make one: octet convert a.json -o NEW.rec"},
		"a.msgpack": {"a.msgpack: this looks like MessagePack, not a record file", "To make one: octet convert a.msgpack -o NEW.rec"},
		"a.png":     {"a.png: this looks like a PNG image, not a record file", ""},
		"a.gz":      {"a.gz: this looks like gzip data, not a record file", "If it contains one: gzip -dc a.gz > NEW.rec"},
		"a.zst":     {"a.zst: this looks like zstd data, not a record file", "If it contains one: zstd -dc a.zst > NEW.rec"},
		"none.rec":  {"none.rec: " + missing.Error(), ""},
	} {
		_, err := open(name)
		var f *failure.Error
		if !errors.As(err, &f) || f.Error() != want.text || f.Detail != want.detail {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	_, err = open("a.rec") // it can be a record file whose first bytes are damaged
	var f *failure.Error
	if !errors.As(err, &f) || f.Code != failure.Data || strings.Contains(f.Error(), "record: ") || f.Detail != "To copy what can be read: octet record recover a.rec -o NEW.rec" {
		t.Errorf("%v, %+v", err, f)
	}
}

// TestExplainDamaged changes each byte of a file header, and removes it. The error says how to copy the blocks, and not that the
// file is something else.
func TestExplainDamaged(t *testing.T) {
	t.Chdir(t.TempDir())
	numbers(t, "a.rec", 0, 3000)
	whole, err := os.ReadFile("a.rec")
	if err != nil {
		t.Fatal(err)
	}
	header := bytes.Index(whole[1:], whole[:4]) + 1 // its length
	damaged := [][]byte{whole[header:]}
	for i := range header {
		for _, b := range []byte{0, 0x41, 0xa5, 0xff} {
			file := bytes.Clone(whole)
			file[i] = b
			damaged = append(damaged, file)
		}
	}
	for _, file := range damaged {
		if bytes.Equal(file, whole) {
			continue
		}
		if err := os.WriteFile("a.rec", file, 0o666); err != nil {
			t.Fatal(err)
		}
		var f *failure.Error
		if _, err := open("a.rec"); !errors.As(err, &f) || f.Code != failure.Data || f.Detail != "To copy what can be read: octet record recover a.rec -o NEW.rec" {
			t.Errorf("% x…: %v, %+v", file[:20], err, f)
		}
	}
}

// TestExplainAccess checks the errors of files that cannot be written. Each names the file once.
func TestExplainAccess(t *testing.T) {
	t.Chdir(t.TempDir())
	w, err := record.Create("a.rec", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	_, locked := record.Append("a.rec", nil)
	_, exists := record.Create("a.rec", nil)
	full := &record.Error{File: "a.rec.torn-9", Offset: 9, Err: &fs.PathError{Op: "write", Path: "a.rec.torn-9", Err: errors.New("full")}}
	for want, err := range map[string]error{
		"a.rec: another writer has the file open": locked,
		"a.rec: file exists":                      exists,
		"a.rec.torn-9: full":                      full,
	} {
		if got := Explain("a.rec", err); got == nil || got.Error() != want || failure.CodeOf(got) != failure.Access {
			t.Errorf("%v, want %s", got, want)
		}
	}
}
