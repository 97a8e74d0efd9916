package types

import (
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/octet-go/octet/bench/engine"
)

// Settings control how a set is measured.
type Settings struct {
	Home    string // directory of the module bench
	Folder  string // empty directory for the module that is written
	Rounds  int
	Turn    time.Duration
	Only    string   // expression for the names of types; "" for all
	Environ []string // additions to the environment of the program
}

// The packages of the scratch module: the types as maps, the same with code of octet-gen, and, if asked for, as arrays.
const (
	mapForm       = "maps"
	generatedForm = "generated"
	arrayForm     = "arrays"
)

// Build writes the module, generates the code of msgp, and builds the program. It returns the path of the program.
func (s Set) Build(c Settings) (program string, err error) {
	module, err := moduleFile(c.Home)
	if err != nil {
		return "", err
	}
	sums, err := os.ReadFile(filepath.Join(c.Home, "go.sum"))
	if err != nil {
		return "", fmt.Errorf("bench: %w", err)
	}
	files := map[string][]byte{"go.mod": module, "go.sum": sums}
	texts := map[string]string{"main.go": s.mainFile()}
	for _, form := range s.forms() {
		texts[form+"/types.go"] = s.typesFile(form)
	}
	for name, text := range texts {
		if files[name], err = format.Source([]byte(text)); err != nil {
			return "", fmt.Errorf("bench: %s: %w", name, err)
		}
	}
	for name, text := range files {
		path := filepath.Join(c.Folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return "", fmt.Errorf("bench: %w", err)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return "", fmt.Errorf("bench: %w", err)
		}
	}
	generator, program := filepath.Join(c.Folder, "generate-msgp"), filepath.Join(c.Folder, "measure")
	generate := []string{generator, "-file", "types.go", "-o", "types_gen.go", "-io=false", "-tests=false"}
	type step struct {
		in   string
		args []string
	}
	steps := []step{{c.Home, []string{"go", "build", "-o", generator, "github.com/tinylib/msgp"}}}
	for _, form := range s.forms() {
		steps = append(steps, step{filepath.Join(c.Folder, form), generate})
	}
	octetGen := append([]string{"go", "run", "github.com/octet-go/octet/cmd/octet-gen"}, s.Roots...)
	steps = append(steps, step{filepath.Join(c.Folder, generatedForm), octetGen})
	steps = append(steps, step{c.Folder, []string{"go", "build", "-o", program, "."}})
	for _, step := range steps {
		command := exec.Command(step.args[0], step.args[1:]...)
		command.Dir = step.in
		if step.in != c.Home {
			// The module has its own requirements, which must be complete. Without the path of the folder, the go
			// command finds in its cache what it built before.
			command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly -trimpath")
		}
		if text, err := command.CombinedOutput(); err != nil {
			return "", fmt.Errorf("bench: %s: %w\n%s", strings.Join(step.args, " "), err, text)
		}
	}
	return program, nil
}

// Run runs a program that Build has built, with values of a menu, and returns its results.
func (s Set) Run(c Settings, program string, m Menu) (*engine.Distribution, error) {
	menu, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	output := filepath.Join(c.Folder, "results.json")
	command := exec.Command(program, "-seed", fmt.Sprint(s.Seed), "-rounds", fmt.Sprint(c.Rounds), "-turn", c.Turn.String(),
		"-menu", string(menu), "-run", c.Only, "-o", output)
	command.Env = append(os.Environ(), c.Environ...)
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	if err := command.Run(); err != nil {
		return nil, fmt.Errorf("bench: the program with the %s types: %w", s.Kind, err)
	}
	d := new(engine.Distribution)
	text, err := os.ReadFile(output)
	if err == nil {
		err = json.Unmarshal(text, d)
	}
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if len(d.Types) == 0 {
		return nil, fmt.Errorf("bench: no type matches -run %s", c.Only)
	}
	d.Kind, d.Modules = s.Kind, s.Modules
	if s.Kind == "real" {
		d.Present = m.Present
	}
	for _, r := range s.LeftOut {
		d.Leave(r.Why, r.Count)
	}
	for _, t := range s.Types {
		d.Decls = append(d.Decls, engine.Decl{Name: t.Name, Text: t.String()})
	}
	return d, nil
}

// moduleFile returns the go.mod of the scratch module: the requirements of bench, so that all versions are the same,
// and bench and the modules of the repository from their directories.
func moduleFile(home string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(home, "go.mod"))
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	lines := regexp.MustCompile(`(?m)^(module|tool) .*\n`).ReplaceAll(text, nil)
	root := filepath.Dir(home)
	out := append([]byte("module scratch\n\nrequire github.com/octet-go/octet/bench v0.0.0\n"), lines...)
	for _, m := range []struct{ path, folder string }{
		{"github.com/octet-go/octet", root}, {"github.com/octet-go/octet/bench", home}, {"github.com/octet-go/octet/record/zstd", filepath.Join(root, "record", "zstd")},
	} {
		out = fmt.Appendf(out, "\nreplace %s => %q\n", m.path, m.folder)
	}
	return out, nil
}

// typesFile returns the declarations for one of the packages.
func (s Set) typesFile(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport \"time\"\n\n//msgp:newtime\n", name)
	if name == arrayForm {
		b.WriteString("\n//msgp:tuple")
		for _, t := range s.Types {
			b.WriteString(" " + t.Name)
		}
		b.WriteString("\n")
	}
	b.WriteString("\nvar _ time.Time\n")
	for _, t := range s.Types {
		b.WriteString("\n" + t.source())
	}
	return b.String()
}

// forms returns the packages of the module.
func (s Set) forms() []string {
	if s.Arrays {
		return []string{mapForm, generatedForm, arrayForm}
	}
	return []string{mapForm, generatedForm}
}

func (s Set) mainFile() string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n\t\"github.com/octet-go/octet/bench/trial\"\n")
	for _, form := range s.forms() {
		fmt.Fprintf(&b, "\t\"scratch/%s\"\n", form)
	}
	b.WriteString(")\n\nfunc main() {\n\ttrial.Main([]trial.Trial{\n")
	for _, name := range s.Roots {
		for _, form := range s.forms() {
			of := map[string]string{mapForm: "Of", generatedForm: "OfGenerated", arrayForm: "OfArray"}[form]
			fmt.Fprintf(&b, "trial.%[1]s(%[3]q, trial.Generated[%[2]s.%[3]s]{(*%[2]s.%[3]s).MarshalMsg, (*%[2]s.%[3]s).UnmarshalMsg}),\n", of, form, name)
		}
	}
	b.WriteString("\t})\n}\n")
	return b.String()
}
