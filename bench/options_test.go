package main

import (
	"flag"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/bench/engine"
)

func TestOptions(t *testing.T) {
	cases := map[string]struct {
		args string
		want string // text of the error; "" for none
	}{
		"no flags":                  {"", ""},
		"all flags for measuring":   {"-quick -rounds 3 -turn 2ms -run struct -o f.json", ""},
		"reports":                   {"-report f.json -readme", ""},
		"a page":                    {"-report f.json -page f.html", ""},
		"a page of a run":           {"-run struct -page f.html -base limit -seed 7", ""},
		"a comparison":              {"-compare old.json new.json", ""},
		"sizes":                     {"-size", ""},
		"no such flag":              {"-rond 3", "flag provided but not defined: -rond"},
		"not a number":              {"-rounds many", `invalid value "many"`},
		"no rounds":                 {"-rounds 0", "-rounds and -turn must be positive"},
		"no turn":                   {"-turn 0s", "-rounds and -turn must be positive"},
		"invalid expression":        {"-run (", "bench: -run: error parsing regexp"},
		"an argument":               {"struct/report", `unexpected argument "struct/report"`},
		"argument after -report":    {"-report f.json g.json", `unexpected argument "g.json"`},
		"-readme alone":             {"-readme", "-readme needs a results file"},
		"-report without a file":    {"-report=", "-report needs a results file"},
		"-compare with one file":    {"-compare old.json", "-compare needs two results files"},
		"-compare with three files": {"-compare a b c", "-compare needs two results files"},
		"-report with -quick":       {"-report f.json -quick", "-quick cannot be used with -report"},
		"-compare with -run":        {"-compare -run struct old.json new.json", "-run cannot be used with -compare"},
		"-compare with -report":     {"-compare -report f.json old.json new.json", "-report cannot be used with -compare"},
		"-compare with -page":       {"-compare -page f.html old.json new.json", "-page cannot be used with -compare"},
		"random types":              {"-random 7 -types 20 -rounds 3 -run S1 -o f.json", ""},
		"no random seed":            {"-random x", "-random needs a number"},
		"no random types":           {"-random 1 -types 0", "-types must be positive"},
		"real types":                {"-real -types 20 -seed 2 -quick -o f.json", ""},
		"-real with -random":        {"-real -random 1", "-real cannot be used with -random"},
		"instructions":              {"-instructions -run fixed -quick -o f.json", ""},
		"-instructions with -page":  {"-instructions -page f.html", "-page cannot be used with -instructions"},
		"-types alone":              {"-types 3", "-types needs -random"},
		"-random with -compare":     {"-compare -random 1 a b", "-random cannot be used with -compare"},
		"large arrays":              {"-large 1000 -rounds 2 -disk /tmp", ""},
		"negative -large":           {"-large -1", "-large must be positive"},
		"-disk alone":               {"-disk /tmp", "-disk needs -large"},
		"-large with -size":         {"-large 1000 -size", "-large cannot be used with -size"},
		"-large with -run":          {"-large 1000 -run struct", "-run cannot be used with -large"},
		"-size with -rounds":        {"-size -rounds 3", "-rounds cannot be used with -size"},
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
	for args, want := range map[string]engine.Effort{
		"":                     {Rounds: engine.MinRounds, Turn: 10 * time.Millisecond},
		"-quick":               {Rounds: 4, Turn: time.Millisecond},
		"-quick -turn 3ms":     {Rounds: 4, Turn: 3 * time.Millisecond},
		"-quick -rounds 10":    {Rounds: 10, Turn: time.Millisecond},
		"-turn 3ms -rounds 20": {Rounds: 20, Turn: 3 * time.Millisecond},
		"-random 1":            {Rounds: 90, Turn: 100 * time.Microsecond},
		"-real -quick":         {Rounds: 4, Turn: 100 * time.Microsecond},
		"-real -rounds 20":     {Rounds: 20, Turn: 100 * time.Microsecond},
	} {
		if o, err := parsed(args); err != nil || o.Turn != want.Turn || o.Rounds != want.Rounds {
			t.Errorf("%q: %v and %d rounds, %v", args, o.Turn, o.Rounds, err)
		}
	}
}

func parsed(args string) (options, error) {
	f := flag.NewFlagSet("bench", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	return parseOptions(f, strings.Fields(args))
}
