package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// TestBashCompletion runs the script for bash in a shell without the package
// bash-completion. The program that it calls prints what it was asked.
func TestBashCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	var script bytes.Buffer
	if stderr, code := octet(nil, &script, "completion", "bash"); code != failure.OK {
		t.Fatal(stderr)
	}
	if strings.Contains(script.String(), "_get_comp_words_by_ref") {
		t.Fatal("the script calls a function of bash-completion")
	}
	for _, c := range []struct {
		line, words string // the command line, and its words as bash divides them
		asked, want string // the command line that the program gets, and the completion
	}{
		{"octet ins", "octet ins", "__complete ins", "inspect"},
		{"octet ", "octet ''", "__complete ", "inspect interpret"},
		{"octet a,in", "octet a,in", "__complete a,in", "a,inspect"},
		{"octet --color=in", "octet --color = in", "__complete --color=in", "inspect interpret"},
		{"octet --color=", "octet --color =", "__complete --color=", "inspect interpret"},
		{" octet  get --color=never ins", "octet get --color = never ins", "__complete get --color=never ins", "inspect"},
		{"octet get a:b ins", "octet get a : b ins", "__complete get a:b ins", "inspect"},
	} {
		// The functions of the script are called as bash calls them.
		test := script.String() + fmt.Sprintf(`
compopt() { :; }
octet() { echo "$*" >&3; if [[ $* == *=in || $* == *= || ${*: -1} == "" ]]; then printf 'inspect\ninterpret\n:4\n'; else printf 'inspect\na,inspect\n:4\n'; fi; }
COMP_LINE='%s' COMP_WORDS=(%s) COMP_TYPE=9
COMP_POINT=${#COMP_LINE} COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
__start_octet 3>&1
echo "${COMPREPLY[*]}"
`, c.line, c.words)
		cmd := exec.CommandContext(t.Context(), bash, "--norc", "--noprofile")
		cmd.Stdin = strings.NewReader(test)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if want := c.asked + "\n" + c.want + "\n"; err != nil || string(out) != want {
			t.Errorf("%q: %v %s\ngot %q\nwant %q", c.line, err, &stderr, out, want)
		}
	}
}

// TestFlagDescriptions requires descriptions of flags as help texts show them.
func TestFlagDescriptions(t *testing.T) {
	var stdout bytes.Buffer
	if stderr, code := octet(nil, &stdout, "__complete", "convert", "--inp"); code != failure.OK {
		t.Fatal(stderr)
	}
	if want := "--input\tFILE to read, like FILE without a flag; - for standard input\n:4\n"; stdout.String() != want {
		t.Errorf("got %q, want %q", stdout.String(), want)
	}
}

// TestFlagValues requires the words of flags, with and without descriptions.
func TestFlagValues(t *testing.T) {
	for line, want := range map[string]string{
		"__complete convert --to ":              "json\nmsgpack\nrecord\nparquet\n:4\n",
		"__completeNoDesc get . --from ":        "json\nmsgpack\n:4\n",
		"__complete inspect --color ":           "auto\nalways\nnever\n:4\n",
		"__complete lint --ignore utf8,shortes": "utf8,shortest\n",
	} {
		var stdout bytes.Buffer
		if stderr, code := octet(nil, &stdout, strings.Split(line, " ")...); code != failure.OK || !strings.HasPrefix(stdout.String(), want) {
			t.Errorf("%s: exit code %d, %s\ngot %q, want %q", line, code, stderr, stdout.String(), want)
		}
	}
}

// TestForgotten requires that nothing refers to what a command has used when it has ended.
func TestForgotten(t *testing.T) {
	console := func() weak.Pointer[console.Console] {
		c, _, _ := consoletest.New("[1]")
		if code := run(t.Context(), []string{"get", ".[0]"}, c); code != 0 {
			t.Fatal(code)
		}
		return weak.Make(c)
	}()
	for range 100 {
		if runtime.GC(); console.Value() == nil {
			return
		}
		time.Sleep(10 * time.Millisecond) // a goroutine of the command may be about to end
	}
	t.Error("the console of a command stays in memory")
}
