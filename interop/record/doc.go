// Package record tests that other programs read record files: the zstd command, the zstandard package of Python, a
// reader of the zstd seekable format, and testdata/reader.py, which needs docs/record-format.md and nothing of Octet.
package record
