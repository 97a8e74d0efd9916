package msgpack_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const (
	libraryPath    = "github.com/vmihailenco/msgpack/v5"
	libraryVersion = "v5.4.1"
)

// failing are the tests of the library that fail with this module, and why. There are none.
var failing = map[string]string{}

// A scratch is a folder with a module that requires the library.
type scratch struct {
	*testing.T
	dir string
}

// newScratch makes a module that requires the library, and replaces it by this module if
// replaced is true, as the package page says.
func newScratch(t *testing.T, replaced bool) scratch {
	t.Helper()
	s := scratch{t, t.TempDir()}
	s.write("go.mod", "module scratch\n\ngo 1.26.0\n\nrequire github.com/stretchr/testify v1.6.1\n\nrequire "+libraryPath+" "+libraryVersion+"\n")
	sums, err := os.ReadFile(filepath.Join(s.library(), "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	s.write("go.sum", string(sums)+string(own))
	if !replaced {
		return s
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	s.run("mod", "edit", "-replace", libraryPath+"="+here)
	s.run("mod", "edit", "-replace", "github.com/octet-go/octet="+filepath.Join(here, "..", ".."))
	return s
}

func (s scratch) write(name, text string) {
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o666); err != nil {
		s.Fatal(err)
	}
}

// command returns a command of go that runs in the folder.
func (s scratch) command(args ...string) *exec.Cmd {
	c := exec.Command("go", args...)
	c.Dir = s.dir
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	return c
}

func (s scratch) run(args ...string) []byte {
	s.Helper()
	c := s.command(args...)
	var errText bytes.Buffer
	c.Stderr = &errText
	out, err := c.Output()
	if err != nil {
		s.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, errText.Bytes())
	}
	return out
}

// library returns the folder of the library in the module cache.
func (s scratch) library() string {
	s.Helper()
	out, err := s.command("mod", "download", "-json", libraryPath+"@"+libraryVersion).Output()
	var module struct{ Dir, Error string }
	if json.Unmarshal(out, &module) != nil || err != nil || module.Dir == "" {
		s.Skip("needs a module proxy, or the library in the module cache: ", module.Error, err)
	}
	return module.Dir
}

// copyAll copies files, without the rights to them.
func (s scratch) copyAll(pattern string) {
	s.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		s.Fatalf("no files %s (%v)", pattern, err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			s.Fatal(err)
		}
		s.write(filepath.Base(f), string(text))
	}
}

// TestLibrary runs the tests of the library with this module.
func TestLibrary(t *testing.T) {
	s := newScratch(t, true)
	s.copyAll(filepath.Join(s.library(), "*_test.go"))
	out, err := s.command("test", "-vet=off", "-count=1", "-json", ".").Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	passed, failed := 0, map[string]bool{}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var event struct{ Action, Test, Output string }
		if err := d.Decode(&event); err != nil {
			t.Fatal(err)
		}
		switch event.Action {
		case "pass":
			passed++
		case "fail", "build-fail":
			failed[event.Test] = true
		case "build-output", "output":
			if exit != nil {
				t.Log(strings.TrimSpace(event.Output))
			}
		}
	}
	for name := range failed {
		if failing[name] == "" {
			t.Errorf("%s fails", name)
		}
	}
	for name, why := range failing {
		if !failed[name] {
			t.Errorf("%s passes, although it is listed as failing: %s", name, why)
		}
	}
	if passed < 60 {
		t.Errorf("only %d tests of the library pass", passed)
	}
	t.Logf("%d tests pass", passed)
}

// exceptions are the differences that the package page names: what the library prints, and
// what this module prints.
var exceptions = []struct{ theirs, ours *regexp.Regexp }{
	{regexp.MustCompile(` panic ?$`), regexp.MustCompile(`.`)},
	{regexp.MustCompile(`error`), regexp.MustCompile(`non-settable|embedded pointer to unexported`)},
	{regexp.MustCompile(`decoding string/bytes length`), regexp.MustCompile(` left`)},
	{regexp.MustCompile(`decoding u?int64`), regexp.MustCompile(` left`)},
	{regexp.MustCompile(`.`), regexp.MustCompile(`length is negative or does not fit`)}, // in 32-bit programs
	{regexp.MustCompile(`main.texts used true .*U:&`), regexp.MustCompile(`U:nil Big:nil`)},
}

// TestCompare runs a program with the library and with this module. It encodes values and
// decodes their encodings, changed ones and prefixes of them into variables of many types.
func TestCompare(t *testing.T) {
	changes := "20" // more take the library hours, or all memory
	if testing.Short() {
		changes = "4"
	}
	types := declare(rand.New(rand.NewPCG(4, 4)), 200)
	var outputs [2][]string
	for i, replaced := range []bool{false, true} {
		s := newScratch(t, replaced)
		s.copyAll("testdata/compare/*.go")
		s.write("declared.go", types)
		outputs[i] = strings.Split(strings.TrimSpace(string(s.run("run", ".", changes))), "\n")
	}
	lines, different := 0, 0
	for rest := outputs[1]; len(outputs[0]) > 0; outputs[0], rest = outputs[0][1:], rest[1:] {
		if len(rest) == 0 {
			t.Fatal("there are fewer results")
		}
		lines++
		theirs, ours := outputs[0][0], rest[0]
		if strings.HasPrefix(theirs, "own ") && strings.HasSuffix(theirs, " panic") && theirs != ours {
			for len(rest) > 1 && strings.HasPrefix(rest[1], "decode ") {
				rest = rest[1:] // the library has not encoded what is decoded here
			}
		}
		if strings.HasSuffix(strings.TrimSpace(ours), " panic") {
			t.Errorf("panic: %.300s", ours)
		}
		if theirs == ours {
			continue
		}
		different++
		excepted := false
		for _, e := range exceptions {
			excepted = excepted || e.theirs.MatchString(theirs) && e.ours.MatchString(ours)
		}
		if !excepted {
			same := 0
			for same < min(len(theirs), len(ours)) && theirs[same] == ours[same] {
				same++
			}
			t.Errorf("%s\nlibrary: %.300s\noctet:   %.300s", theirs[:same], theirs[same:], ours[same:])
		}
	}
	if lines < 40_000 || different == 0 {
		t.Errorf("only %d results, %d different", lines, different)
	}
	t.Logf("%d results, %d different", lines, different)
}
