package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// check reports what prevents a release of the tree as this version.
func check(root, version string) error {
	var problems []error
	changes, err := output(root, nil, "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if changes != "" {
		problems = append(problems, fmt.Errorf("the tree has changes that are not committed:\n%s", changes))
	}
	tags, err := output(root, nil, "git", "tag", "--list", version, "*/"+version)
	if err != nil {
		return err
	}
	if tags != "" {
		problems = append(problems, fmt.Errorf("tags of this version exist:\n%s", tags))
	}
	changelog, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	if err := checkChangelog(string(changelog), version); err != nil {
		problems = append(problems, err)
	}
	pages, err := output(root, nil, "git", "ls-files", "-z", "*.md")
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(pages, "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		if said := saysNoRelease(string(text)); said != "" && name != "RELEASING.md" {
			problems = append(problems, fmt.Errorf("%s still says %q", name, said))
		}
	}
	if _, err := output(root, nil, "go", "test", "-count=1", "-run", "^TestAPI$", "."); err != nil {
		problems = append(problems, fmt.Errorf("the interface file: %w", err))
	}
	return errors.Join(problems...)
}

var noRelease = regexp.MustCompile(`(?i)(no release yet|nothing is released)`)

// saysNoRelease returns what a page says about a repository without a release, and "" for other pages.
func saysNoRelease(text string) string {
	return noRelease.FindString(strings.Join(strings.Fields(text), " "))
}

var heading = regexp.MustCompile(`(?m)^## \[([^]]+)\](.*)$`)

// checkChangelog requires that the newest section after [Unreleased] is that of the version, with a date and at least one entry.
func checkChangelog(text, version string) error {
	name := strings.TrimPrefix(version, "v")
	sections := heading.FindAllStringSubmatchIndex(text, -1)
	for i, s := range sections {
		title, rest := text[s[2]:s[3]], text[s[4]:s[5]]
		end := len(text)
		if i+1 < len(sections) {
			end = sections[i+1][0]
		}
		body := strings.TrimSpace(text[s[1]:end])
		switch {
		case title == "Unreleased" && body != "":
			return fmt.Errorf("CHANGELOG.md: the section [Unreleased] has entries: move them to a section [%s]", name)
		case title == "Unreleased":
			continue
		case title != name:
			return fmt.Errorf("CHANGELOG.md: the newest section is [%s], want [%s]", title, name)
		case !regexp.MustCompile(`^ - \d{4}-\d{2}-\d{2}$`).MatchString(rest):
			return fmt.Errorf("CHANGELOG.md: the section [%s] has no date: want \"## [%s] - 2006-01-02\"", name, name)
		case !strings.Contains("\n"+body, "\n- "):
			return fmt.Errorf("CHANGELOG.md: the section [%s] has no entry", name)
		}
		return nil
	}
	return fmt.Errorf("CHANGELOG.md has no section [%s]", name)
}
