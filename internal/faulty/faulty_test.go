package faulty

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// errorList records errors instead of failing.
type errorList []string

func (l *errorList) Helper() {}

func (l *errorList) Errorf(format string, args ...any) {
	*l = append(*l, fmt.Sprintf(format, args...))
}

// readAll is io.ReadAll with the checks that faulty readers require.
func readAll(r io.Reader) ([]byte, error) {
	var all []byte
	for empty := 0; empty < 100; {
		b := make([]byte, 7)
		n, err := r.Read(b)
		if n < 0 || n > len(b) {
			return nil, errors.New("invalid count")
		}
		all = append(all, b[:n]...)
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		if empty++; n > 0 {
			empty = 0
		}
	}
	return nil, io.ErrNoProgress
}

// TestDetectsReads checks that a Source reports the mistakes that a function can
// make when its reader fails, and reports nothing for a correct function.
func TestDetectsReads(t *testing.T) {
	input := []byte("some bytes of input, more than seven")
	for name, c := range map[string]struct {
		read func(r io.Reader) (any, error)
		want string // part of the error
	}{
		"correct": {func(r io.Reader) (any, error) { return readAll(r) }, ""},
		"drops the error": {func(r io.Reader) (any, error) {
			b, err := readAll(r)
			if errors.Is(err, Err) {
				err = nil
			}
			return b, err
		}, "fails after 0 of 36 bytes: error <nil>"},
		"returns another error": {func(r io.Reader) (any, error) {
			b, err := readAll(r)
			if errors.Is(err, Err) {
				err = io.ErrUnexpectedEOF
			}
			return b, err
		}, "fails after 0 of 36 bytes: error unexpected EOF"},
		"reads too few bytes": {func(r io.Reader) (any, error) {
			b := make([]byte, 4)
			_, err := r.Read(b)
			return b, err
		}, "pieces of random size"},
		"ends without progress": {func(r io.Reader) (any, error) {
			b, err := readAll(r)
			if err == io.ErrNoProgress {
				err = io.EOF
			}
			return b, err
		}, "idle after 0 of 36 bytes: error EOF"},
		"trusts invalid counts": {func(r io.Reader) (any, error) {
			b, err := readAll(r)
			if err != nil && err.Error() == "invalid count" {
				err = nil
			}
			return b, err
		}, "negative after 0 of 36 bytes: error <nil>"},
		"reads after the fault": {func(r io.Reader) (any, error) {
			b, err := readAll(r)
			for range maxCalls + 1 {
				_, _ = r.Read(make([]byte, 1))
			}
			return b, err
		}, "calls of Read after the fault"},
	} {
		var got errorList
		s := Source{Name: name, Input: input, Read: c.read, ToEnd: true, Prefixes: true}
		s.test(&got)
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) == 0 || !strings.Contains(got[0], c.want)) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestDetectsPanics checks that a function with Panics must panic.
func TestDetectsPanics(t *testing.T) {
	read := func(r io.Reader) (any, error) {
		var b bytes.Buffer
		_, err := b.ReadFrom(r)
		return b.String(), err
	}
	var got errorList
	s := Source{Input: []byte("input"), ToEnd: true, Prefixes: true, Panics: true, Read: read, Passes: []string{Idle}}
	if s.test(&got); len(got) > 0 {
		t.Error(got)
	}
	s.Read = func(r io.Reader) (any, error) { return readAll(r) }
	if s.test(&got); len(got) != 1 || !strings.Contains(got[0], "no panic") {
		t.Error(got)
	}
	got = nil
	sink := Sink{Panics: true, Write: writeOnce}
	if sink.test(&got); len(got) != 1 || !strings.Contains(got[0], "no panic") {
		t.Error(got)
	}
}

func writeOnce(w io.Writer) error { return checkedWrite(w, []byte("some bytes")) }

// checkedWrite calls Write and returns an error unless it accepts all bytes.
func checkedWrite(w io.Writer, b []byte) error {
	n, err := w.Write(b)
	switch {
	case err != nil:
	case n < 0 || n > len(b):
		err = errors.New("invalid count")
	case n < len(b):
		err = io.ErrShortWrite
	}
	return err
}

