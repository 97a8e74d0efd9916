package format

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

// files writes files into the current directory and returns them as inputs.
func files(t *testing.T, content map[string]string, names ...string) *input.Files {
	t.Helper()
	for _, name := range names {
		if err := os.WriteFile(name, []byte(content[name]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	c, _, _ := consoletest.New("")
	return &input.Files{Console: c, Paths: names}
}

var content = map[string]string{
	"long.msgpack":  "\x82\xa1b\xcd\x00\x05\xa1a\x01", // {"b": 5_u16, "a": 1}
	"short.msgpack": "\x82\xa1a\x01\xa1b\x05",
	"twice.msgpack": "\xc0\x82\xa1a\x01\xa1a\x02",
	"a.json":        "{\"b\": 1,\n\"a\": 2}\n",
	"twice.json":    "1\n{\"a\":1,\"a\":2}\n",
}

func TestStream(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		name, file string
		o          Options
		want       string
	}{
		{"shortest", "long.msgpack", Options{}, "\x82\xa1b\x05\xa1a\x01"},
		{"canonical", "long.msgpack", Options{Canonical: true}, content["short.msgpack"]},
		{"JSON", "a.json", Options{}, "{\"b\":1,\"a\":2}\n"},
		{"canonical JSON", "a.json", Options{Canonical: true}, "{\"a\":2,\"b\":1}\n"},
		{"pretty JSON", "a.json", Options{Pretty: true}, "{\n  \"b\": 1,\n  \"a\": 2\n}\n"},
		{"both", "a.json", Options{Canonical: true, Pretty: true}, "{\n  \"a\": 2,\n  \"b\": 1\n}\n"},
	} {
		var out bytes.Buffer
		if err := c.o.Stream(t.Context(), files(t, content, c.file), &out, false); err != nil || out.String() != c.want {
			t.Errorf("%s: %q, %v, want %q", c.name, out.String(), err, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		files string
		o     Options
		want  string
	}{
		{"long.msgpack a.json", Options{}, "so they cannot have one output"},
		{"long.msgpack", Options{Pretty: true}, "--pretty requires JSON, but long.msgpack is MessagePack"},
		{"twice.msgpack", Options{Canonical: true}, "twice.msgpack: offset 5: duplicate key"},
		{"twice.json", Options{Canonical: true}, "twice.json: value 2, line 2, column 8: duplicate key"},
	} {
		var out bytes.Buffer
		if err := c.o.Stream(t.Context(), files(t, content, strings.Fields(c.files)...), &out, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.files, err, c.want)
		}
	}
	var o Options
	if err := o.Stream(t.Context(), files(t, content, "long.msgpack"), new(bytes.Buffer), true); err != task.ErrTerminal {
		t.Errorf("MessagePack on a terminal: %v", err)
	}
	if err := o.Stream(t.Context(), files(t, content, "a.json"), new(bytes.Buffer), true); err != nil {
		t.Errorf("JSON on a terminal: %v", err)
	}
}

func TestFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	var place task.InPlace
	var out bytes.Buffer
	names := []string{"long.msgpack", "short.msgpack"}
	check := Options{Canonical: true, Check: true}
	err := check.Files(t.Context(), files(t, content, names...), &out, &place)
	if failure.CodeOf(err) != failure.Finding || err.Error() != "1 file would change" || out.String() != "long.msgpack\n" {
		t.Errorf("check: %v, %s", err, &out)
	}
	if text, _ := os.ReadFile("long.msgpack"); string(text) != content["long.msgpack"] {
		t.Errorf("check has written % x", text)
	}
	out.Reset()
	write := Options{Canonical: true, Write: true, JSON: true}
	inputs := files(t, content, names...)
	before, err := os.Stat("short.msgpack")
	if err != nil {
		t.Fatal(err)
	}
	err = write.Files(t.Context(), inputs, &out, &place)
	if after, err := os.Stat("short.msgpack"); err != nil || !os.SameFile(before, after) {
		t.Errorf("a file that does not change was replaced, %v", err)
	}
	if want := `{"file":"long.msgpack","format":"msgpack","values":1,"bytes_in":9,"bytes_out":7,"changed":true}` + "\n" +
		`{"file":"short.msgpack","format":"msgpack","values":1,"bytes_in":7,"bytes_out":7,"changed":false}` + "\n"; err != nil || out.String() != want {
		t.Errorf("write: %v, %s", err, &out)
	}
	if text, _ := os.ReadFile("long.msgpack"); string(text) != content["short.msgpack"] {
		t.Errorf("write has written % x", text)
	}
	if err := write.Files(t.Context(), files(t, content, "twice.msgpack"), &out, &place); failure.CodeOf(err) != failure.Data {
		t.Errorf("duplicate keys: %v", err)
	}
	if text, _ := os.ReadFile("twice.msgpack"); string(text) != content["twice.msgpack"] {
		t.Errorf("a file that cannot be rewritten has % x", text)
	}
	const unrecognized = "\xcd\x00\x5b\xcd\x00\x5d" // [] after that
	if err := write.Files(t.Context(), files(t, map[string]string{"twice.msgpack": unrecognized}, "twice.msgpack"), &out, &place); failure.CodeOf(err) != failure.Data {
		t.Errorf("a result that looks like JSON: %v", err)
	}
	if text, _ := os.ReadFile("twice.msgpack"); string(text) != unrecognized {
		t.Errorf("a file whose result looks like JSON has % x", text)
	}
	if list, _ := os.ReadDir("."); len(list) != 3 {
		t.Errorf("%d files, want 3", len(list))
	}
}
