package main

import (
	"flag"
	"io"
	"strings"
	"testing"
	"time"
)

func TestOptions(t *testing.T) {
	cases := map[string]struct {
		args string
		want string // text of the error; "" for none
	}{
		"nothing":                     {"", ""},
		"all that measuring takes":    {"-quick -rounds 3 -turn 2ms -run struct -o f.json", ""},
		"reports":                     {"-report f.json -readme", ""},
		"a page":                      {"-report f.json -page f.html", ""},
		"a page of a run":             {"-run struct -page f.html -base limit -seed 7", ""},
		"a comparison":                {"-compare old.json new.json", ""},
		"sizes":                       {"-size", ""},
		"no such flag":                {"-rond 3", "flag provided but not defined: -rond"},
		"no number":                   {"-rounds many", `invalid value "many"`},
		"no rounds":                   {"-rounds 0", "-rounds and -turn must be positive"},
		"no turn":                     {"-turn 0s", "-rounds and -turn must be positive"},
		"no expression":               {"-run (", "bench: -run: error parsing regexp"},
		"an argument":                 {"struct/report", `unexpected argument "struct/report"`},
		"an argument behind a report": {"-report f.json g.json", `unexpected argument "g.json"`},
		"a readme of nothing":         {"-readme", "-readme needs a results file"},
		"a report of nothing":         {"-report=", "-report needs a results file"},
		"one file compared":           {"-compare old.json", "-compare needs two results files"},
		"three files compared":        {"-compare a b c", "-compare needs two results files"},
		"a quick report":              {"-report f.json -quick", "-quick cannot be used with -report"},
		"some of a comparison":        {"-compare -run struct old.json new.json", "-run cannot be used with -compare"},
		"a report compared":           {"-compare -report f.json old.json new.json", "-report cannot be used with -compare"},
		"a page compared":             {"-compare -page f.html old.json new.json", "-page cannot be used with -compare"},
		"large arrays":                {"-large 1000 -rounds 2 -disk /tmp", ""},
		"large arrays of nothing":     {"-large -1", "-large must be positive"},
		"a disk without arrays":       {"-disk /tmp", "-disk needs -large"},
		"large arrays and sizes":      {"-large 1000 -size", "-large cannot be used with -size"},
		"some of large arrays":        {"-large 1000 -run struct", "-run cannot be used with -large"},
		"rounds of sizes":             {"-size -rounds 3", "-rounds cannot be used with -size"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := parsed(c.args)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestQuickTurns(t *testing.T) {
	for args, want := range map[string]pace{
		"":                     {rounds: leastRounds, turn: 10 * time.Millisecond},
		"-quick":               {rounds: 4, turn: time.Millisecond},
		"-quick -turn 3ms":     {rounds: 4, turn: 3 * time.Millisecond},
		"-quick -rounds 10":    {rounds: 10, turn: time.Millisecond},
		"-turn 3ms -rounds 20": {rounds: 20, turn: 3 * time.Millisecond},
	} {
		if o, err := parsed(args); err != nil || o.turn != want.turn || o.rounds != want.rounds {
			t.Errorf("%q: %v and %d rounds, %v", args, o.turn, o.rounds, err)
		}
	}
}

func parsed(args string) (options, error) {
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	return parseOptions(f, strings.Fields(args))
}