// TestDetectsWrites checks that a Sink reports the mistakes that a function can
// make when its writer fails.
func TestDetectsWrites(t *testing.T) {
	counter := 0
	for name, c := range map[string]struct {
		write func(w io.Writer) error
		want  string // part of the error
	}{
		"correct":            {writeOnce, ""},
		"drops the error":    {func(w io.Writer) error { _, _ = w.Write([]byte("some bytes")); return nil }, "fails after 0 of 10 bytes: error <nil>"},
		"drops short writes": {func(w io.Writer) error { _, err := w.Write([]byte("some bytes")); return err }, "short after 0 of 10 bytes: error <nil>"},
		"may trust counts":   {func(w io.Writer) error { _, err := w.Write([]byte("some bytes")); return err }, ""},
		"different bytes":    {func(w io.Writer) error { counter++; return checkedWrite(w, fmt.Appendf(nil, "%010d", counter)) }, "which is not the beginning"},
		"writes after it":    {func(w io.Writer) error { return errors.Join(writeOnce(w), writeOnce(w)) }, "wrote 10 bytes after the fault"},
		"writes nothing":     {func(w io.Writer) error { return nil }, "correct writer: 0 bytes"},
	} {
		var got errorList
		s := Sink{Name: name, Write: c.write, TrustsCounts: name == "may trust counts"}
		s.test(&got)
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) == 0 || !strings.Contains(got[0], c.want)) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestDetectsFiles is TestDetectsReads for functions that read an io.ReaderAt.
func TestDetectsFiles(t *testing.T) {
	for name, c := range map[string]struct {
		read func(r io.ReaderAt, size int64) (any, error)
		want string // part of the error
	}{
		"correct": {func(r io.ReaderAt, size int64) (any, error) {
			b := make([]byte, size)
			n, err := r.ReadAt(b, 0)
			if n == len(b) {
				return b, nil
			}
			if err == nil || err == io.EOF || n < 0 || n > len(b) {
				err = io.ErrUnexpectedEOF
			}
			return b, err
		}, ""},
		"drops the error": {func(r io.ReaderAt, size int64) (any, error) {
			b := make([]byte, size)
			_, _ = r.ReadAt(b, 0)
			return b, nil
		}, "fails after 0 of 5 bytes: error <nil>"},
	} {
		var got errorList
		s := FileSource{Name: name, Input: []byte("input"), Read: c.read}
		s.test(&got)
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) == 0 || !strings.Contains(got[0], c.want)) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestPositions checks that short input is tested at every position, and long input
// at some, among them those around powers of two.
func TestPositions(t *testing.T) {
	if got := Positions(5, 100); !slices.Equal(got, []int{0, 1, 2, 3, 4, 5}) {
		t.Error(got)
	}
	got := Positions(100_000, 100)
	if len(got) > 200 || got[0] != 0 || got[len(got)-1] != 100_000 || !slices.Contains(got, 65_535) || !slices.Contains(got, 65_537) {
		t.Error(len(got), got)
	}
}

// TestComplete checks that Complete reports methods without an entry, and exceptions
// that have an entry or name no method.
func TestComplete(t *testing.T) {
	typ := reflect.TypeFor[*reader]()
	for _, c := range []struct {
		entries    []string
		exceptions []string
		errors     int
	}{
		{Names([]Sink{{Name: "reader.Read"}}), nil, 0},
		{Names([]Source{{Name: "reader.Read some"}}), nil, 0},
		{Names([]FileSource{{Name: "reader.ReadAt"}}), nil, 1},
		{nil, []string{"Read"}, 0},
		{[]string{"reader.Read"}, []string{"Read"}, 1},
		{[]string{"reader.Read"}, []string{"Close"}, 1},
	} {
		var got errorList
		if Complete(&got, typ, c.entries, c.exceptions...); len(got) != c.errors {
			t.Errorf("%q, %q: %q", c.entries, c.exceptions, got)
		}
	}
}
