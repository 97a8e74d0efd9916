package msgpack_test

import (
	"bufio"
	"bytes"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// inlined lists functions that the fast paths call for every value. The compiler
// must inline them.
var inlined = []string{
	"(*Codec).Marshal", "(*Codec).MarshalAppend", "(*Codec).Unmarshal", "(*Codec).UnmarshalPrefix",
	"(*decoder).close", "(*decoder).enter", "(*decoder).fixCount", "(*decoder).isNil", "(*decoder).left",
	"(*decoder).markPresent",
	"(*fieldSet).index", "(*getField).isBetween", "(*keyTable).hash", "(*keyTable).list",
	"typetable.(*Table).Home",
	"integerFormat.integer", "integerFormat.load", "putOp.isNumber", "getOp.isNumber", "getOp.isScalar",
	"storeInteger",
}

// maxSpills limits the variables that emit moves to its frame, except those of its
// emission.
const maxSpills = 4

// TestInlining runs the compiler to see which functions it inlines, and checks that emit
// has one call and moves few variables to its frame.
func TestInlining(t *testing.T) {
	switch {
	case testing.Short():
		t.Skip("skipped: it builds the package again, which takes seconds")
	case runtime.GOARCH != "amd64":
		t.Skip("skipped: the list is that of amd64")
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("skipped: there is no go command")
	}
	out, err := exec.Command(goTool, "build", "-gcflags=-m=1 -S", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.1000s", err, out)
	}
	can := map[string]bool{}
	typeArguments := regexp.MustCompile(`\[.*\]`)
	for _, m := range regexp.MustCompile(`(?m): can inline (\S+)`).FindAllSubmatch(out, -1) {
		can[string(typeArguments.ReplaceAll(m[1], nil))] = true
	}
	for _, name := range inlined {
		if !can[name] {
			t.Errorf("%s is not inlined", name)
		}
	}

	// A closure of a function that was inlined itself is compiled without inlining.
	where := ""
	small := regexp.MustCompile(`\tCALL\t(\S+/internal/mem\.(?:Ptr\.|At\[|PtrTo\[|Hide)\S*|\S+/msgpack\.\(\*decoder\)\.(?:close|enter|fixCount|isNil|left))\(SB\)`)
	for line := range strings.Lines(string(out)) {
		if name, _, ok := strings.Cut(line, " STEXT "); ok {
			where = name
		} else if m := small.FindStringSubmatch(line); m != nil {
			t.Errorf("%s calls %s; go:noinline for the function that returns the closure lets the closure inline it", where, m[1])
		}
	}

	head := "\ngithub.com/octet-go/octet/msgpack.emit STEXT "
	at := bytes.Index(out, []byte(head))
	if at < 0 {
		t.Fatal("the compiler printed no emit")
	}
	lines := bufio.NewScanner(bytes.NewReader(out[at+len(head):]))
	lines.Scan()
	instructions, calls := 0, 0
	// The moves to parameters of the caller's frame at 8(SP) to 72(SP) precede the call
	// that grows the stack. Others name the variable.
	spill := regexp.MustCompile(`\tMOV\w+\t\w+, github\.com/\S+\(SP\)$`)
	spills := 0
	for lines.Scan() && strings.HasPrefix(lines.Text(), "\t") {
		line := lines.Text()
		instructions++
		if strings.Contains(line, "\tCALL\t") && !strings.Contains(line, "morestack") {
			calls++
		}
		if spill.MatchString(line) && !strings.Contains(line, "msgpack.f+") {
			spills++
		}
	}
	if calls != 1 || spills > maxSpills {
		t.Errorf("emit has %d calls and %d spills, want 1 and at most %d", calls, spills, maxSpills)
	}
	if instructions < 100 {
		t.Errorf("the compiler printed only %d lines of emit", instructions)
	}
}
