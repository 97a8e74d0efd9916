package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/convert"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

// stream converts one input and shows the progress on a terminal.
func (r *conversionRun) stream(ctx context.Context, in *input.Input) (convert.Result, error) {
	return task.Await(ctx, nil, r.meter.Tick(func() int64 { return r.read + in.Consumed() }), func() (convert.Result, error) {
		return convert.Stream(r.values, in, r.Options)
	})
}

// summarize prints a summary of the conversion, and how many values JSON could not
// hold.
func (r *conversionRun) summarize() {
	in, out := r.read, r.into.N()
	ratio, to := "-", r.To.String()
	if r.asFile {
		to = toRecord
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
