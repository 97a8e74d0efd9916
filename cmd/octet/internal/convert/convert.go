// Package convert turns streams of JSON and MessagePack values into each other,
// and into themselves in another layout. Values pass one by one, so that the
// memory a stream takes does not depend on its length.
package convert

import (
	"errors"
	"io"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/transcode"
)

// indent is that of JSON for people.
const indent = "  "

// Options say what a stream becomes.
type Options struct {
	From, To   sniff.Format // JSON or MessagePack
	Pretty     bool         // JSON output is indented
	Reversible bool         // what JSON lacks is kept in objects; see package transcode
	Round      bool         // JSON numbers without a counterpart are rounded
}

// Stream converts all values of r and returns how many were written. A fault in
// the input is a [*transcode.Error] or a [*scan.Fault]; other errors are those
// of r and w.
func Stream(w io.Writer, r io.Reader, o Options) (values int64, err error) {
	t := transcode.Options{Reversible: o.Reversible, RoundNumbers: o.Round}
	if o.Pretty {
		t.Indent = indent
	}
	var stats transcode.Stats
	switch {
	case o.From == sniff.JSON && o.To == sniff.JSON:
		return relayout(w, r, o.Pretty)
	case o.From == sniff.MessagePack && o.To == sniff.MessagePack:
		return shorten(w, r)
	case o.From == sniff.JSON:
		stats, err = transcode.ToMsgpack(w, r, t)
	default:
		stats, err = transcode.ToJSON(w, r, t)
	}
	return stats.Values, err
}

// Brief returns a fault in the input as one line for a person.
func Brief(err error) error {
	var fault *scan.Fault
	if errors.As(err, &fault) {
		return fault
	}
	var e *transcode.Error
	if !errors.As(err, &e) {
		return err
	}
	text := scan.Place(e.Offset, strings.TrimPrefix(e.Path, ".")) + ": "
	reason := strings.TrimPrefix(e.Err.Error(), "transcode: ")
	text += strings.TrimPrefix(reason, "msgpack: ")
	switch {
	case e.Want != "" && e.Found != "":
		text += ": expected " + e.Want + ", found " + e.Found
	case e.Want != "":
		text += ": expected " + e.Want
	case e.Found != "":
		text += ": found " + e.Found
	}
	return errors.New(text)
}
