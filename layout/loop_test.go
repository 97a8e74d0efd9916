package layout_test

import (
	"bufio"
	"bytes"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// allowedCalls match the calls in each loop: what it does outside, and what the compiler
// adds.
var allowedCalls = map[string]*regexp.Regexp{
	"layout.(*encoder).run": regexp.MustCompile(`layout\.\(\*encoder\)\.leave\(SB\)|` + runtimeCalls),
	"layout.(*decoder).run": regexp.MustCompile(`layout\.\(\*decoder\)\.(exit|copies)\(SB\)|` + runtimeCalls),
}

const runtimeCalls = `runtime\.(gcWriteBarrier\d|morestack\w*|panic\w+)\(SB\)`

// Before each operation, the loop loads its code and jumps to an address of a table. The
// stores between the two are of variables for which the compiler has no registers.
var (
	jumpTable = regexp.MustCompile(`\tJMP\t\(\w+\)\(\w+\*8\)`)
	spill     = regexp.MustCompile(`\tMOVQ\t\w+, .*\(SP\)`)
)

// TestLoopCallsNothing runs the compiler to see what the loops call: a call would make
// them keep their variables in memory.
func TestLoopCallsNothing(t *testing.T) {
	switch {
	case testing.Short():
		t.Skip("skipped: it builds the package again, which takes seconds")
	case runtime.GOARCH != "amd64":
		t.Skip("skipped: the names are those of amd64")
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("skipped: there is no go command")
	}
	out, err := exec.Command(goTool, "build", "-gcflags=-S", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.1000s", err, out)
	}
	for name, allowed := range allowedCalls {
		at := bytes.Index(out, []byte(name+" STEXT "))
		if at < 0 {
			t.Fatalf("the compiler printed no %s", name)
		}
		lines := bufio.NewScanner(bytes.NewReader(out[at:]))
		lines.Scan()
		instructions, spills := 0, 0
		for lines.Scan() && strings.HasPrefix(lines.Text(), "\t") {
			instructions++
			switch line := lines.Text(); {
			case jumpTable.MatchString(line):
				if spills > 0 {
					t.Errorf("%s stores %d variables before each operation", name, spills)
				}
			case strings.Contains(line, "\tMOVBLZX\t"):
				spills = 0
			case spill.MatchString(line):
				spills++
			}
			if strings.Contains(lines.Text(), "\tCALL\t") && !allowed.MatchString(lines.Text()) {
				t.Errorf("%s has a call:%s", name, lines.Text())
			}
		}
		if instructions < 500 {
			t.Errorf("the compiler printed only %d lines of %s", instructions, name)
		}
	}
}
