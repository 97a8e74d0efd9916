package page

import (
	"bytes"
	"compress/gzip"
	"html"
	"io"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/page/program"
	"github.com/octet-go/octet/msgpack/wire"
)

// TestProgramIsCurrent builds the WebAssembly and compares it with the file that is
// committed.
func TestProgramIsCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: builds a program")
	}
	current, err := program.Read(packed)
	if err != nil {
		t.Fatal(err)
	}
	if current.Version != runtime.Version() {
		t.Skipf("skipped: inspector.wasm.gz was built by %s, this is %s", current.Version, runtime.Version())
	}
	script, wasm, err := program.Build("./wasm")
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(current.Wasm))
	if err != nil {
		t.Fatal(err)
	}
	if have, err := io.ReadAll(z); err != nil || !bytes.Equal(have, wasm) || !bytes.Equal(current.Script, script) {
		t.Errorf("inspector.wasm.gz is not current (error %v): go generate ./cmd/octet/internal/page", err)
	}
}

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, name, data); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSize checks the size of a page without data.
func TestSize(t *testing.T) {
	if n := len(write(t, "", nil)); n > 1_800_000 {
		t.Errorf("the page has %d bytes, want at most 1,800,000: the help of octet page says 1.8 MB", n)
	}
}

// TestContent checks that the HTML has the values before any script runs.
func TestContent(t *testing.T) {
	var data []byte
	for i := range 200 {
		data = wire.AppendMapHeader(data, 1)
		data = wire.AppendString(data, "key")
		data = wire.AppendString(data, strings.Repeat("v", 3)+string(rune('0'+i/100))+string(rune('0'+i/10%10))+string(rune('0'+i%10)))
	}
	page := write(t, "<a & b>.msgpack", data)
	for _, want := range []string{"<title>&lt;a &amp; b&gt;.msgpack", "vvv000", "vvv099", "200 values", `role="tree"`, `aria-expanded="true"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %s", want)
		}
	}
	if n := strings.Count(page[:strings.Index(page, `id="pane-hex"`)], `aria-expanded="true"`); n != 100 {
		t.Errorf("%d values are expanded, want the first 100", n)
	}
}

// TestHostile checks that no value can end its element or begin another.
func TestHostile(t *testing.T) {
	evil := `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'&{{wasm}}` + "\x00\xff\u202e"
	data := wire.AppendMapHeader(nil, 1)
	data = wire.AppendString(wire.AppendString(data, evil), evil)
	page := write(t, evil, data)
	if n := strings.Count(page, "<script"); n != 4 {
		t.Errorf("%d script elements, want 4", n)
	}
	if strings.Contains(page, "<img") || strings.Contains(page, "\x00") {
		t.Error("a value is not escaped")
	}
	if !strings.Contains(page, "{{wasm}}") {
		t.Error("a value was taken for a part of the template")
	}
}

// TestPolicy checks the content security policy and that nothing refers to the
// network.
func TestPolicy(t *testing.T) {
	page := write(t, "a", []byte{1})
	found := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	if found == nil {
		t.Fatal("no policy")
	}
	policy := html.UnescapeString(found[1])
	for _, want := range []string{"default-src 'none'", "connect-src 'none'", "base-uri 'none'", "form-action 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy %q does not contain %q", policy, want)
		}
	}
	if strings.Contains(policy, "unsafe-inline") || strings.Contains(policy, "'unsafe-eval'") || strings.Contains(policy, "http") {
		t.Errorf("the policy %q is too weak", policy)
	}
	if found := regexp.MustCompile(`(?:src|href)="(?:https?:)?//`).FindString(page); found != "" {
		t.Errorf("the page refers to the network: %s", found)
	}
}
