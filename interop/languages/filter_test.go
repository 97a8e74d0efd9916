package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

// filterVariable is set for a process of the test binary that runs fakeFilter.
const filterVariable = "OCTET_INTEROP_TEST_FILTER"

func TestMain(m *testing.M) {
	if os.Getenv(filterVariable) != "" {
		fakeFilter()
		return
	}
	os.Exit(m.Run())
}

// fakeFilter ends at a message that begins with c1, and answers c2 with a line that is not JSON.
func fakeFilter() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		switch message := lines.Text(); {
		case strings.HasPrefix(message, "c1"):
			os.Exit(3)
		case strings.HasPrefix(message, "c2"):
			fmt.Println("{")
		default:
			fmt.Printf("{\"read\":\"n\",\"write\":%q}\n", message)
		}
	}
}

func TestAsk(t *testing.T) {
	t.Setenv(filterVariable, "1")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	fill := func(names ...string) [][]byte {
		var list [][]byte
		for _, n := range names {
			list = append(list, fromHex(n))
		}
		return list
	}
	answers, err := ask(t.Context(), []string{self}, fill("01", "c1", "02", "03", "c1", "c1"))
	if err != nil {
		t.Fatal(err)
	}
	want := []answer{{Read: "n", Write: "01"}, {crashed: true}, {Read: "n", Write: "02"}, {Read: "n", Write: "03"}, {crashed: true}, {crashed: true}}
	if fmt.Sprint(answers) != fmt.Sprint(want) {
		t.Errorf("got %+v, want %+v", answers, want)
	}
	if answers, err := ask(t.Context(), []string{self}, fill("c1", "01")); err == nil {
		t.Errorf("a filter that ends at its first message: %+v", answers)
	}
	if answers, err := ask(t.Context(), []string{self}, fill(strings.Fields("01"+strings.Repeat(" c1", maxCrashes+2))...)); err == nil {
		t.Errorf("a filter that always ends: %d answers", len(answers))
	}
	if answers, err := ask(t.Context(), []string{self}, fill("01", "c2", "02")); err == nil {
		t.Errorf("a line that is not JSON: %+v", answers)
	}
	if _, err := ask(t.Context(), []string{self + "-missing"}, fill("01")); err == nil {
		t.Error("a missing program: no error")
	}
}
