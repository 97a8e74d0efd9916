package main

//go:generate go run ./internal/page

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/analyzer"
	"github.com/octet-go/octet/cmd/octet-migrate/internal/load"
	"github.com/octet-go/octet/cmd/octet-migrate/internal/rewrite"
	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/version"
)

const (
	exitLeft  = 1
	exitUsage = 2
)

func main() {
	if isUnit(os.Args[1:]) {
		unitchecker.Main(analyzer.New())
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// isUnit reports whether the go command runs the program as a tool: it asks for
// the version and the flags, and gives a file with the description of a package.
func isUnit(args []string) bool {
	if len(args) == 0 {
		return false
	}
	return args[0] == "-V=full" || args[0] == "-flags" || strings.HasSuffix(args[len(args)-1], ".cfg")
}

// The parts of the help, which manual.go arranges as a manual page.
const (
	about = `octet-migrate rewrites Go programs that use another MessagePack library, so that
they use Octet.`

	synopsis = `octet-migrate [flags] packages`

	examples = `octet-migrate ./...            rewrite all, and list what is left
octet-migrate -diff ./...      show what would change
octet-migrate -list ./...      list all uses, and change nothing
octet-migrate -shortest ./...  write the shortest formats
octet-migrate -std ./...       replace encoding/binary and bytes.Buffer
go fix -fixtool=$(which octet-migrate) ./...
go vet -vettool=$(which octet-migrate) ./...`

	steps = `Afterwards: go get github.com/octet-go/octet && go mod tidy.`

	exits = `The exit code is 0 if nothing is left, 1 if something is left to do, and 2 if
the packages cannot be loaded, the output cannot be written, or the arguments
are wrong.`
)

// help writes the help.
func help(w io.Writer, flags *flag.FlagSet) {
	fmt.Fprintf(w, "%s\n\n\t%s\n\nExamples:\n\n\t%s\n\n%s\n\n%s\n\nFlags:\n",
		about, synopsis, strings.ReplaceAll(examples, "\n", "\n\t"), steps, exits)
	flags.SetOutput(w)
	flags.PrintDefaults()
}

// config is the command line.
type config struct {
	diff, list, shortest, std, tests bool
	manual, version                  bool
	dir, tags                        string
	patterns                         []string
}

// run runs the program and returns its exit code.
func run(args []string, stdout, stderr io.Writer) int {
	stdout, stderr = errtext.Messages(stdout), errtext.Messages(stderr)
	out := &output{w: stdout}
	code := command(args, out, stderr)
	if out.err != nil {
		fmt.Fprintln(stderr, "octet-migrate: standard output:", out.err)
		return exitUsage
	}
	return code
}

// An output remembers the first error of its writer.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(b []byte) (n int, err error) {
	if n, err = o.w.Write(b); err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// command is run without regard to output that cannot be written.
func command(args []string, stdout, stderr io.Writer) int {
	var c config
	flags := flag.NewFlagSet("octet-migrate", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // an error is one line, without the usage text
	flags.BoolVar(&c.diff, "diff", false, "show the changes, and change nothing")
	flags.BoolVar(&c.list, "list", false, "list all uses of the libraries, and change nothing")
	flags.BoolVar(&c.shortest, "shortest", false, "use the defaults of Octet, not the bytes of the other library")
	flags.BoolVar(&c.std, "std", false, "also replace encoding/binary and bytes.Buffer")
	flags.BoolVar(&c.tests, "test", true, "rewrite tests, too")
	flags.StringVar(&c.dir, "C", "", "change to this `folder` first")
	flags.StringVar(&c.tags, "tags", "", "build tags, separated by commas")
	flags.BoolVar(&c.manual, "manual", false, "print this help as a manual page, and do nothing else")
	flags.BoolVar(&c.version, "version", false, "print the version, and do nothing else")
	flags.Usage = func() {}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		help(stdout, flags)
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "octet-migrate: %v; try octet-migrate -help\n", err)
		return exitUsage
	}
	if c.manual {
		manual(stdout, flags)
		return 0
	}
	if c.version {
		fmt.Fprintln(stdout, version.Of("octet-migrate"))
		return 0
	}
	c.patterns = flags.Args()
	for _, p := range c.patterns {
		if strings.HasPrefix(p, "-") {
			fmt.Fprintf(stderr, "octet-migrate: flag %s after a package: flags precede packages\n", p)
			return exitUsage
		}
	}
	if len(c.patterns) == 0 {
		fmt.Fprintln(stderr, "octet-migrate: no packages; try octet-migrate ./... or octet-migrate -help")
		return exitUsage
	}
	if c.diff && c.list {
		fmt.Fprintln(stderr, "octet-migrate: -diff and -list cannot be used together")
		return exitUsage
	}
	left, err := c.migrate(stdout, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "octet-migrate:", strings.TrimPrefix(err.Error(), "-: "))
		return exitUsage
	}
	if left > 0 {
		return exitLeft
	}
	return 0
}

