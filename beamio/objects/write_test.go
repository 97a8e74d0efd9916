package objects

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// uploads returns how many uploads the store has that are not complete. Only S3 lists
// them.
func uploads(t *testing.T, s *server) (n int) {
	t.Helper()
	if err := s.store.DiscardUploads(t.Context(), s.path("w"), func(string) bool { n++; return false }); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestWriting writes objects of one request and of several parts.
func TestWriting(t *testing.T) {
	onServers(t, func(t *testing.T, s *server) {
		for _, size := range []int{0, 1000, 21 << 20} {
			w, err := s.store.Create(t.Context(), s.path("w"))
			if err != nil {
				t.Fatal(err)
			}
			want := pattern(size, byte(size))
			for part := range slices.Chunk(want, 300_000) {
				if _, err := w.Write(part); err != nil {
					t.Fatal(err)
				}
			}
			before := s.get(t, "w")
			if bytes.Equal(before, want) && size > 0 {
				t.Error("the object is there before Close")
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if got := s.get(t, "w"); !bytes.Equal(got, want) {
				t.Errorf("%d bytes of %d", len(got), size)
			}
			if err := w.Close(); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("second Close: %v", err)
			}
			if _, err := w.Write(want); !errors.Is(err, fs.ErrClosed) {
				t.Errorf("Write after Close: %v", err)
			}
			if err := w.Abort(); err != nil {
				t.Errorf("Abort after Close: %v", err)
			}
		}
	})
}

// TestAbort gives objects up, by Abort and by the context. Nothing is left.
func TestAbort(t *testing.T) {
	onServers(t, func(t *testing.T, s *server) {
		for _, size := range []int{0, 1000, 21 << 20} {
			for _, byContext := range []bool{false, true} {
				ctx, cancel := context.WithCancel(t.Context())
				w, err := s.store.Create(ctx, s.path("w"))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := w.Write(pattern(size, 1)); err != nil {
					t.Fatal(err)
				}
				if byContext {
					cancel()
					if err := w.Close(); !errors.Is(err, context.Canceled) {
						t.Errorf("%d bytes: Close returned %v", size, err)
					}
				} else if err := w.Abort(); err != nil {
					t.Errorf("%d bytes: Abort returned %v", size, err)
				}
				cancel()
				if got := s.get(t, "w"); got != nil {
					t.Errorf("%d bytes of %d are left", len(got), size)
				}
				if n := uploads(t, s); n > 0 {
					t.Errorf("%d uploads are left", n)
				}
			}
		}
	})
}

// TestAnotherScheme gives up an object of a path whose scheme is not that of the vendor, which Options.OpenBucket allows.
func TestAnotherScheme(t *testing.T) {
	onServers(t, func(t *testing.T, s *server) {
		w, err := s.store.Create(t.Context(), "another://bucket/w")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(pattern(21<<20, 1)); err != nil {
			t.Fatal(err)
		}
		if err := w.Abort(); err != nil || uploads(t, s) > 0 {
			t.Errorf("%v, %d uploads are left", err, uploads(t, s))
		}
	})
}

// TestFailingWrites lets each request fail in turn, alone and with all that follow. The
// object is the one before or the new one, and if Close returned nil, the new one. What
// is left is found and removed.
func TestFailingWrites(t *testing.T) {
	onServers(t, func(t *testing.T, s *server) {
		old, want := pattern(1000, 1), pattern(21<<20, 9) // S3 takes up to 16 MiB in one request
		write := func() error {
			w, err := s.store.Create(t.Context(), s.path("w"))
			if err != nil {
				return err
			}
			if _, err := w.Write(want); err != nil {
				return errors.Join(err, w.Abort())
			}
			return w.Close()
		}
		s.reset(nil)
		if err := write(); err != nil {
			t.Fatal(err)
		}
		list, _ := s.counted()
		if len(list) < 3 {
			t.Fatalf("requests %q", list)
		}
		failed, left := 0, 0
		for kind := range faults {
			for i := range list {
				for _, all := range []bool{false, true} {
					if all && kind != "reset" {
						continue
					}
					s.reset(nil)
					s.put(t, "w", old)
					s.reset(s.at(i, all, kind))
					err := write()
					s.reset(nil)
					got := s.get(t, "w")
					switch {
					case err == nil && !bytes.Equal(got, want):
						t.Errorf("%s of request %d: no error, and %d bytes", kind, i, len(got))
					case err != nil:
						failed++
						if !bytes.Equal(got, old) && !bytes.Equal(got, want) {
							t.Errorf("%s of request %d: %v, and %d bytes", kind, i, err, len(got))
						}
					}
					left += uploads(t, s)
					if err := s.store.DiscardUploads(t.Context(), s.path("w"), func(string) bool { return true }); err != nil {
						t.Error(err)
					}
					if n := uploads(t, s); n > 0 {
						t.Errorf("%s of request %d: %d uploads are left", kind, i, n)
					}
				}
			}
		}
		if failed < 2 || left == 0 && s.name == "s3" {
			t.Errorf("%d writes failed, %d uploads were left", failed, left)
		}
	})
}

// TestSilentWrites requires an error if a store never answers.
func TestSilentWrites(t *testing.T) {
	onServers(t, func(t *testing.T, s *server) {
		stop := make(chan struct{})
		defer close(stop)
		w, err := s.store.Create(t.Context(), s.path("w"))
		if err != nil {
			t.Fatal(err)
		}
		s.reset(func(_ int, _ http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPut && r.Method != http.MethodPost {
				return false
			}
			<-stop
			return true
		})
		_, err = w.Write(pattern(21<<20, 1))
		if err = errors.Join(err, w.Close()); err == nil || !strings.Contains(err.Error(), "in time") && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		s.reset(nil)
		if paths, err := s.store.List(t.Context(), s.path("w")); err != nil || len(paths) != 0 {
			t.Errorf("%q is there, %v", paths, err)
		}
	})
}

// TestSilentCalls makes calls of a store that does not answer. Each ends in time.
func TestSilentCalls(t *testing.T) {
	onServers(t, func(t *testing.T, s *server) {
		s.put(t, "a", []byte("a"))
		impatient, err := New(&Options{Timeout: 50 * time.Millisecond, OpenBucket: s.store.o.OpenBucket})
		if err != nil {
			t.Fatal(err)
		}
		defer impatient.Close()
		stop := make(chan struct{})
		defer close(stop)
		s.reset(func(_ int, _ http.ResponseWriter, r *http.Request) bool {
			select {
			case <-stop:
			case <-r.Context().Done():
			}
			return true
		})
		ctx := t.Context()
		for name, call := range map[string]func() error{
			"List":   func() error { _, err := impatient.List(ctx, s.path("*")); return err },
			"Size":   func() error { _, err := impatient.Size(ctx, s.path("a")); return err },
			"Remove": func() error { return impatient.Remove(ctx, s.path("a")) },
			"Copy":   func() error { return impatient.Copy(ctx, s.path("a"), s.path("b")) },
			"DiscardUploads": func() error {
				if s.name != "s3" {
					return errStalled // other stores take no request for it
				}
				return impatient.DiscardUploads(ctx, s.path("a"), func(string) bool { return true })
			},
		} {
			if err := call(); err == nil || !strings.Contains(err.Error(), errStalled.Error()) {
				t.Errorf("%s: error %v", name, err)
			}
		}
	})
}

// TestCopy requires that the store copies, and that no bytes pass through the program.
func TestCopy(t *testing.T) {
	onServers(t, func(t *testing.T, s *server) {
		want := pattern(3<<20, 5)
		s.put(t, "from", want)
		s.reset(nil)
		if err := s.store.Copy(t.Context(), s.path("from"), s.path("to")); err != nil {
			t.Fatal(err)
		}
		if list, sent := s.counted(); sent > 10_000 {
			t.Errorf("%d bytes in %q", sent, list)
		}
		if got := s.get(t, "to"); !bytes.Equal(got, want) {
			t.Errorf("%d bytes", len(got))
		}
		if err := s.store.Copy(t.Context(), s.path("from"), "mem://other/to"); err == nil {
			t.Error("copied to another bucket")
		}
	})
}

// TestList compares patterns with path.Match, and removes what they find.
func TestList(t *testing.T) {
	onServers(t, func(t *testing.T, s *server) {
		for _, key := range []string{"a/1.rec", "a/2.rec", "a/.2.rec", "a/b/3.rec", "b/1.rec", "1.rec"} {
			s.put(t, key, []byte(key))
		}
		for glob, want := range map[string]string{
			"a/*.rec": "a/.2.rec a/1.rec a/2.rec", "*/1.rec": "a/1.rec b/1.rec", "?.rec": "1.rec", "a/1.rec": "a/1.rec",
			"a/[2-9].rec": "a/2.rec", "*/*/*": "a/b/3.rec", "a": "", "c/*": "",
		} {
			paths, err := s.store.List(t.Context(), s.path(glob))
			for i := range paths {
				paths[i] = strings.TrimPrefix(paths[i], s.path(""))
			}
			if got := strings.Join(paths, " "); err != nil || got != want {
				t.Errorf("%s: %q, %v", glob, got, err)
			}
		}
		for range 2 {
			if err := s.store.Remove(t.Context(), s.path("a/1.rec")); err != nil {
				t.Error(err)
			}
		}
		if s.get(t, "a/1.rec") != nil {
			t.Error("not removed")
		}
		if _, err := s.store.List(t.Context(), s.path("[")); !errors.Is(err, ErrOptions) {
			t.Errorf("wrong pattern: %v", err)
		}
		failure := errors.New("enough")
		if err := s.store.Visit(t.Context(), s.path("a/*"), func(string, int64, string) error { return failure }); err != failure {
			t.Errorf("error %v", err)
		}
	})
}

// TestNoSecrets looks for credentials in all errors.
func TestNoSecrets(t *testing.T) {
	onServers(t, func(t *testing.T, s *server) {
		s.put(t, "w", pattern(100_000, 1))
		for _, status := range []int{400, 401, 403, 404, 409, 412, 416, 500} {
			s.reset(func(_ int, w http.ResponseWriter, r *http.Request) bool {
				w.WriteHeader(status)
				w.Write([]byte("<Error><Code>Wrong</Code><Message>not with " + r.Header.Get("Authorization") + " at http://u:" + secretKey + "@host/?sig=" + secretKey + "</Message></Error>"))
				return true
			})
			_, err := s.store.Open(t.Context(), s.path("w"))
			errs := []error{err}
			w, err := s.store.Create(t.Context(), s.path("w"))
			if err != nil {
				t.Fatal(err)
			}
			_, err = w.Write(pattern(6<<20, 1))
			errs = append(errs, err, w.Close())
			_, err = s.store.List(t.Context(), s.path("*"))
			errs = append(errs, err, s.store.Remove(t.Context(), s.path("w")), s.store.Copy(t.Context(), s.path("w"), s.path("v")))
			_, err = s.store.Size(t.Context(), s.path("w"))
			found := 0
			for _, err := range append(errs, err) {
				if err == nil {
					continue
				}
				found++
				if text := err.Error(); strings.Contains(text, secretKey) || strings.Contains(text, accessKey) || !strings.Contains(text, s.path("")) {
					t.Errorf("%d: %s", status, text)
				}
			}
			if found < 4 {
				t.Errorf("%d: %d errors", status, found)
			}
		}
	})
}

func TestRedact(t *testing.T) {
	for in, want := range map[string]string{
		`Get "https://a.blob.core.windows.net/c/b?sv=1&sig=abc%3D": EOF`: `Get "https://a.blob.core.windows.net/c/b": EOF`,
		`dial https://user:word@host:80/x#y failed`:                      `dial https://host:80/x failed`,
		`AccountKey=abc==;EndpointSuffix=core`:                           `AccountKey=…;EndpointSuffix=core`,
		`"private_key": "abc", x`:                                        `"private_key": "…", x`,
		`nothing to hide: 4 = 5`:                                         `nothing to hide: 4 = 5`,
	} {
		if got := redact(in); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", in, got, want)
		}
	}
}
