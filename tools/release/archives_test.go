package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestArchivesFindTag runs .ci/archives -release, with programs that do nothing instead of the tools, where all modules have
// tags. In the workflow the tag that started it is a lightweight one, because the action that checks out the tree replaces it,
// and an annotated tag of a release candidate can be at the same commit.
func TestArchivesFindTag(t *testing.T) {
	for _, program := range []string{"bash", "git"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("needs %s: %v", program, err)
		}
	}
	if executable != "" {
		t.Skip("the scripts that replace the tools need a name without .exe")
	}
	for name, tag := range map[string][]string{"lightweight": {"tag"}, "annotated": {"tag", "-a", "-m", "x"}, "workflow": {"tag"}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			tools := filepath.Join(dir, "tools")
			script := read(t, filepath.Join(root, ".ci", "archives"))
			for file, text := range map[string]string{
				filepath.Join(dir, "tree", ".ci", "archives"): script,
				filepath.Join(tools, "goreleaser"):            "#!/bin/sh\n[ $1 = check ] || echo $1 $GORELEASER_CURRENT_TAG\n",
				filepath.Join(tools, "cyclonedx-gomod"):       "#!/bin/sh\n",
				filepath.Join(tools, "cosign"):                "#!/bin/sh\n",
			} {
				if err := write(file, []byte(text)); err != nil {
					t.Fatal(err)
				}
			}
			tree, ref := filepath.Join(dir, "tree"), ""
			run := func(name string, args ...string) string {
				t.Helper()
				out, err := output(tree, []string{"OCTET_TOOLS=" + tools, "GITHUB_REF_NAME=" + ref}, name, args...)
				if err != nil {
					t.Fatal(err)
				}
				return out
			}
			git := func(args ...string) {
				t.Helper()
				run("git", append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "gc.auto=0"}, args...)...)
			}
			run("chmod", "-R", "u+x", tools)
			git("init", "-q")
			git("add", "--all")
			git("commit", "-q", "-m", "x")
			git("tag", "-a", "-m", "x", "cmd/octet/v0.1.0")
			git(append(tag, "v0.1.0")...)
			if name == "workflow" {
				git("tag", "-a", "-m", "x", "v0.1.0-rc.1")
				ref = "v0.1.0"
			}
			if got := strings.TrimSpace(run("bash", ".ci/archives", "-release")); got != "release v0.1.0" {
				t.Errorf("GoReleaser was called with %q", got)
			}
		})
	}
}