// mostWarnings is how many problems of loading packages are printed.
const mostWarnings = 20

// migrate does the work and returns how many uses are left.
func (c config) migrate(stdout, stderr io.Writer) (left int, err error) {
	program, err := load.Load(load.Config{Dir: c.dir, Tests: c.tests, Tags: c.tags}, c.patterns...)
	if err != nil {
		return 0, err
	}
	for i, problem := range program.Problems {
		if i == mostWarnings {
			fmt.Fprintf(stderr, "octet-migrate: warning: and %s; go vet reports them all\n", errtext.Counted(len(program.Problems)-i, "other"))
			break
		}
		fmt.Fprintln(stderr, "octet-migrate: warning:", problem)
	}
	result, err := rewrite.Run(program.Fset, program.Packages, table.Chosen(c.std), rewrite.Options{
		Shortest: c.shortest, Closed: program.Closed, Elsewhere: program.Elsewhere, Versions: program.Versions, Forks: program.Forks, Read: program.Read,
	})
	if err != nil {
		return 0, err
	}
	files, err := result.Files(program.Fset, program.Read)
	if err != nil {
		return 0, err
	}
	names := slices.Sorted(maps.Keys(files))
	findings := stderr
	switch {
	case c.list:
		findings = stdout
	case c.diff:
		for _, name := range names {
			old, err := program.Read(name)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return 0, err
			}
			stdout.Write(diff.Diff("a/"+c.short(name), old, "b/"+c.short(name), files[name]))
		}
	default:
		if err := write(files, names); err != nil {
			return 0, err
		}
	}
	done := 0
	for _, f := range result.Findings {
		word := ""
		switch f.Kind {
		case rewrite.Done:
			done++
			word = "rewrite: "
		case rewrite.Check:
			done++
			word = "check: "
		case rewrite.Beside:
			word = "check: "
		default:
			left++
			word = "left: "
		}
		if f.Kind != rewrite.Done || c.list {
			fmt.Fprintf(findings, "%s:%d:%d: %s%s: %s\n", c.short(f.Pos.Filename), f.Pos.Line, f.Pos.Column, word, f.Name, f.Text)
		}
	}
	verb := "rewrote"
	if c.list || c.diff {
		verb = "would rewrite"
	}
	fmt.Fprintf(stderr, "octet-migrate: %s %s in %s; %d left to do\n", verb, errtext.Counted(done, "use"), errtext.Counted(len(files), "file"), left)
	if program.Unparsed {
		fmt.Fprintln(stderr, "octet-migrate: some files have syntax errors, so that uses may be missing; correct them and run octet-migrate again")
		left++
	}
	if !c.list && !c.diff {
		c.next(stderr, names)
	}
	return left, nil
}

// requirement matches a line of a go.mod file that requires Octet.
var requirement = regexp.MustCompile(`(?m)^(require)?\s*github\.com/octet-go/octet v\S+\s*(//.*)?$`)

// next says what to run in the modules of files that do not require Octet.
func (c config) next(w io.Writer, names []string) {
	seen := map[string]bool{}
	for _, name := range names {
		dir := filepath.Dir(name)
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		for errors.Is(err, os.ErrNotExist) && dir != filepath.Dir(dir) {
			dir = filepath.Dir(dir)
			mod, err = os.ReadFile(filepath.Join(dir, "go.mod"))
		}
		if seen[dir] || requirement.Match(mod) {
			continue
		}
		seen[dir] = true
		next := "go get github.com/octet-go/octet && go mod tidy"
		if _, err := os.Stat(filepath.Join(dir, "vendor", "modules.txt")); err == nil {
			next += " && go mod vendor"
		}
		where := " in " + c.short(dir)
		if here, err := filepath.Abs(c.dir); err == nil && (here == dir || strings.HasPrefix(here, dir+string(filepath.Separator))) {
			where = ""
		}
		fmt.Fprintf(w, "octet-migrate: now run%s: %s\n", where, next)
	}
}

// short returns a file name relative to the folder in which the command runs.
func (c config) short(name string) string {
	dir, err := filepath.Abs(c.dir)
	if err != nil {
		return name
	}
	if rel, err := filepath.Rel(dir, name); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return name
}
