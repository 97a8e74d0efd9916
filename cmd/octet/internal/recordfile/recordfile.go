// Package recordfile has the options with which the tool reads and writes record files.
package recordfile

import (
	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/record/zstd"
)

// Options returns the options to read any record file, and to write blocks that are
// compressed if compress is set.
func Options(compress bool) (record.Options, error) {
	c, err := zstd.New(zstd.Default)
	if err != nil {
		return record.Options{}, err
	}
	o := record.Options{Decompressor: c}
	if compress {
		o.Compressor = c
	}
	return o, nil
}
