// Command release prepares a release of all published modules, or rehearses one. It is run in the root of the repository:
//
//	go run ./tools/release v0.1.0          sets the version in all go.mod, go.sum and go.work files, and prints what to tag
//	go run ./tools/release -rehearse DIR   publishes to a folder, and installs and uses the modules from there
//
// The first form wants a clean tree, a section of CHANGELOG.md for the version and a current api/octet.txt. It commits, tags
// and pushes nothing. The second form changes nothing outside DIR, which must not exist. It copies the tree, sets
// the version in the copy, and makes a module proxy of files. From that proxy alone it installs each command, and builds and runs the first
// Example of each package that programs import, with a module cache that is empty at first. It also
// builds the programs that octet-migrate has rewritten in its tests. -run and -skip choose modules by a regular
// expression that is matched with their folder, such as '^cmd/'. The file modules.txt lists the modules.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// rehearsed is the version of a rehearsal that names none. No release has it, so that only the folder can have the modules.
const rehearsed = "v0.1.0-rehearsal"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // main prints the error
	dir := flags.String("rehearse", "", "rehearse the release in this new folder")
	only := flags.String("run", "", "rehearse the modules whose folder matches this regular expression")
	skip := flags.String("skip", "^$", "do not rehearse the modules whose folder matches this regular expression")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		flags.SetOutput(os.Stdout)
		flags.Usage()
		return nil
	} else if err != nil {
		return err
	}
	version := flags.Arg(0)
	if *dir != "" && version == "" {
		version = rehearsed
	}
	if flags.NArg() > 1 || version == "" || *dir == "" && flags.NFlag() > 0 { // -run and -skip are for rehearsals
		return errors.New("usage: release VERSION, or release -rehearse DIR [-run REGEXP] [-skip REGEXP] [VERSION]")
	}
	if err := checkVersion(version); err != nil {
		return err
	}
	if *dir == "" {
		return prepare(".", version)
	}
	r := rehearsal{version: version}
	var err error
	if r.only, err = regexp.Compile(*only); err != nil {
		return err
	}
	if r.skip, err = regexp.Compile(*skip); err != nil {
		return err
	}
	return r.run(".", *dir)
}

// prepare sets the version in the tree and prints how to publish it.
func prepare(root, version string) error {
	if err := check(root, version); err != nil {
		return err
	}
	t, err := loadTree(root)
	if err != nil {
		return err
	}
	zips, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(zips) }()
	if err := t.setVersion(version); err != nil {
		return err
	}
	if _, err := t.publish(version, zips); err != nil {
		return err
	}
	fmt.Printf("All modules have the version %s. Nothing was committed, tagged or pushed. When the checks pass:\n\n", version)
	var tags []string
	for _, m := range t.ordered {
		if m.published {
			tags = append(tags, m.tag(version))
		}
	}
	for _, command := range commands(version, tags) {
		fmt.Println(command)
	}
	return nil
}

// commands returns the commands that publish the tree with these tags. The tag of the root module, whose name is the
// version, starts the workflow that makes the archives, which need the tags of all commands. GitHub starts no workflow if more
// than three tags are pushed at once, so this one is pushed alone, after the others.
func commands(version string, tags []string) []string {
	list := []string{fmt.Sprintf("git add --all && git commit -m 'all: release %s'", version)} // a go.sum can be new
	var nested []string
	for _, tag := range tags {
		list = append(list, fmt.Sprintf("git tag -a -m 'Octet %s' %s", version, tag))
		if tag != version {
			nested = append(nested, tag)
		}
	}
	return append(list, "git push --atomic origin main "+strings.Join(nested, " "), "git push origin "+version)
}

// checkVersion accepts the versions that a module without a suffix such as /v2 can have.
func checkVersion(version string) error {
	if !semver.IsValid(version) || semver.Canonical(version) != version {
		return fmt.Errorf("%q is not a version: want one such as v0.1.0", version)
	}
	if err := module.CheckPathMajor(version, ""); err != nil {
		return err
	}
	return nil
}

// output runs a command in dir and returns what it prints. If the command fails, the error has what it wrote to standard error.
func output(dir string, env []string, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = dir
	if env != nil {
		c.Env = append(os.Environ(), env...)
	}
	var stderr strings.Builder
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, out, stderr.String())
	}
	return string(out), nil
}
