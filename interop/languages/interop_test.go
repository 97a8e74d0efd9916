package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// installVariable is set to 1 by .ci/run: the tests then install what is missing, and a library that did not run is a failure.
const installVariable = "OCTET_INTEROP"

// needsLanguages skips a test that runs programs in other languages, unless these or all long tests are asked for.
func needsLanguages(t *testing.T) {
	t.Helper()
	if testing.Short() || os.Getenv(installVariable) == "" && os.Getenv("OCTET_LONG") == "" {
		t.Skip("runs programs in other languages; set OCTET_LONG=1 to run those that are installed")
	}
}

var update = flag.Bool("update", false, "rewrite the lists of known differences and docs/interop.md")

var pageFile = filepath.Join("..", "..", "docs", "interop.md")

// TestLibraries runs every library that is installed, compares its differences with the list of known differences, and checks that
// docs/interop.md is current.
func TestLibraries(t *testing.T) {
	needsLanguages(t)
	install := os.Getenv(installVariable) == "1"
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	random, err := generate(defaultSeed, defaultCount)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	table, err := runAll(ctx, append(vectors(), random...), install, &log)
	t.Log(log.String())
	if err != nil {
		t.Fatal(err)
	}
	rows := table.rows()
	for _, c := range table.columns {
		t.Run(c.language+"/"+strings.ReplaceAll(c.name, "/", "_"), func(t *testing.T) {
			if c.skipped != "" && !install {
				t.Skip(c.skipped)
			} else if c.skipped != "" {
				t.Fatal(c.skipped)
			}
			known, err := readKnown(".", c)
			if err != nil {
				t.Fatal(err)
			}
			if *update {
				known = updateKnown(c, rows, known)
				if err := os.WriteFile(knownFile(".", c), []byte(formatKnown(known)), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			for _, problem := range check(c, rows, known) {
				t.Error(problem)
			}
		})
	}
	t.Run("page", func(t *testing.T) { testPage(t, table, install) })
}

func testPage(t *testing.T, table table, install bool) {
	if empty := table.empty(); len(empty) > 0 {
		if install {
			t.Fatalf("these libraries did not run:\n%s", strings.Join(empty, "\n"))
		}
		t.Skipf("these libraries did not run:\n%s", strings.Join(empty, "\n"))
	}
	page, err := makePage(".", table)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(pageFile, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	old, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(old) != page {
		t.Errorf("%s is not current: run go test ./interop/languages -run Libraries -update", pageFile)
	}
}
