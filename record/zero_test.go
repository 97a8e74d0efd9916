package record

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// TestZero uses a zero File, Writer and Scanner.
func TestZero(t *testing.T) {
	var f File
	var w Writer
	var s Scanner
	whole := open(t, writeTo(t, Options{}, 0, numbered(3, 0)))
	var n int
	for name, c := range map[string]struct {
		call func() error
		want error
	}{
		"File.Blocks":     {func() (err error) { _, err = collect(f.Blocks(Range{End: 1})); return err }, errZeroFile},
		"File.Close":      {f.Close, errZeroFile},
		"File.Refresh":    {f.Refresh, errZeroFile},
		"File.Report":     {func() error { _, err := f.Report(); return err }, errZeroFile},
		"All":             {func() error { _, err := collect(All[int](&f)); return err }, errZeroFile},
		"At":              {func() error { _, err := At[int](&f, 0); return err }, errZeroFile},
		"In":              {func() error { _, err := collect(In[int](&f, Range{})); return err }, errZeroFile},
		"InBlock":         {func() error { _, err := collect(InBlock[int](&f, Block{})); return err }, errZeroFile},
		"Writer.Close":    {w.Close, errZeroWriter},
		"Writer.Copy":     {func() error { _, err := w.Copy(whole, whole.Range()); return err }, errZeroWriter},
		"Writer.Flush":    {w.Flush, errZeroWriter},
		"Writer.Sync":     {w.Sync, errZeroWriter},
		"Writer.Write":    {func() error { return w.Write(1) }, errZeroWriter},
		"Writer.WriteRaw": {func() error { return w.WriteRaw(msgpack.Raw{1}) }, errZeroWriter},
		"WriteSlice":      {func() error { return WriteSlice(&w, []int{1}) }, errZeroWriter},
		"Scanner.Decode":  {func() error { return s.Decode(&n) }, errZeroScanner},
		"Scanner.Scan": {func() error {
			if s.Scan() {
				t.Error("Scan returned true")
			}
			return s.Err()
		}, errZeroScanner},
		"Writer.Copy of a zero File": {func() error {
			out, err := NewWriter(new(bytes.Buffer), nil)
			if err != nil {
				t.Fatal(err)
			}
			_, err = out.Copy(&f, Range{})
			return errors.Join(err, out.Close())
		}, errZeroFile},
	} {
		var e *Error
		if err := c.call(); !errors.As(err, &e) || e.Error() != "record: "+c.want.Error() {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	for name, c := range map[string]struct {
		call func()
		want error
	}{
		"File.Len":       {func() { f.Len() }, errZeroFile},
		"File.Metadata":  {func() { f.Metadata() }, errZeroFile},
		"File.Schema":    {func() { _, _ = f.Schema() }, errZeroFile},
		"File.Range":     {func() { f.Range() }, errZeroFile},
		"File.Split":     {func() { f.Split(2) }, errZeroFile},
		"Writer.Len":     {func() { w.Len() }, errZeroWriter},
		"Scanner.Follow": {func() { s.Follow(t.Context(), 0) }, errZeroScanner},
	} {
		func() {
			defer func() {
				if r, want := fmt.Sprint(recover()), "record: "+c.want.Error(); r != want {
					t.Errorf("%s: panic %q, want %q", name, r, want)
				}
			}()
			c.call()
		}()
	}
	if s.Raw() != nil || s.Ordinal() != 0 || s.Metadata() != nil || s.Report().Records != 0 {
		t.Error("a zero Scanner has a record")
	}
}

// TestOptionsAreCopied changes Options after the call that takes them.
func TestOptionsAreCopied(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	o := Options{BlockSize: 2 * minBlock, Metadata: map[string]any{"a": "b"}}
	w, err := Create(path, &o)
	if err != nil {
		t.Fatal(err)
	}
	o.Metadata["a"] = "c"
	o = Options{BlockSize: largestBlock}
	for _, r := range numbered(1000, 0) {
		if err := w.WriteRaw(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	o = Options{MaxBlock: 4 * minBlock}
	f, err := Open(path, &o)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o.MaxBlock = minBlock
	got, err := collect(All[msgpack.Raw](f))
	r, reportErr := f.Report()
	if err != nil || reportErr != nil || len(got) != 1000 || r.Blocks < 2 || f.Metadata()["a"] != "b" {
		t.Errorf("%d records, %v, metadata %v, errors %v and %v", len(got), r, f.Metadata(), err, reportErr)
	}
}

// TestFormat opens files that are not record files, and one whose first header is damaged.
func TestFormat(t *testing.T) {
	whole := writeTo(t, Options{}, 0, numbered(3, 0))
	damaged := bytes.Clone(whole)
	damaged[fileMapAt] ^= 1
	for name, c := range map[string]struct {
		file []byte
		want bool
	}{
		"text":    {[]byte("user,page\nada,/\n"), true},
		"values":  {bytes.Repeat([]byte{1}, 100), true},
		"damaged": {damaged, false},
	} {
		f, err := NewFile(bytes.NewReader(c.file), int64(len(c.file)), nil)
		if err == nil {
			_, err = collect(All[msgpack.Raw](f))
		}
		if errors.Is(err, ErrFormat) != c.want || !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !errors.Is(ErrClosed, fs.ErrClosed) {
		t.Error("ErrClosed does not match fs.ErrClosed")
	}
}
