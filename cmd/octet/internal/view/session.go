package view

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/msgpack/wire"
)

// A Session is one file in the inspector.
type Session struct {
	Name string

	x       *index.Index
	root    *branch
	changes []change // edits that can be undone, oldest first
	found   *search  // the last search for text
}

// New returns a session for data. The first hundred values and what is inside them
// are expanded.
func New(name string, data []byte) *Session {
	s, _ := Open(name, data, nil) // without a watch, nothing stops it
	return s
}

// Open does the same as New in steps.
func Open(name string, data []byte, watch index.Watch) (*Session, error) {
	x, err := index.New(data, watch)
	if err != nil {
		return nil, err
	}
	s := &Session{Name: name, x: x}
	s.collapse()
	s.expandFirst(s.root, &budget{containers: maxExpanded})
	return s, nil
}

// Data returns the MessagePack data.
func (s *Session) Data() []byte { return s.x.Data }

// Lines returns the number of lines of the text.
func (s *Session) Lines() int64 { return s.x.Lines }

// Summary describes the data in one line.
func (s *Session) Summary() string {
	return fmt.Sprintf("%s, %s, depth %d", plural(int64(len(s.x.Data)), "byte"), plural(s.x.Values, "value"), s.x.Deepest)
}

// Fault describes why the data is malformed. It is empty if the data is valid.
func (s *Session) Fault() string {
	if s.x.Fault == nil {
		return ""
	}
	return s.x.Fault.Error()
}

// FaultAt returns the offset of the fault, or -1 if the data is valid.
func (s *Session) FaultAt() int {
	if s.x.Fault == nil {
		return -1
	}
	return int(s.x.Fault.Offset)
}

var errNoValue = errors.New("no value begins there")

// value returns the value that begins at offset.
func (s *Session) value(offset int) (*index.Cursor, *index.Token, error) {
	c, ok := s.x.At(offset)
	if !ok || c.Token().Offset != offset {
		return nil, nil, errNoValue
	}
	return c, c.Token(), nil
}

// bytes returns the encoded value.
func (s *Session) bytes(t *index.Token) []byte {
	return s.x.Data[t.Offset : t.Offset+s.x.Size(t)]
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return comma(n) + " " + noun + "s"
}

// comma formats a number with commas between groups of three digits.
func comma(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func isMap(h wire.Header) bool { return h.Format.Kind() == wire.KindMap }
