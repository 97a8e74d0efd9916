package conversion

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/octet-go/octet/cmd/octet/internal/console"
)

// summarize prints a summary of the conversion, and how many values JSON could not
// hold.
func (r *Conversion) summarize() {
	in, out := r.read, r.into.N()
	ratio, to := "-", r.To.String()
	if r.asFile {
		to = Record
	}
	if in > 0 {
		ratio = fmt.Sprintf("%.1f %%", 100*float64(out)/float64(in))
	}
	r.Note("octet: convert: %s, %s %s → %s %s (%s), %s",
		console.Plural(r.result.Values, "value"),
		humanize.Bytes(uint64(in)), r.From, humanize.Bytes(uint64(out)), to, ratio, r.meter.Rate(in))
	c := r.result.Changed
	if c.Total() == 0 {
		return
	}
	var kinds []string
	for _, k := range []struct {
		n    int64
		noun string
	}{{c.Bins, "bin"}, {c.Timestamps, "timestamp"}, {c.Floats, "float 32"}, {c.Keys, "key that is not a string"}} {
		switch {
		case k.n == 1:
			kinds = append(kinds, "1 "+k.noun)
		case k.n > 1 && k.noun == "key that is not a string":
			kinds = append(kinds, humanize.Comma(k.n)+" keys that are not strings")
		case k.n > 1:
			kinds = append(kinds, console.Plural(k.n, k.noun))
		}
	}
	r.Note("octet: convert: JSON has no form for %s (%s); --reversible keeps them",
		console.Plural(c.Total(), "value"), strings.Join(kinds, ", "))
}
