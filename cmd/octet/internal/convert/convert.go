// Package convert converts streams of JSON and MessagePack values. It also
// rewrites a stream in its own format: JSON with a different layout,
// MessagePack in the shortest formats. It processes a few values at a time, so
// memory use does not depend on the length of the stream.
package convert

import (
	"errors"
	"io"
	"runtime"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

// indent is the indentation of pretty JSON.
const indent = "  "

// Options select the formats and how values are converted.
type Options struct {
	From, To   sniff.Format // JSON or MessagePack
	Pretty     bool         // indent JSON output
	Reversible bool         // write values that JSON lacks as objects; see package transcode
	Round      bool         // round JSON numbers that MessagePack cannot represent
	SkipBad    bool         // leave out values with errors
}

// A Result describes a conversion. After an error it describes the values before
// the error.
type Result struct {
	Values  int64 // written
	Changed transcode.Changed
	Skipped int64 // values, or lines of JSON, that SkipBad left out
	First   error // the error of the first of them
}

// Add adds the result of another stream.
func (r *Result) Add(o Result) {
	r.Values += o.Values
	r.Changed.Add(o.Changed)
	r.Skipped += o.Skipped
	if r.First == nil {
		r.First = o.First
	}
}

// Stream converts all values of r. If the input is malformed, the error is a
// [*transcode.Error] or a [*scan.Fault]. Other errors come from r and w.
func Stream(w io.Writer, r io.Reader, o Options) (Result, error) {
	if o.SkipBad {
		return skipBad(w, r, o)
	}
	if o.From == o.To {
		return o.inPieces(w, r, min(runtime.GOMAXPROCS(0), maxWorkers))
	}
	return o.cross(w, r, largeValue)
}

// ToJSON is [Stream] from MessagePack to JSON, without the code that reads JSON, which a
// program that is loaded by a browser need not have.
func ToJSON(w io.Writer, r io.Reader, o Options) (Result, error) {
	o.From, o.To = sniff.MessagePack, sniff.JSON
	return o.toJSON(w, r, largeValue)
}

// pass converts the values of r up to the first error. MessagePack that becomes
// MessagePack begins at the offset base of the input. Pass calls mark, if it is not
// nil and the formats are the same, after each value with the offset of the next
// one; everything before has then been written.
func (o Options) pass(w io.Writer, r io.Reader, base int64, mark func(offset int64)) (Result, error) {
	t := o.transcode()
	var stats transcode.Stats
	var err error
	switch {
	case o.From == sniff.JSON && o.To == sniff.JSON:
		stats.Values, err = relayout(w, r, o.Pretty, mark)
	case o.From == sniff.MessagePack && o.To == sniff.MessagePack:
		stats.Values, err = shorten(w, r, base, mark)
	case o.From == sniff.JSON:
		stats, err = transcode.ToMsgpack(w, r, t)
	default:
		stats, err = transcode.ToJSON(w, r, t)
	}
	return Result{Values: stats.Values, Changed: stats.Changed}, err
}

// transcode returns the options for package transcode.
func (o Options) transcode() *transcode.Options {
	t := &transcode.Options{Reversible: o.Reversible, RoundNumbers: o.Round}
	if o.Pretty {
		t.Indent = indent
	}
	return t
}

// Remedy returns the flag with which the value that err is about can be
// converted, or "".
func Remedy(err error) string {
	e, ok := errors.AsType[*transcode.Error](err)
	switch {
	case !ok:
		return ""
	case errors.Is(e, transcode.ErrNumber) && strings.Contains(e.Want, "RoundNumbers"):
		return "--round"
	case errors.Is(e, transcode.ErrNaN), e.Line == 0 && errors.Is(e, transcode.ErrUTF8), errors.Is(e, transcode.ErrKey), errors.Is(e, wire.ErrTimestamp):
		return "--reversible"
	}
	return ""
}
