package beamio

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/octet-go/octet/record"
)

// faultStore is a Store with the files of faults, whose operation number at fails.
type faultStore struct{ *faultFS }

// An upload is a file that appears at Close.
type upload struct {
	fs   *faultFS
	name string
	b    []byte
	over bool
}

func (s faultStore) OpenWrite(_ context.Context, name string) (io.WriteCloser, error) {
	return &upload{fs: s.faultFS, name: name}, s.fail()
}

func (u *upload) Write(b []byte) (int, error) {
	u.b = append(u.b, b...)
	return len(b), u.fs.fail()
}

// Close fails before or after the file has appeared.
func (u *upload) Close() error {
	if u.over {
		return os.ErrClosed
	}
	u.over = true
	if err := u.fs.fail(); err != nil {
		return err
	}
	u.fs.mu.Lock()
	u.fs.files[u.name] = u.b
	u.fs.mu.Unlock()
	return u.fs.fail()
}

func (u *upload) Abort() error {
	u.over = true
	return u.fs.fail()
}

func (s faultStore) Copy(_ context.Context, from, to string) error {
	if err := s.fail(); err != nil {
		return err
	}
	b, ok := s.file(from)
	if !ok {
		return os.ErrNotExist
	}
	s.mu.Lock()
	s.files[to] = b
	s.mu.Unlock()
	storeCopies++
	return s.fail()
}

// storeCopies counts what faultStore has copied.
var storeCopies int

func (s faultStore) Visit(ctx context.Context, pattern string, found func(string, int64, string) error) error {
	names, err := s.List(ctx, pattern)
	for _, name := range names {
		b, _ := s.file(name)
		if e := found(name, int64(len(b)), "1"); e != nil {
			return e
		}
	}
	return err
}

type storeReader struct{ *bytes.Reader }

func (storeReader) Close() error { return nil }

func (s faultStore) OpenRead(_ context.Context, name string) (io.ReadCloser, error) {
	b, ok := s.file(name)
	if !ok {
		return nil, os.ErrNotExist
	}
	return storeReader{bytes.NewReader(b)}, s.fail()
}

func (s faultStore) OpenVersion(ctx context.Context, name, version string, size int64) (io.ReadCloser, error) {
	if version != "1" {
		return nil, errors.New("another version")
	}
	return s.OpenRead(ctx, name)
}

func (s faultStore) DiscardUploads(_ context.Context, _ string, remove func(string) bool) error {
	if !remove("faultstore://.out.rec.RUN-X") || !remove("faultstore://out-00001-of-00002.rec") || remove("faultstore://out.rec2") {
		return errors.New("the wrong uploads would be removed")
	}
	return s.fail()
}

// TestFailingStore is TestFailingFilesystem for a Store.
func TestFailingStore(t *testing.T) {
	storeCopies = 0
	// Two bundles, with a file for each shard or with several.
	for _, size := range []int64{5000, 1 << 20} {
		total := failingRun(t, "faultstore://out.rec", size, -1)
		if total < 20 {
			t.Fatalf("%d operations", total)
		}
		for i := range total {
			failingRun(t, "faultstore://out.rec", size, i)
		}
	}
	if storeCopies == 0 {
		t.Error("the store has copied nothing")
	}
}

// TestStoreRead requires that files are read by version, and which parts are announced.
func TestStoreRead(t *testing.T) {
	var b bytes.Buffer
	w, err := record.NewWriter(&b, nil)
	if err == nil {
		err = errors.Join(w.Write(someVisits(0, 1)[0]), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	faults.files, faults.at = map[string][]byte{"faultstore://a.rec": b.Bytes()}, -1
	var parts []part
	err = (&matchFn{}).ProcessElement(t.Context(), "faultstore://*.rec", func(p part) { parts = append(parts, p) })
	if err != nil || len(parts) != 1 || parts[0].Version != "1" || parts[0].Size != int64(b.Len()) {
		t.Fatalf("%+v, %v", parts, err)
	}
	if _, err := open(t.Context(), parts[0].Path, "2", parts[0].Size, record.Options{}); err == nil {
		t.Error("another version was opened")
	}
}

func TestRegisterStore(t *testing.T) {
	for name, register := range map[string]func(){
		"no scheme":    func() { RegisterStore("", faultStore{}) },
		"a path":       func() { RegisterStore("x://", faultStore{}) },
		"no Store":     func() { RegisterStore("x", nil) },
		"a second one": func() { RegisterStore("faultstore", faultStore{}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			register()
		})
	}
}
