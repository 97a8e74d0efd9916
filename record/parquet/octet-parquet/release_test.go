package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRelease looks for what each file must have, and completes words in bash.
func TestRelease(t *testing.T) {
	dir := t.TempDir()
	if code, out, errs := start(t, t.TempDir(), "", "release", dir); code != 0 || out+errs != "" {
		t.Fatal(code, out, errs)
	}
	for name, want := range map[string]string{
		"man/man1/octet-parquet.1":       "\n.SH OPTIONS\n.TP\n.B \\-\\-compression NAME\nNAME: snappy, zstd, gzip or none (default snappy)\n",
		"completions/octet-parquet.bash": "complete -o default -F _octet_parquet octet-parquet\n",
		"completions/_octet-parquet":     "\t'--from=[FORMAT of the input\\: record, msgpack or json (default\\: detected)]:from:(record msgpack json)' \\\n",
		"completions/octet-parquet.fish": "\ncomplete -c octet-parquet -l lossy -d 'write the file although values fit no column'\ncomplete -c octet-parquet -s o -r -d",
	} {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	// Words are as bash divides them.
	for words, want := range map[string]string{
		"octet-parquet --com":          "--compression",
		"octet-parquet --compression ": "snappy zstd gzip none",
		"octet-parquet --from m":       "msgpack",
		"octet-parquet --from = m":     "msgpack",
		"octet-parquet --from =":       "record msgpack json",
		"octet-parquet --schema = m":   "", // a file, which bash completes
		"octet-parquet a":              "",
	} {
		script := "complete() { :; }; . " + filepath.ToSlash(filepath.Join(dir, "completions", "octet-parquet.bash")) +
			"; IFS=' ' read -ra COMP_WORDS <<<'" + strings.TrimSuffix(words, " ") + "'; COMP_CWORD=$((${#COMP_WORDS[@]} - 1))"
		if strings.HasSuffix(words, " ") {
			script += "; COMP_WORDS+=(''); COMP_CWORD=$((COMP_CWORD + 1))"
		}
		out, err := exec.Command(shell, "--norc", "-c", script+"; _octet_parquet; echo ${COMPREPLY[*]}").CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("%q: %v, %q, want %q", words, err, got, want)
		}
	}
}

// TestReleaseFails requires an error for a folder that cannot be made.
func TestReleaseFails(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := start(t, t.TempDir(), "", "release", name); code != exitAccess || !strings.Contains(errs, "file") {
		t.Error(code, errs)
	}
}
