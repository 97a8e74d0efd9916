package main

import (
	"context"
	"io"
	"strings"
	"testing"
)

func TestPage(t *testing.T) {
	vectors := []vector{
		{"Nil", "nil", fromHex("c0"), "n"},
		{"Nil", "a | b", fromHex("c2"), "f"},
		{generated, "integers", fromHex("01"), "i1"},
		{generated, "integers", fromHex("02"), "i2"},
	}
	table := table{vectors: vectors, columns: []column{
		{library: library{name: "a/b", file: "none"}, language: "Go", version: "1", outcomes: []outcome{{same: true}, {}, {same: true}, {}}},
		{library: library{name: "c+", file: "none", options: "x_y"}, language: "Rust", version: "2",
			outcomes: []outcome{{}, {kind: notRead, text: "not read"}, {}, {kind: readOther, text: "read as 3"}}},
	}}
	page, err := makePage(t.TempDir(), table)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"2 messages are written by hand",
		"| Go | [a/b](#ab-go) | 1 | 2 of 2 | 2 of 2 | 1 |\n",
		"| Rust | [c+](#c-with-options-rust) | 2 | 1 of 2 | 1 of 2 | 0 |\n",
		"✓ in every library: nil.\n",
		"| a \\| b | ✓ | ✗ |\n",
		"| integers | ✓ | ≠ |\n",
		"### a/b (Go)\n\nNo differences.\n",
		"### c with options (Rust)\n\nOptions: x\\_y.\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %q", want)
		}
	}
	var printed strings.Builder
	printTable(&printed, table, false)
	for _, want := range []string{"a | b     c+       not read", "integers  c+       of 2: 1 read differently", "c+       2        1 of 2"} {
		if !strings.Contains(printed.String(), want) {
			t.Errorf("the printed table does not contain %q:\n%s", want, printed.String())
		}
	}
}

// TestNotInstalled checks that a language without its commands or libraries is skipped with a reason.
func TestNotInstalled(t *testing.T) {
	t.Setenv(cacheVariable, t.TempDir())
	for _, l := range languages() {
		columns, err := l.columns(context.Background(), vectors()[:1], false, io.Discard)
		if err != nil {
			t.Errorf("%s: %v", l.name, err)
		}
		table := table{columns: columns}
		if len(columns) == 0 || len(table.empty()) != len(columns) {
			t.Errorf("%s: %v", l.name, table.empty())
		}
	}
	l := languages()[0]
	l.needs = []string{"octet-no-such-command"}
	if _, err := l.prepare(t.Context(), true, io.Discard); !isNotInstalled(err) || !strings.Contains(err.Error(), "octet-no-such-command") {
		t.Errorf("error %v", err)
	}
}
