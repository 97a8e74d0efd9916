package input

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/transcode"
)

// Explain returns an error that occurred while the input was read as one that
// the user understands. An error that has an exit code is returned unchanged.
func (in *Input) Explain(err error) error {
	var known *failure.Error
	var damaged compressionError
	var malformed *transcode.Error
	var fault *scan.Fault
	var inRecords *record.Error
	switch {
	case errors.As(err, &known):
		return err
	case in.raw.Err() != nil:
		return failure.Accessing(in.Name, in.raw.Err())
	case errors.As(err, &damaged):
		f := failure.New(failure.Data, in.Name, damaged)
		if in.ofBlock {
			f.Err = fmt.Errorf("blocks of a record file, without its file header: %w", damaged)
			f.Detail = in.toRecover()
		}
		flags := ""
		switch {
		case damaged.largeWindow():
			flags = "--long=31 "
		case damaged.dictionary():
			flags = "-D DICTIONARY "
		}
		if flags != "" && in.Path != "-" && len(in.args) > 0 {
			f.Detail = "Try: zstd -dc " + flags + Quote(in.Path) + " | " + commandLine(replaced(in.args, in.Path, "-"))
		}
		return f
	case in.records != nil && errors.As(err, &inRecords):
		return in.explainRecord(inRecords)
	case !errors.As(err, &malformed) && !errors.As(err, &fault):
		return err
	}
	if malformed != nil {
		if found := in.truncated(malformed); found != nil {
			err = found
		}
	}
	f := failure.New(failure.Data, in.Name, Brief(err))
	if malformed != nil && Rounds(malformed) && len(in.args) > 0 && in.args[0] != "convert" && in.Path != "-" {
		f.Detail = "Try: octet convert --round --to msgpack " + Quote(in.Path) + " | " + commandLine(replaced(in.args, in.Path, "-"))
	}
	if in.Format == sniff.MessagePack && in.Path != "-" {
		f.Detail = "To see the bytes: octet inspect " + Quote(in.Path)
		if in.forced {
			f.Detail = "To see the bytes: octet inspect --force " + Quote(in.Path)
		}
	}
	return f
}

// compressedTwice returns the error for compressed data that contains compressed data or a
// record file.
func (in *Input) compressedTwice(inner sniff.Format, head []byte) error {
	content := inner.String() + " data"
	if sniff.IsRecord(head) {
		content = "a record file"
	}
	f := failure.New(failure.Data, in.Name, fmt.Errorf("the %s data contains %s", in.Compression, content))
	if in.Path != "-" && len(in.args) > 0 {
		f.Detail = fmt.Sprintf("Try: %s -dc %s | %s", in.Compression, Quote(in.Path), commandLine(replaced(in.args, in.Path, "-")))
	}
	return f
}

// truncated returns the fault that a scanner finds in a file that ends inside a value, so
// that all commands describe it in the same words. It returns nil for another error and
// for an input that cannot be read again.
func (in *Input) truncated(e *transcode.Error) *scan.Fault {
	if !errors.Is(e, transcode.ErrTruncated) || in.Format != sniff.MessagePack || in.file == nil || in.Compression != sniff.Unknown || in.records != nil {
		return nil
	}
	s := scan.New(io.NewSectionReader(in.file, e.Start, math.MaxInt64-e.Start), e.Start)
	for {
		_, err := s.Next()
		var f *scan.Fault
		switch {
		case err == nil:
			continue
		case !errors.As(err, &f) || f.Offset != e.Offset || f.Err != wire.ErrTruncated:
			return nil // the input is not the file from its start, or the file has changed
		}
		f.Value = e.Value
		return f
	}
}

// ExplainJSON returns the error for a value that JSON cannot hold. number counts the
// values before it, and offset is that of its first byte.
func (in *Input) ExplainJSON(err error, offset, number int64) error {
	var e *transcode.Error
	if errors.As(err, &e) {
		moved := *e
		moved.Offset += offset
		moved.Value = number
		err = &moved
	}
	f := failure.New(failure.Data, in.Name, Brief(err))
	f.Detail = "To print values that JSON lacks as objects: --reversible"
	if errors.Is(err, transcode.ErrDuplicateKey) {
		f.Detail = "To see all duplicate keys: octet lint " + Quote(in.Path)
	}
	return f
}

// Failed returns the error of the file or pipe itself, or nil. Errors in the
// content are not included.
func (in *Input) Failed() error { return in.raw.Err() }

// Brief returns an error about the content of an input on one line.
func Brief(err error) error {
	var fault *scan.Fault
	if errors.As(err, &fault) {
		return errors.New(recordNumber(fault.Value) + fault.Error())
	}
	var e *transcode.Error
	if !errors.As(err, &e) {
		return err
	}
	place := fmt.Sprintf("offset %d", e.Offset)
	if e.Line > 0 {
		place = fmt.Sprintf("line %d, column %d", e.Line, e.Column)
	}
	text := recordNumber(e.Value) + scan.WithPath(place, strings.TrimPrefix(e.Path, ".")) + ": "
	reason := strings.TrimPrefix(e.Err.Error(), "transcode: ")
	text += strings.TrimPrefix(reason, "msgpack: ")
	want := strings.TrimSuffix(e.Want, orRound)
	switch {
	case want != "" && e.Found != "":
		text += ": expected " + want + ", found " + e.Found
	case want != "":
		text += ": expected " + want
	case e.Found != "":
		text += ": found " + e.Found
	}
	return errors.New(text)
}

// orRound ends what package transcode expects instead of a number that can be
// rounded.
const orRound = ", or RoundNumbers"

// Rounds reports whether the error is about a number that octet convert --round
// converts.
func Rounds(e *transcode.Error) bool { return strings.HasSuffix(e.Want, orRound) }

// recordNumber returns the number of a value in the stream, counted from 1. It returns
// nothing for the first value, because most inputs have only one.
func recordNumber(before int64) string {
	if before == 0 {
		return ""
	}
	return fmt.Sprintf("value %d, ", before+1)
}
