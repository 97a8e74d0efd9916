package report

import (
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/internal/example"
)

// withMessages adds ten messages to a run. Octet takes 1 to 10 times as long as code by hand to encode them, and half
// of that to decode them.
func withMessages(r *engine.Results) *engine.Results {
	for i := range 10 {
		for _, verb := range []string{"Append", "Decode", "Alias"} {
			times := float64(i + 1)
			if verb != "Append" {
				times /= 2
			}
			c := engine.Case{Group: messagesGroup, Shape: string(rune('a' + i)), Verb: verb}
			c.Entries = []engine.Entry{
				example.Synthetic(engine.Ours, 100*times, 0), example.Synthetic(byHand, 100, 0),
			}
			if verb != "Alias" {
				c.Entries = append(c.Entries, example.Synthetic("octet any", 200*times, 0))
			}
			r.Cases = append(r.Cases, c)
		}
	}
	return r
}

func TestMessageFigures(t *testing.T) {
	r := withMessages(headlined())
	text := string(markdown(r))
	for _, want := range []string{
		"| operation | beside | messages | median | quartiles | 9 of 10 below | worst | slower on | worst message |\n",
		"| `Typed.Append` | by hand | 10 | 6.00 | 3.00–8.00 | 10.0 | 10.0 | 9 (90%) | j |\n",
		"| `MarshalAppend` | by hand | 10 | 12.0 | 6.00–16.0 | 20.0 | 20.0 | 10 (100%) | j |\n",
		"| `Typed.Unmarshal`, `AliasInput` | by hand | 10 | 3.00 | 1.50–4.00 | 5.00 | 5.00 | 8 (80%) | j |\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "`UnmarshalPrefix`, `AliasInput`") {
		t.Error("a row for a call that was not measured")
	}
	readme, err := withFigures([]byte(emptyReadme), r, nil)
	want := "\nOf 10 messages of real protocols, `layout` encodes half in less than 6.00 (9 of 10: 10.0) times"
	if err != nil || !strings.Contains(string(readme), want) {
		t.Errorf("no %q in\n%s\n%v", want, readme, err)
	}
}

// TestNoMessages checks reports of runs without the group.
func TestNoMessages(t *testing.T) {
	if list := messageRatios(headlined()); len(list) != 0 {
		t.Errorf("ratios of messages that were not measured: %v", list)
	}
	if text := messageFigures(headlined()); len(text) != 0 {
		t.Errorf("a sentence about messages that were not measured: %s", text)
	}
}
