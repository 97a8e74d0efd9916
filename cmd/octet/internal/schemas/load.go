package schemas

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/locate"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/record"
)

// maxText is the largest file that is read as a schema.
const maxText = 16 << 20

// Stored returns the schema in a record file. It is nil, without an error, if the file is
// none or has no schema.
func Stored(path string) (*schema.Schema, error) {
	// A search for the header would read all of a file that consists of zeros.
	if !isRecord(path) {
		return nil, nil
	}
	f, err := record.Open(path, nil)
	if err != nil {
		return nil, nil // whoever reads the file as another one reports the error
	}
	defer f.Close()
	s, err := f.Schema()
	if err != nil {
		return nil, failure.New(failure.Data, path, err)
	}
	return s, nil
}

// isRecord reports whether a file is a regular one that begins as a record file.
func isRecord(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, sniff.RecordHead)
	_, err = io.ReadFull(f, head)
	return err == nil && sniff.IsRecord(head)
}

// begin is how the text of a schema begins. JSON that is a sample begins in another way.
var begin = regexp.MustCompile(`^\s*\{\s*"\$schema"\s*:\s*"https://json-schema\.org/draft/2020-12/schema"`)

// Read returns the schema that is all of r. It is nil, without an error, if r begins in
// another way; nothing is read then.
func Read(r *bufio.Reader, name string) (*schema.Schema, error) {
	head, _ := r.Peek(512) // an error is that of a later read, too
	if !begin.Match(head) {
		return nil, nil
	}
	b, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err != nil {
		return nil, err
	}
	return parse(b, name)
}

// parse reads a schema.
func parse(b []byte, name string) (*schema.Schema, error) {
	if len(b) > maxText {
		return nil, failure.New(failure.Data, name, fmt.Errorf("is larger than %d bytes, and no schema", maxText))
	}
	if len(bytes.TrimSpace(b)) == 0 {
		return nil, failure.New(failure.Data, name, errors.New("is empty, and no schema"))
	}
	s, err := schema.Parse(bytes.TrimPrefix(b, []byte("\ufeff")))
	if err != nil {
		return nil, notASchema(b, name, errors.New(strings.TrimPrefix(err.Error(), "schema: ")))
	}
	return s, nil
}

// notASchema returns the error for a file that is no schema. err is that of its syntax. A
// file of messages is one from which a schema can be made.
func notASchema(b []byte, name string, err error) error {
	head, samples := b[:min(len(b), sniff.MaxHead)], false
	foreign := sniff.ForeignByBytes(head, len(b) < sniff.MaxHead).Name
	switch looks := sniff.ByBytes(head); {
	case sniff.IsRecord(head):
		err, samples = errors.New("the record file has no schema"), true
	case foreign != "":
		err = fmt.Errorf("this looks like %s, not a schema", foreign)
	case looks == sniff.MessagePack:
		err, samples = fmt.Errorf("this looks like %s, not a schema", looks.Title()), true
	case looks == sniff.JSON:
		samples = !begin.Match(head)
	}
	f := failure.New(failure.Data, name, err)
	if samples {
		f.Detail = "To make a schema of messages: octet schema " + input.Quote(name) + " -o NEW.schema.json"
	}
	return f
}

// NotAType returns an error for a name of no file that is a folder with something after a
// dot, such as ./event.event, and nil for other names.
func NotAType(text string) error {
	dir, name, ok := strings.Cut(filepath.Base(text), ".")
	if !ok || name == "" || sniff.ByName(text) != sniff.Unknown || sniff.HasRecordExtension(text) {
		return nil
	}
	if info, err := os.Stat(filepath.Join(filepath.Dir(text), dir)); err != nil || !info.IsDir() {
		return nil
	}
	return failure.New(failure.Access, text, errors.New("is no file, and no exported type as in ./event.Event; a generic type needs a name of its own, as in type IntBox = Box[int]"))
}

// Load returns the schema that a text names: a file with a schema, a record file that has
// one, or PACKAGE.Type.
func Load(ctx context.Context, text, codec string) (*schema.Schema, error) {
	info, err := os.Stat(text)
	if errors.Is(err, fs.ErrNotExist) {
		if n, ok := ParseName(text); ok {
			return OfType(ctx, n, codec)
		}
		if err := NotAType(text); err != nil {
			return nil, err
		}
	}
	if err != nil {
		return nil, failure.Accessing(text, err)
	}
	if info.IsDir() {
		return nil, failure.New(failure.Access, text, errors.New("is a folder; a type is named as in ./event.Event"))
	}
	if s, err := Stored(text); s != nil || err != nil {
		return s, err
	}
	if info.Size() > maxText {
		return nil, failure.New(failure.Data, text, fmt.Errorf("is larger than %d bytes, and no schema", maxText))
	}
	b, err := task.Await(ctx, nil, nil, func() ([]byte, error) { return os.ReadFile(text) })
	if err != nil {
		return nil, failure.Accessing(text, err)
	}
	return parse(b, text)
}

// Describe returns the place and the reason of an error of a Check, as octet prints them for
// malformed messages. The offset is that of the message in its file, negative if it has none.
func Describe(err error, offset int64) string {
	var e *schema.Error
	if !errors.As(err, &e) {
		return ": " + err.Error()
	}
	path := e.Path
	if p, err := locate.Parse(path); err == nil && path != "" {
		path = p.String()
	}
	place, reason := "", ""
	if offset >= 0 {
		place = fmt.Sprintf(", offset %d", offset+e.Offset)
	}
	if e.Err != schema.ErrKind || e.Want == "" {
		reason = ": " + strings.TrimPrefix(e.Err.Error(), "msgpack: ")
	}
	switch {
	case e.Want != "" && e.Found != "":
		reason += ": expected " + e.Want + ", found " + e.Found
	case e.Want != "":
		reason += ": expected " + e.Want
	case e.Found != "":
		reason += ": found " + e.Found
	}
	return scan.WithPath(place, path) + reason
}

// A Check counts the messages that do not follow a schema.
type Check struct {
	Schema        *schema.Schema
	Report        func(value, offset int64, err error) error // is called for each; the offset is that of the value
	Values, Wrong int64
}

// Read checks the messages of a stream. The error for malformed input is a [*scan.Fault].
func (c *Check) Read(r io.Reader) error {
	s := scan.New(r, 0)
	var message bytes.Buffer
	for value := int64(1); ; value++ {
		t, err := s.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		message.Reset()
		if _, err := locate.Copy(&message, s, t.Depth); err != nil {
			return err
		}
		c.Values++
		if err := c.Schema.Check(message.Bytes()); err != nil {
			c.Wrong++
			if err := c.Report(value, t.Offset, err); err != nil {
				return err
			}
		}
	}
}
