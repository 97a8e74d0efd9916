package records

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/record"
)

// Explain converts an error of package record about a file. If the error names
// another one, such as the output of a copy, that takes its place.
func Explain(path string, err error) error {
	var known *failure.Error
	var place *record.Error
	if errors.As(err, &place) && place.File != "" {
		path = place.File
	}
	switch {
	case err == nil || err == failure.ErrInterrupted || errors.As(err, &known):
		return err
	case errors.Is(err, record.ErrCorrupt), errors.Is(err, record.ErrVersion), errors.Is(err, record.ErrLimit):
		f := failure.New(failure.Data, path, plain(err))
		if other := notRecords(path, place); other != nil {
			return other
		}
		if errors.Is(err, record.ErrCorrupt) {
			f.Detail = "To copy what can be read: octet record recover " + input.Quote(path) + " -o NEW.rec"
		}
		return f
	case errors.Is(err, fs.ErrExist):
		return failure.New(failure.Access, path, errors.New("file exists"))
	}
	return failure.Accessing(path, plain(err))
}

// notRecords returns the error for a file that has never been a record file, as far as
// its first bytes tell, or nil. place is where reading has failed.
func notRecords(path string, place *record.Error) *failure.Error {
	if place == nil || place.Offset != 0 {
		return nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	head := make([]byte, sniff.MaxHead)
	frameMagic := []byte(sniff.RecordMagic[1:]) // the first byte also says which of the headers it is
	n, _ := io.ReadFull(file, head)
	head = head[:n]
	if format := sniff.Compression(head); format != sniff.Unknown && !bytes.HasPrefix(head[1:], frameMagic) {
		f := failure.New(failure.Data, path, fmt.Errorf("this looks like %s data, not a record file", format.Title()))
		f.Detail = fmt.Sprintf("If it contains one: %s -dc %s > NEW.rec", format, input.Quote(path))
		return f
	}
	if len(head) == 0 || bytes.Contains(head, frameMagic) {
		return nil // the damaged header, or that of a block
	}
	name, detail := sniff.ForeignByBytes(head, n < sniff.MaxHead).Name, ""
	if looks := sniff.ByBytes(head); name == "" && (looks == sniff.JSON || looks == sniff.MessagePack && sniff.ByName(path) == looks) {
		name, detail = looks.Title(), "To make one: octet convert "+input.Quote(path)+" -o NEW.rec"
	}
	if name == "" {
		return nil
	}
	f := failure.New(failure.Data, path, fmt.Errorf("this looks like %s, not a record file", name))
	f.Detail = detail
	return f
}

// A withoutNames is an error of package record without the names of the
// package and of the file.
type withoutNames struct{ place *record.Error }

func (e *withoutNames) Error() string {
	plain := *e.place
	plain.File = ""
	return strings.TrimPrefix(plain.Error(), "record: ")
}

func (e *withoutNames) Unwrap() error { return e.place }

// plain returns an error of package record without its prefix. Another error stays as it is.
func plain(err error) error {
	var place *record.Error
	if errors.As(err, &place) {
		return &withoutNames{place}
	}
	return err
}
