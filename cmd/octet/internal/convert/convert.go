// Package convert converts streams of JSON and MessagePack values. It also
// rewrites a stream in its own format: JSON with a different layout,
// MessagePack in the shortest formats. It processes values one at a time, so
// memory use does not depend on the length of the stream.
package convert

import (
	"errors"
	"io"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
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
}

// Stream converts all values of r and returns the number of values written. If
// the input is malformed, the error is a [*transcode.Error] or a [*scan.Fault].
// Other errors come from r and w.
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

// Brief returns an error about the input as one line for the user.
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
