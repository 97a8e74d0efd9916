package input

import (
	"bufio"
	"errors"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/recordfile"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/record"
)

// openRecords adds the layer that reads the values of a record file. To the zstd
// decoder a torn file would be an error, and every checksum of the headers unknown.
func (in *Input) openRecords() error {
	r, err := recordfile.NewReader(in.Reader)
	if err != nil {
		return err
	}
	in.Compression = sniff.Zstandard
	in.records = r
	in.Reader = bufio.NewReaderSize(r, bufferSize)
	return nil
}

// Described returns the record file that is read, or nil.
func (in *Input) Described() recordfile.Described {
	if in.records == nil {
		return nil
	}
	return in.records
}

// explainRecord returns an error of a record file as one that the user understands.
func (in *Input) explainRecord(err *record.Error) error {
	plain := *err
	plain.File = ""
	f := failure.New(failure.Data, in.Name, errors.New(strings.TrimPrefix(plain.Error(), "record: ")))
	if errors.Is(err, record.ErrCorrupt) {
		f.Detail = in.toRecover()
	}
	return f
}

// toRecover returns a hint for a record file that is damaged, unless that is standard input.
func (in *Input) toRecover() string {
	if in.Path == "-" {
		return ""
	}
	return "To copy what can be read: octet record recover " + Quote(in.Path) + " -o NEW.rec"
}
