package record

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

func TestErrorText(t *testing.T) {
	for want, err := range map[string]error{
		"record: a.rec: block at offset 7: corrupt data":      inFile("a.rec", faultAt(ErrCorrupt, 7, "block")),
		"record: value in record 3 at offset 7: corrupt data": &Error{Offset: 7, Record: 3, Found: "value", Err: ErrCorrupt},
		"record: record 3: no such record":                    &Error{Offset: -1, Record: 3, Err: ErrNotFound},
		"record: corrupt data":                                fault(ErrCorrupt, ""),
		"record: Writer: already closed":                      fault(ErrClosed, "Writer"),
	} {
		if err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
}

// TestOpenErrors opens and creates files that cannot be opened or created.
func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "none", "a.rec")
	wrong := Options{BlockSize: 5}
	long := Options{Metadata: map[string]any{"text": strings.Repeat("x", maxHeaderBytes)}}
	unknown := Options{Metadata: map[string]any{"chan": make(chan int)}}
	whole := filepath.Join(dir, "whole.rec")
	if err := os.WriteFile(whole, writeTo(t, Options{}, 0, numbered(5, 0)), 0o666); err != nil {
		t.Fatal(err)
	}
	create := func(path string, o Options) error { _, err := Create(path, &o); return err }
	appendTo := func(path string, o Options) error { _, err := Append(path, &o); return err }
	open := func(path string, o ...Options) error { _, err := Open(path, first(o)); return err }
	recoverTo := func(path, to string, o ...Options) error { _, err := Recover(path, to, first(o)); return err }
	newWriter := func(o Options) error { _, err := NewWriter(io.Discard, &o); return err }
	for name, c := range map[string]struct {
		err  error
		want error
	}{
		"Create, options":       {create(filepath.Join(dir, "a.rec"), wrong), ErrOptions},
		"Create, metadata":      {create(filepath.Join(dir, "a.rec"), long), ErrLimit},
		"Create, value":         {create(filepath.Join(dir, "a.rec"), unknown), msgpack.ErrUnsupported},
		"Create, no directory":  {create(missing, Options{}), fs.ErrNotExist},
		"Create, file exists":   {create(whole, Options{}), fs.ErrExist},
		"Append, options":       {appendTo(whole, wrong), ErrOptions},
		"Append, metadata":      {appendTo(filepath.Join(dir, "a.rec"), long), ErrLimit},
		"Append, no directory":  {appendTo(missing, Options{}), fs.ErrNotExist},
		"NewWriter, options":    {newWriter(wrong), ErrOptions},
		"NewWriter, SyncEvery":  {newWriter(Options{SyncEvery: time.Second}), ErrNoSync},
		"NewWriter, negative":   {newWriter(Options{SyncEvery: -1}), ErrOptions},
		"NewWriter, MaxBlock":   {newWriter(Options{BlockSize: 4096, MaxBlock: 2048}), ErrOptions},
		"Open, options":         {open(whole, wrong), ErrOptions},
		"Open, no file":         {open(missing), fs.ErrNotExist},
		"Recover, options":      {recoverTo(whole, "", wrong), ErrOptions},
		"Recover, no file":      {recoverTo(missing, ""), fs.ErrNotExist},
		"Recover, copy exists":  {recoverTo(whole, whole), fs.ErrExist},
		"Recover, copy nowhere": {recoverTo(whole, missing), fs.ErrNotExist},
		"Parallel, no file":     {Parallel(context.Background(), []string{missing}, 1, func(context.Context, *File, Range) error { return nil }, nil), fs.ErrNotExist},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", name, c.err, c.want)
		}
	}
	if err := open(dir); err == nil {
		t.Error("Open of a directory succeeded")
	}
	if err := appendTo(dir, Options{}); err == nil {
		t.Error("Append to a directory succeeded")
	}
	if err := open(os.DevNull); err == nil {
		t.Error("Open of a device succeeded")
	}
	if err := recoverTo(os.DevNull, ""); err == nil {
		t.Error("Recover of a device succeeded")
	}
	if _, err := NewFile(bytes.NewReader(nil), -1, nil); !errors.Is(err, ErrOptions) {
		t.Errorf("NewFile with a negative size: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(left) != 1 {
		t.Errorf("files were left: %v, %v", left, err)
	}
}

