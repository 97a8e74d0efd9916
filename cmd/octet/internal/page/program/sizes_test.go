package program

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
)

// TestSizes requires that the parts are nearly all of a program, and names a package.
func TestSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: builds a program")
	}
	source := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(source, []byte("package main\n\nimport \"strings\"\n\nfunc main() { println(strings.ToUpper(\"a\")) }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(filepath.Dir(source), "a.wasm")
	c := exec.Command("go", "build", "-o", out, source)
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	if output, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	wasm, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	parts, err := Sizes(wasm)
	if err != nil {
		t.Fatal(err)
	}
	sizes, total := map[string]int{}, 0
	for _, p := range parts {
		sizes[p.Name] = p.Bytes
		total += p.Bytes
	}
	if sizes["strings"] < 100 || sizes["runtime"] < 100_000 || sizes["(other code)"] > total/10 || total < len(wasm)/2 {
		t.Errorf("the parts of %d bytes are %v", len(wasm), parts)
	}
}

// FuzzSizes reads any bytes as WebAssembly.
func FuzzSizes(f *testing.F) {
	head := "\x00asm\x01\x00\x00\x00"
	for _, s := range []string{"", head, head + "\x0a\x04\x01\x02\x00\x0b", head + "\x00\x0e\x04name\x01\x07\x01\x00\x04main.", head + "\x02\x01\x05", head + "\x0a\x06\xff\xff\xff\xff\x0f\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var parts []Part
		var err error
		heaptest.AtMost(t, 200*len(data)+1<<20, func() { parts, err = Sizes(data) })
		total := 0
		for _, p := range parts {
			total += p.Bytes
		}
		if err == nil && total > len(data) {
			t.Errorf("%d bytes have parts of %d", len(data), total)
		}
	})
}
