package conversion

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/lost"
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
	if r.result.Changed.Total() > 0 {
		r.Note("octet: convert: %s; --reversible keeps them", lost.Text(r.result.Changed))
	}
}
