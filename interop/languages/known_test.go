package main

import (
	"slices"
	"strings"
	"testing"
)

const knownText = `Numbers are floats.
	1 → read as 1.0, and written as this value
	key: 2 → not read

Text must be UTF-8.
	byte ff → not read
`

func TestKnown(t *testing.T) {
	list, err := parseKnown("# A comment.\n\n" + knownText)
	if err != nil {
		t.Fatal(err)
	}
	want := []difference{
		{"1", "read as 1.0, and written as this value", "Numbers are floats."},
		{"key: 2", "not read", "Numbers are floats."},
		{"byte ff", "not read", "Text must be UTF-8."},
	}
	if !slices.Equal(list, want) {
		t.Errorf("got %v", list)
	}
	if got := formatKnown(list); got != knownText {
		t.Errorf("formatKnown returns\n%s", got)
	}
	for _, text := range []string{"\t1 → not read\n", "A reason.\n\t1 not read\n"} {
		if _, err := parseKnown(text); err == nil {
			t.Errorf("parseKnown(%q) returns no error", text)
		}
	}
}

func TestCheck(t *testing.T) {
	rows := []row{{"", "a", []int{0}}, {"", "b", []int{1}}}
	c := column{outcomes: []outcome{{kind: notRead, text: "not read"}, {}}}
	cases := []struct {
		name  string
		known []difference
		want  string // a part of the only problem, or ""
	}{
		{"listed", []difference{{"a", "not read", "r"}}, ""},
		{"not listed", nil, "a: not read"},
		{"listed as something else", []difference{{"a", "not written", "r"}}, "but the list says: not written"},
		{"unexpected pass", []difference{{"a", "not read", "r"}, {"b", "not read", "r"}}, "b: passes"},
		{"no such row", []difference{{"a", "not read", "r"}, {"c", "not read", "r"}}, "c: listed, but there is no such row"},
		{"twice", []difference{{"a", "not read", "r"}, {"a", "not read", "r"}}, "a: listed twice"},
		{"no reason", []difference{{"a", "not read", unexplained}}, "a: the list gives no reason"},
	}
	for _, test := range cases {
		got := check(c, rows, test.known)
		if test.want == "" && len(got) > 0 || test.want != "" && (len(got) != 1 || !strings.Contains(got[0], test.want)) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestUpdateKnown(t *testing.T) {
	rows := []row{{"", "a", []int{0}}, {"", "b", []int{1}}, {"", "c", []int{2}}}
	c := column{outcomes: []outcome{{kind: notRead, text: "not read"}, {}, {kind: notWritten, text: "not written"}}}
	got := updateKnown(c, rows, []difference{{"b", "not read", "r"}, {"c", "not read", "r"}})
	want := []difference{{"c", "not written", "r"}, {"a", "not read", unexplained}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
