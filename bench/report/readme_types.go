package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/octet-go/octet/bench/engine"
)

// readmePresent is the share of the optional parts in the run over types of public modules that the README shows.
const readmePresent = 0.6

// readmeVerbs are the operations in the README's sentences about types.
var readmeVerbs = []struct{ verb, text string }{
	{"Marshal", "`Marshal`"},
	{"Unmarshal, new", "`Unmarshal` into a new value"},
	{"Unmarshal, used", "`Unmarshal` into a used value"},
}

// typesOf returns the run over types of public modules on the machine of r with its version of Go, from the folder of
// the results, or nil if there is none.
func typesOf(folder string, r *engine.Results) (*engine.Distribution, error) {
	wanted := engine.Distribution{Host: r.Host, Kind: "real", Present: readmePresent}
	file := filepath.Join(folder, wanted.FileName())
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return engine.ReadDistribution(file)
}

// typeFigures returns sentences about the run over types, and its chart.
func typeFigures(d *engine.Distribution) ([]byte, error) {
	if d.Rounds < engine.MinRounds {
		return nil, fmt.Errorf("%s are too few to publish; use at least %d", engine.Plural(d.Rounds, "round"), engine.MinRounds)
	}
	var sentences []string
	for _, v := range readmeVerbs {
		var parts []string
		types := 0
		for _, r := range d.Ratios() {
			if r.Verb != v.verb {
				continue
			}
			types = max(types, len(r.Ratios))
			peer := "than " + r.Peer + "'s generated code"
			if r.Libraries > 1 {
				peer = "than the fastest library that uses reflection"
			}
			parts = append(parts, fmt.Sprintf("%s on %d (median of the times: %s)", peer, len(r.Ratios)-r.Slower(), engine.Digits(r.At(0.5))))
		}
		if len(parts) == 0 {
			return nil, fmt.Errorf("the run over types has no %s", v.verb)
		}
		start := "%s is faster %s."
		if len(sentences) == 0 {
			start = fmt.Sprintf("Of %d struct types of public modules, ", types) + start
		}
		sentences = append(sentences, fmt.Sprintf(start, v.text, strings.Join(parts, ", ")))
	}
	base := path.Join(resultsFolder, d.Base())
	charts := distributionCharts(d, d.Ratios())
	i := slices.IndexFunc(charts, func(c chart) bool { return c.file == "ratios.svg" })
	if i < 0 {
		return nil, errors.New("the run over types has no chart")
	}
	return fmt.Appendf(nil, "%s\nA median below 1 means that Octet takes less time. [All operations, and the worst types](%s.md).\n\n![%s](%s/%s)\n\n",
		strings.Join(sentences, "\n"), base, charts[i].title, base, charts[i].file), nil
}
