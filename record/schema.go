package record

import (
	"errors"
	"fmt"
	"strings"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// ErrSchema: [Append] was given a Schema with which old or new programs could not read
// the whole file, or the file has a schema that cannot be read. A [SchemaError] has the
// changes.
var ErrSchema = errors.New("schema does not fit the file")

// A SchemaError lists the breaking changes between the schema of a file and that of a
// program. It matches [ErrSchema].
type SchemaError struct {
	Changes []schema.Change
}

// Error returns the changes on one line.
func (e *SchemaError) Error() string {
	texts := make([]string, len(e.Changes))
	for i, c := range e.Changes {
		texts[i] = c.String()
	}
	return ErrSchema.Error() + ": " + strings.Join(texts, "; ")
}

// Is reports whether target is ErrSchema.
func (e *SchemaError) Is(target error) bool { return target == ErrSchema }

// schema returns the schema in the header, or nil if there is none.
func (h *fileHeader) schema() (*schema.Schema, error) {
	raw, err := msgpack.Get(h.info, "schema")
	if err != nil {
		return nil, nil
	}
	var text string
	if err = msgpack.Unmarshal(raw, &text); err == nil {
		var s *schema.Schema
		if s, err = schema.Parse([]byte(text)); err == nil {
			return s, nil
		}
	}
	return nil, fault(fmt.Errorf("%w: %w", ErrSchema, err), "file header")
}

// accepts returns an error if records that follow s must not be added to the file.
func (h *fileHeader) accepts(s *schema.Schema) error {
	if s == nil {
		return nil
	}
	own, err := h.schema()
	if err != nil || own == nil {
		return err
	}
	if changes := schema.Breaking(schema.Compare(own, s)); len(changes) > 0 {
		return fault(&SchemaError{changes}, "")
	}
	return nil
}

// newSchema returns the schema for a copy of the records. One that cannot be read is no
// reason to lose them.
func (h *fileHeader) newSchema() *schema.Schema {
	s, err := h.schema()
	if err != nil {
		return nil
	}
	return s
}

// Schema returns Options.Schema of the Writer that made the file, or of the first file if
// several were joined. It is nil if there is none. If the schema cannot be read, for
// example because a newer version of this package has written it, the error is ErrSchema;
// the records can be read nevertheless.
func (f *File) Schema() (*schema.Schema, error) {
	f.must()
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.header.schema()
	return s, inFile(f.path, err)
}

// Schema returns Options.Schema of the Writer, after the first call of Scan, as
// [File.Schema] does. In joined files it is that of the file whose record was read last.
func (s *Scanner) Schema() (*schema.Schema, error) { return s.walk.header.schema() }
