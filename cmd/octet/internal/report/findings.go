package report

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/flags"
	"github.com/octet-go/octet/cmd/octet/internal/lint"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/internal/output"
)

// Findings prints what lint finds in files.
type Findings struct {
	W      io.Writer
	Name   string      // of the file
	JSON   bool        // print objects
	Limit  flags.Limit // how many findings are printed
	InFile int64       // findings in the file
	Fixed  int64       // findings that were repaired

	last  lint.Rule // of the last finding
	total int64
	files int64 // with findings
	rules map[lint.Rule]int64
}

// Begin begins the findings of another file.
func (r *Findings) Begin(w io.Writer, name string) {
	r.W, r.Name, r.InFile = w, name, 0
}

// End ends the findings of a file.
func (r *Findings) End() {
	if r.InFile > 0 {
		r.files++
	}
}

// A findingLine is one line of octet lint --json.
type findingLine struct {
	File    string    `json:"file"`
	Value   int64     `json:"value"` // number of the top-level value, from 0
	Offset  int64     `json:"offset"`
	Line    int64     `json:"line,omitempty"`   // in JSON, counted from 1
	Column  int64     `json:"column,omitempty"` // the same, in characters
	Path    string    `json:"path"`
	Rule    lint.Rule `json:"rule"`
	Message string    `json:"message"`
}

// Print prints a finding.
func (r *Findings) Print(f lint.Finding) error {
	r.total++
	r.InFile++
	r.last = f.Rule
	if r.rules == nil {
		r.rules = map[lint.Rule]int64{}
	}
	r.rules[f.Rule]++
	if r.Limit.Passed(r.total) {
		return nil
	}
	if !r.JSON {
		place := ""
		if f.Value > 0 {
			place = fmt.Sprintf("value %d, ", f.Value+1)
		}
		at := scan.Place(f.Offset, f.Path)
		if f.Line > 0 {
			at = scan.WithPath(fmt.Sprintf("line %d, column %d", f.Line, f.Column), f.Path)
		}
		_, err := fmt.Fprintf(r.W, "%s: %s%s: %s [%s]\n", r.Name, place, at, f.Message, f.Rule)
		return err
	}
	return output.JSONLines(r.W).Encode(findingLine{r.Name, f.Value, f.Offset, f.Line, f.Column, f.Path, f.Rule, f.Message})
}

// ShownMalformed reports whether the last finding in the file was printed, not only
// counted, and is about malformed input.
func (r *Findings) ShownMalformed() bool {
	return r.InFile > 0 && r.last == lint.Malformed && !r.Limit.Passed(r.total)
}

// Result returns an error with the number of findings that remain, or nil.
func (r *Findings) Result() error {
	left := r.total - r.Fixed
	if left <= 0 {
		return nil
	}
	text := console.Plural(left, "finding")
	if r.Fixed > 0 {
		text += " left"
	}
	var counts []string
	for _, name := range append(slices.Clone(lint.Rules), string(lint.Malformed)) {
		if n := r.rules[lint.Rule(name)]; n > 0 {
			counts = append(counts, fmt.Sprintf("%s %d", name, n))
		}
	}
	if len(counts) > 1 && r.Fixed == 0 {
		text += " (" + strings.Join(counts, ", ") + ")"
	}
	if r.files > 1 {
		text += " in " + console.Plural(r.files, "file")
	}
	if r.Limit.Passed(r.total) {
		text += fmt.Sprintf("; %s not shown, see --limit", humanize.Comma(r.total-int64(r.Limit)))
	}
	return failure.New(failure.Finding, "", errors.New(text))
}