// TestFailingClose requires that Close returns the errors of the last sync and of closing the file.
func TestFailingClose(t *testing.T) {
	failed := errors.New("failed")
	w, err := Create(filepath.Join(t.TempDir(), "a.rec"), nil)
	if err != nil {
		t.Fatal(err)
	}
	release := w.close
	w.close = func(bool) error { return errors.Join(release(false), failed) }
	if err := w.Close(); !errors.Is(err, failed) || !strings.Contains(err.Error(), "close") {
		t.Errorf("Close: %v", err)
	}
	w, err = NewWriter(syncedWriter{new(bytes.Buffer)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.sync = func() error { return failed }
	if err := w.Close(); !errors.Is(err, failed) || !strings.Contains(err.Error(), "sync") {
		t.Errorf("Close: %v", err)
	}
	if err := w.Close(); !errors.Is(err, failed) {
		t.Errorf("a second Close: %v", err)
	}
}

// A seeker fails to seek.
type seeker struct {
	io.Reader
	calls int
	from  int // the first call that fails
}

func (s *seeker) Seek(offset int64, whence int) (int64, error) {
	if s.calls++; s.calls >= s.from {
		return 0, errors.New("cannot seek")
	}
	return s.Reader.(*bytes.Reader).Seek(offset, whence)
}

// TestFollowShrunk follows a file that is truncated after it was read.
func TestFollowShrunk(t *testing.T) {
	path, s := follow(t, writeTo(t, Options{}, 3, numbered(9, 0)), 9)
	if err := os.Truncate(path, 100); err != nil {
		t.Skipf("an open file cannot be truncated on this system: %v", err)
	}
	if s.Scan() || !errors.Is(s.Err(), ErrTruncated) {
		t.Errorf("after the file was truncated: %v", s.Err())
	}
}

// TestFollowWithoutSeek follows inputs that cannot seek, at once or later.
func TestFollowWithoutSeek(t *testing.T) {
	file := writeTo(t, Options{}, 3, numbered(9, 0))
	for from, want := range []string{1: "", 2: "cannot seek", 3: "cannot seek"} {
		if from == 0 {
			continue
		}
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		s := NewScanner(&seeker{bytes.NewReader(file[:len(file)/2]), 0, from}, nil)
		s.Follow(ctx, time.Millisecond)
		n := 0
		for s.Scan() {
			n++
		}
		cancel()
		if err := s.Err(); n == 0 || want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("from call %d: %d records, %v, want %q", from, n, err, want)
		}
	}
}

// TestRefusedCalls makes calls with arguments that do not fit the file.
func TestRefusedCalls(t *testing.T) {
	records := numbered(20, 0)
	f := open(t, writeTo(t, Options{}, 5, records))
	for _, r := range []Range{{Start: -1, End: 3}, {Start: 3, End: 2}, {Start: 9, End: 1 << 40, Header: 8}} {
		if _, err := collect(In[msgpack.Raw](f, r)); err == nil {
			t.Errorf("%+v: no error", r)
		}
	}
	for _, i := range []int64{-1, 20, 1 << 40} {
		if _, err := At[msgpack.Raw](f, i); !errors.Is(err, ErrNotFound) {
			t.Errorf("At %d: %v", i, err)
		}
	}
	large := open(t, writeTo(t, Options{}, 0, []msgpack.Raw{append([]byte{0xc5, 0x20, 0}, make([]byte, 0x2000)...)}))
	var out bytes.Buffer
	w, err := NewWriter(&out, &Options{BlockSize: minBlock, MaxBlock: minBlock})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := w.Copy(large, large.Range()); n != 0 || !errors.Is(err, ErrLimit) {
		t.Errorf("Copy of a block larger than MaxBlock: %d, %v", n, err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if n, err := w.Copy(f, f.Range()); n != 0 || !errors.Is(err, ErrClosed) {
		t.Errorf("Copy after Close: %d, %v", n, err)
	}
	if err := WriteSlice(w, []int{1}); !errors.Is(err, ErrClosed) {
		t.Errorf("WriteSlice after Close: %v", err)
	}
	s := NewScanner(bytes.NewReader(writeTo(t, Options{Metadata: map[string]any{"a": "b"}}, 0, numbered(1, 0))), nil)
	if !s.Scan() || s.Metadata()["a"] != "b" {
		t.Errorf("Metadata: %v", s.Metadata())
	}
	var e *Error
	if err := s.Decode(new(int)); !errors.As(err, &e) || e.Record != 0 || !errors.Is(err, msgpack.ErrMismatch) {
		t.Errorf("Decode into another type: %v", err)
	}
}
