package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
)

func TestMeasure(t *testing.T) {
	var out bytes.Buffer
	r, err := measure(&out, regexp.MustCompile("struct/account/Marshal"), engine.Effort{Rounds: 2, Turn: 1, Quick: true, Base: engine.Ours})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"third lowest processor time of 2 rounds; ", "\nstruct/account, 81 bytes: six fields, flat", "MarshalAppend", "msgp", "shamaton", "vmihailenco"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	for _, other := range []string{"Unmarshal", "report"} {
		if strings.Contains(out.String(), other) {
			t.Errorf("output contains %q, which was not requested:\n%s", other, out.String())
		}
	}
	if len(r.Cases) != 2 || r.Cases[1].Verb != "MarshalAppend" || r.Cases[1].Shape != "struct/account" || len(r.Cases[1].Entries[0].NS) != 2 || !r.Quick {
		t.Errorf("results %+v", r)
	}
	if strings.Contains(out.String(), "no ratios") {
		t.Errorf("no ratios in\n%s", out.String())
	}
	if _, err := measure(&out, regexp.MustCompile("single/int64/Marshal$"), engine.Effort{Rounds: 1, Turn: 1, Base: "nobody"}); err != nil || !strings.Contains(out.String(), "nobody is in none of these cases") {
		t.Errorf("%v; the output does not say that there are no ratios", err)
	}
	if _, err := measure(&out, regexp.MustCompile("^$"), engine.Effort{Rounds: 1, Turn: 1}); err == nil {
		t.Error("a pattern without matches returned no error")
	}
	if _, err := measure(&out, regexp.MustCompile("1000000"), engine.Effort{Rounds: 1, Turn: 1, Quick: true}); err == nil {
		t.Error("a quick run has large cases")
	}
}
