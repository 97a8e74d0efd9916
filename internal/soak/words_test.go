package soak

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/layout"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/record"
)

// TestSameWords requires that packages say the same failure in the same words. Package binary says what encoding/binary
// says where that has an error, and the text of ErrTrailing ends in what is followed by data.
func TestSameWords(t *testing.T) {
	for name, list := range map[string][]error{
		"ErrTruncated": {msgpack.ErrTruncated, layout.ErrTruncated, array.ErrTruncated, record.ErrTruncated},
		"ErrLimit":     {msgpack.ErrLimit, layout.ErrLimit, array.ErrLimit, record.ErrLimit},
		"ErrOptions":   {msgpack.ErrOptions, layout.ErrOptions, array.ErrOptions, record.ErrOptions},
		"ErrDepth":     {msgpack.ErrDepth, layout.ErrDepth},
		"ErrUTF8":      {msgpack.ErrUTF8, layout.ErrUTF8},
		"ErrTarget":    {msgpack.ErrTarget, layout.ErrTarget},
		"ErrInvalid":   {msgpack.ErrInvalid, record.ErrInvalid},
		"ErrCorrupt":   {array.ErrCorrupt, record.ErrCorrupt},
		"ErrFormat":    {array.ErrFormat, record.ErrFormat},
		"ErrVersion":   {array.ErrVersion, record.ErrVersion},
	} {
		want := strings.TrimPrefix(list[0].Error(), "msgpack: ")
		for _, err := range list[1:] {
			if got := err.Error(); got != want {
				t.Errorf("%s: %q and %q", name, got, want)
			}
		}
	}
	for _, err := range []error{msgpack.ErrTrailing, layout.ErrTrailing, array.ErrTrailing, binary.ErrTrailing} {
		if _, text, ok := strings.Cut(": "+err.Error(), ": "); !ok || !strings.Contains(text, "trailing data after the ") {
			t.Errorf("ErrTrailing: %q", err)
		}
	}
}

// TestEndWords requires that input which ends too early matches the error of package io, and a closed file that of io/fs.
func TestEndWords(t *testing.T) {
	for name, err := range map[string]error{
		"msgpack": msgpack.ErrTruncated, "layout": layout.ErrTruncated, "binary": binary.ErrTruncated, "array": array.ErrTruncated,
		"record": record.ErrTruncated,
	} {
		if !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			t.Errorf("%s.ErrTruncated matches io.ErrUnexpectedEOF: %t, io.EOF: %t, want true, false", name, errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF))
		}
	}
	for name, err := range map[string]error{"array": array.ErrClosed, "record": record.ErrClosed} {
		if !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s.ErrClosed does not match fs.ErrClosed", name)
		}
	}
}
