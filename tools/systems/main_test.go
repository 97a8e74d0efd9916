package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCheck requires a finding of each kind, and none for targets that lack the file.
func TestCheck(t *testing.T) {
	t.Setenv("GOWORK", "off")
	for _, c := range []struct{ name, file, text, target, want string }{
		{"type", "a_windows.go", "var X int = \"\"", "windows/amd64", "a_windows.go:3:13: cannot use"},
		{"type in test", "a_js_test.go", "var X int = \"\"", "js/wasm", "a_js_test.go:3:13: cannot use"},
		{"size of int", "a.go", "var X int = 1 << 40", "linux/386", "a.go:3:13: cannot use 1 << 40"},
		{"tag", "a.go", "//go:build purego\n\npackage a\n\nvar X = y", "linux/amd64,purego", "a.go:5:9: undefined: y"},
		{"import", "a_windows.go", "import _ \"example.com/b\"", "windows/amd64", "example.com/b"},
		{"body", "a_arm64.go", "func f(x int) int", "linux/arm64", "a_arm64.go:3:1: missing function body of f"},
		{"vet", "a_darwin.go", "import \"fmt\"\n\nfunc F() { fmt.Printf(\"%d\", \"\") }", "darwin/arm64", "a_darwin.go:5:24: printf: fmt.Printf format %d has arg"},
		{"assembly", "a_arm64.s", "TEXT ·f(SB), 4, $0-16\n\tMOVD x+8(FP), R0\n\tRET", "linux/arm64", "a_arm64.s:2:1: asmdecl: [arm64] f: "},
		{"none", "b.go", "var Y = 1", "wasip1/wasm", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			text := c.text
			if filepath.Ext(c.file) == ".go" && !strings.Contains(text, "package") {
				text = "package a\n\n" + text
			}
			files := map[string]string{"go.mod": "module example.com/a\n\ngo 1.26.0\n", "z.go": "package a\n", c.file: text + "\n"}
			if strings.HasSuffix(c.file, ".s") {
				files["f_arm64.go"] = "package a\n\nfunc f(x int) int\n"
			}
			for name, text := range files {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			for target, want := range map[string]string{c.target: c.want, "plan9/amd64": ""} {
				if c.file == "a.go" && target != c.target {
					continue
				}
				var b strings.Builder
				err := check(&b, target, dir, "./...")
				if got := b.String(); (err != nil) != (want != "") || !strings.Contains(got, want) || (got == "") != (want == "") {
					t.Errorf("%s: got %q, %v, want %q", target, got, err, want)
				}
			}
		})
	}
	if err := check(io.Discard, "linux", ""); err == nil {
		t.Error("a target without an architecture is no error")
	}
	if err := check(io.Discard, "linux/amd64", t.TempDir(), "./..."); err == nil {
		t.Error("no packages are no error")
	}
}
