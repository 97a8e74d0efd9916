package langs

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// TestPythonNames requires that keys with the names of what a class uses do not hide it.
func TestPythonNames(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip(err)
	}
	text := &schema.Type{Kind: msgpack.FormStr, Length: -1}
	root := &schema.Type{Kind: msgpack.FormStruct, Name: "T", Length: -1}
	names := strings.Fields(strings.Join(pyWords, " ") + " " + strings.Join(pyNames, " ") + " classmethod staticmethod property field object type super T t")
	seen := map[string]bool{}
	for _, name := range names {
		if !seen[name] {
			seen[name] = true
			root.Fields = append(root.Fields, schema.Field{Name: name, OmitEmpty: true, Value: schema.Value{Type: text, Nil: true}})
		}
	}
	source := string(Python(&schema.Schema{Root: schema.Value{Type: root}}, Options{Type: "T"}))
	c := exec.Command(python, "-")
	c.Stdin = strings.NewReader(source + "\nm = {k: k for k in " + quote(strings.Join(names, " ")) + ".split()}\nassert T.from_message(m).to_message() == m, T.from_message(m)\n")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, source)
	}
}
