package inspector

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
)

func setup(paths ...string) *input.Files {
	c, _, _ := consoletest.New("")
	return &input.Files{Console: c, Paths: paths}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestWrite(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "a.json", `{"first": 1}`)
	put(t, "empty.msgpack", "")
	put(t, "bad.json", `{"first": `)
	var asking bytes.Buffer
	if err := Write(t.Context(), setup(), &asking); err != nil {
		t.Fatal(err)
	}
	for name, part := range map[string]string{"a.json": ">first</span>", "empty.msgpack": "empty.msgpack"} {
		var b bytes.Buffer
		if err := Write(t.Context(), setup(name), &b); err != nil || !strings.Contains(b.String(), part) {
			t.Errorf("%s: %d bytes, %v", name, b.Len(), err)
		}
		if bytes.Equal(b.Bytes(), asking.Bytes()) {
			t.Errorf("%s: the page asks for a file", name)
		}
	}
	var b bytes.Buffer
	if err := Write(t.Context(), setup("bad.json"), &b); failure.CodeOf(err) != failure.Data || b.Len() > 0 {
		t.Errorf("malformed JSON: %v, and %d bytes were written", err, b.Len())
	}
}
