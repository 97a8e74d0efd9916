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
	"(*decoder).newChunk", "(*decoder).markPresent",
	"(*fieldSet).field", "(*fieldSet).index", "(*getField).isBetween", "(*keyTable).hash", "(*keyTable).list",
	"(*step).after", "(*step).skip", "(*structDecoder).wantsChunk", "typetable.(*Table).Home",
	"integerFormat.integer", "integerFormat.load", "putOp.isCondition", "putOp.isNumber", "getOp.isNumber", "getOp.isScalar",
	"storeInteger",
}

// TestInlining runs the compiler to see which functions it inlines, and checks that
// store has no frame and no call.
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

	head := "\ngithub.com/octet-go/octet/msgpack.store STEXT "
	at := bytes.Index(out, []byte(head))
	if at < 0 {
		t.Fatal("the compiler printed no store")
	}
	lines := bufio.NewScanner(bytes.NewReader(out[at+1:]))
	lines.Scan()
	if first := lines.Text(); !strings.Contains(first, " locals=0x0 ") {
		t.Errorf("store has a frame: %s", first)
	}
	instructions := 0
	for lines.Scan() && strings.HasPrefix(lines.Text(), "\t") {
		instructions++
		if strings.Contains(lines.Text(), "\tCALL\t") {
			t.Errorf("store has a call:%s", lines.Text())
		}
	}
	if instructions < 100 {
		t.Errorf("the compiler printed only %d lines of store", instructions)
	}
}
