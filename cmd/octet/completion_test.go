package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
	"testing"

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
