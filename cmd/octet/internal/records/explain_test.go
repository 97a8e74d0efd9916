package records

import (
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
	for name, text := range map[string]string{"a.json": `{"a":1}`, "a.msgpack": "\x81\xa1a\x01", "a.png": "\x89PNG\r\n\x1a\n0000", "a.rec": "\x81\xa1a\x01"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]struct{ text, detail string }{
		"a.json":    {"a.json: this looks like JSON, not a record file", "To make one: octet convert a.json -o NEW.rec"},
		"a.msgpack": {"a.msgpack: this looks like MessagePack, not a record file", "To make one: octet convert a.msgpack -o NEW.rec"},
		"a.png":     {"a.png: this looks like a PNG image, not a record file", ""},
		"none.rec":  {"none.rec: no such file or directory", ""},
	} {
		_, err := open(name)
		var f *failure.Error
		if !errors.As(err, &f) || f.Error() != want.text || f.Detail != want.detail {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	_, err := open("a.rec") // it can be a record file whose first bytes are damaged
	var f *failure.Error
	if !errors.As(err, &f) || f.Code != failure.Data || strings.Contains(f.Error(), "record: ") || f.Detail != "To copy what can be read: octet record recover a.rec -o NEW.rec" {
		t.Errorf("%v, %+v", err, f)
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
