package layout_test

import (
	"bufio"
	"bytes"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
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

// offset is where an instruction begins in its function.
var offset = regexp.MustCompile(`^\t0x\w+ (\d+) `)

// functionAlignment is the number to whose multiples the linker aligns functions.
const functionAlignment = 32

// jumpLength is the number of bytes of the jump to the next operation.
const jumpLength = 4

// TestLoopCallsNothing runs the compiler to see what the loops call: a call would make
// them keep their variables in memory. It also verifies that the instructions between two
// operations do not cross a multiple of the alignment of functions. A processor takes them
// from aligned blocks of memory, and if they were in two of them in some programs, some
// messages would take twice the time there.
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
		instructions, spills, loaded := 0, 0, 0
		for lines.Scan() && strings.HasPrefix(lines.Text(), "\t") {
			instructions++
			line, at := lines.Text(), 0
			if m := offset.FindStringSubmatch(line); m != nil {
				at, _ = strconv.Atoi(m[1])
			}
			switch {
			case jumpTable.MatchString(line):
				if end := at + jumpLength; loaded/functionAlignment != (end-1)/functionAlignment && strings.HasPrefix(runtime.Version(), "go1.26") {
					t.Errorf("%s goes to the next operation at %#x to %#x, which is in two blocks of %d bytes; change what precedes the loop", name, loaded, end, functionAlignment)
				}
				if spills > 0 {
					t.Errorf("%s stores %d variables before each operation", name, spills)
				}
			case strings.Contains(line, "\tMOVBLZX\t"):
				spills, loaded = 0, at
			case spill.MatchString(line):
				spills++
			}
			if strings.Contains(line, "\tCALL\t") && !allowed.MatchString(line) {
				t.Errorf("%s has a call:%s", name, line)
			}
		}
		if instructions < 500 {
			t.Errorf("the compiler printed only %d lines of %s", instructions, name)
		}
	}
}
