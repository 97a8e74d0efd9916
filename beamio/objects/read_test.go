package objects

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/api/googleapi"

	"github.com/octet-go/octet/record"
)

// An entry is a record of the tests.
type entry struct {
	ID   int
	Text string
}

// recordFile returns a record file of n records whose IDs begin at first.
func recordFile(t testing.TB, n, first int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := record.NewWriter(&b, &record.Options{BlockSize: 16 << 10})
	for i := first; i < first+n && err == nil; i++ {
		err = w.Write(entry{i, fmt.Sprintf("the text of record number %d, which is long", i)})
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestOpen requires two requests to open a file with an index.
func TestOpen(t *testing.T) {
	onServers(t, func(t *testing.T, s *server) {
		s.put(t, "a.rec", recordFile(t, 60_000, 0))
		s.reset(nil)
		o, err := s.store.Open(t.Context(), s.path("a.rec"))
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		f, err := record.NewFile(o, o.Size(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if f.Len() != 60_000 {
			t.Errorf("%d records", f.Len())
		}
		requests, sent := s.counted()
		if len(requests) != 2 || sent > 160<<10 {
			t.Errorf("%d requests, %d bytes: %q", len(requests), sent, requests)
		}
	})
}

// TestRanges reads a file in ranges. A range takes at most 1.1 times its bytes, and two
// requests more than its bytes need.
func TestRanges(t *testing.T) {
	const n = 120_000
	onServers(t, func(t *testing.T, s *server) {
		s.put(t, "a.rec", recordFile(t, n, 0))
		var version string
		var size int64
		err := s.store.Visit(t.Context(), s.path("*.rec"), func(_ string, n int64, v string) error {
			size, version = n, v
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		seen := make([]bool, n)
		for cut, part := 0, size/7; cut < 7; cut++ {
			r := record.Range{Start: int64(cut) * part, End: int64(cut+1) * part}
			if cut == 6 {
				r.End = size
			}
			s.reset(nil)
			opened, err := s.store.OpenVersion(t.Context(), s.path("a.rec"), version, size)
			if err != nil {
				t.Fatal(err)
			}
			o := opened.(*Object)
			o.Expect(r.Start, r.End)
			f, err := record.NewFile(o, size, nil)
			if err != nil {
				t.Fatal(err)
			}
			for b, err := range f.Blocks(r) { // as beamio reads
				if err != nil {
					t.Fatal(err)
				}
				for v, err := range record.InBlock[entry](f, b) {
					if err != nil {
						t.Fatal(err)
					}
					if seen[v.ID] {
						t.Fatalf("record %d is doubled", v.ID)
					}
					seen[v.ID] = true
				}
			}
			requests, sent := s.counted()
			length := r.End - r.Start
			if most := int((length+o.readAhead-1)/o.readAhead) + 2; len(requests) > most || float64(sent) > 1.1*float64(length) {
				t.Errorf("range of %d bytes: %d requests (%d allowed), %d bytes", length, len(requests), most, sent)
			}
		}
		for i, ok := range seen {
			if !ok {
				t.Fatalf("record %d is missing", i)
			}
		}
	})
}

// readIDs reads a file in order and returns the first ID and how many records it has.
func readIDs(t *testing.T, s *server, key string) (first, n int, err error) {
	o, err := s.store.Open(t.Context(), s.path(key))
	if err != nil {
		return 0, 0, err
	}
	f, err := record.NewFile(o, o.Size(), nil)
	if err != nil {
		return 0, 0, err
	}
	for v, err := range record.All[entry](f) {
		if err != nil {
			return first, n, err
		}
		if n == 0 {
			first = v.ID
		}
		if v.ID != first+n {
			t.Fatalf("record %d after %d of %d", v.ID, n, first)
		}
		n++
	}
	return first, n, nil
}

// TestFailingReads lets each request fail in turn. What is read is complete.
func TestFailingReads(t *testing.T) {
	const n = 20_000
	onServers(t, func(t *testing.T, s *server) {
		s.put(t, "a.rec", recordFile(t, n, 0))
		s.reset(nil)
		if _, got, err := readIDs(t, s, "a.rec"); err != nil || got != n {
			t.Fatal(got, err)
		}
		list, _ := s.counted()
		if len(list) < 4 {
			t.Fatalf("%d requests", len(list))
		}
		for kind := range faults {
			t.Run(kind, func(t *testing.T) {
				for i := range list {
					if kind == "slow" && i%3 > 0 {
						continue // each takes a second
					}
					s.reset(s.at(i, false, kind))
					if _, got, err := readIDs(t, s, "a.rec"); err != nil || got != n {
						t.Errorf("request %d: %d records, %v", i, got, err)
					}
					if again, _ := s.counted(); len(again) <= len(list) {
						t.Errorf("request %d was not made again", i)
					}
				}
			})
		}
	})
}

// TestThrottled requires that a store is not asked more often than it says.
func TestThrottled(t *testing.T) {
	onServers(t, func(t *testing.T, s *server) {
		s.put(t, "small", pattern(1000, 3))
		times := 6
		if s.name == "azblob" {
			times = attempts - 1 // its library makes no request again if Retry-After is longer than its own longest pause
		}
		s.reset(func(n int, w http.ResponseWriter, r *http.Request) bool {
			if isObject(r) && n < times {
				faults["throttled"](s, w, r)
				return true
			}
			return false
		})
		o, err := s.store.Open(t.Context(), s.path("small"))
		if err != nil || o.Size() != 1000 {
			t.Errorf("%v", err)
		}
	})
	asked := &googleapi.Error{Code: 503, Header: http.Header{"Retry-After": {"7"}}}
	if got := pause(1, fmt.Errorf("with context: %w", asked)); got != 7*time.Second {
		t.Errorf("pause %v", got)
	}
	asked.Header.Set("Retry-After", "100000")
	if got := pause(1, asked); got != maxPause {
		t.Errorf("pause %v", got)
	}
}

// TestLostServer requires an error, and an end, if no request succeeds any more.
func TestLostServer(t *testing.T) {
	onServers(t, func(t *testing.T, s *server) {
		s.put(t, "a.rec", recordFile(t, 20_000, 0))
		for _, kind := range []string{"5xx", "reset"} {
			for _, i := range []int{0, 2} {
				s.reset(s.at(i, true, kind))
				_, _, err := readIDs(t, s, "a.rec")
				if e, ok := errors.AsType[*Error](err); !ok || e.Path != s.path("a.rec") {
					t.Errorf("%s from request %d on: %v", kind, i, err)
				}
			}
		}
	})
}

// TestChanged replaces an object before each request in turn, in stores that know
// conditions on versions and in those that ignore them. The records are those of one
// version, or the error is ErrChanged.
func TestChanged(t *testing.T) {
	const n = 20_000
	onServers(t, func(t *testing.T, s *server) {
		files := [][]byte{recordFile(t, n, 0), recordFile(t, n, 500_000)}
		for _, conditions := range []bool{false, true} {
			changed := 0
			for i := range 6 {
				s.put(t, "a.rec", files[0])
				s.reset(nil)
				replaced := false
				s.reset(func(k int, w http.ResponseWriter, r *http.Request) bool {
					if k == i && isObject(r) {
						replaced = true
						s.mu.Lock()
						s.fault = nil
						s.mu.Unlock()
						s.put(t, "a.rec", files[1])
						s.mu.Lock()
						defer s.mu.Unlock()
						if conditions {
							s.fault = refuse
						}
					}
					if !conditions {
						if s.azure != nil && r.Header.Get("If-Match") != "" {
							s.ignoreCondition(w, r)
							return true
						}
						r.Header.Del("If-Match")
					} else if replaced && i > 0 {
						return refuse(k, w, r)
					}
					return false
				})
				first, got, err := readIDs(t, s, "a.rec")
				s.reset(nil)
				switch {
				case errors.Is(err, ErrChanged):
					changed++
				case err != nil, got != n, replaced && i > 0 && first == 0:
					t.Errorf("request %d: %d records from %d, %v", i, got, first, err)
				}
			}
			if changed < 3 {
				t.Errorf("ErrChanged %d times", changed)
			}
		}
	})
}

// refuse is the answer to a condition that does not hold.
func refuse(_ int, w http.ResponseWriter, r *http.Request) bool {
	if r.Header.Get("If-Match") == "" && r.Header.Get("x-goog-if-generation-match") == "" && r.FormValue("ifGenerationMatch") == "" {
		return false
	}
	w.WriteHeader(http.StatusPreconditionFailed)
	return true
}

// TestSmall reads objects of few bytes, and none.
func TestSmall(t *testing.T) {
	onServers(t, func(t *testing.T, s *server) {
		for _, size := range []int{0, 1, openHead - 1, openHead, openHead + 1} {
			want := pattern(size, 7)
			s.put(t, "small", want)
			if got := s.get(t, "small"); !bytes.Equal(got, want) {
				t.Errorf("%d bytes of %d", len(got), size)
			}
			if n, err := s.store.Size(t.Context(), s.path("small")); err != nil || n != int64(size) {
				t.Errorf("size %d, %v", n, err)
			}
		}
		if _, err := s.store.Open(t.Context(), s.path("none")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("open: %v", err)
		}
		o, err := s.store.Open(t.Context(), s.path("small"))
		if err != nil {
			t.Fatal(err)
		}
		if n, err := o.ReadAt(make([]byte, 9), o.Size()-4); n != 4 || err != io.EOF {
			t.Errorf("at the end: %d, %v", n, err)
		}
		if _, err := o.ReadAt(make([]byte, 9), -1); !errors.Is(err, ErrOptions) {
			t.Errorf("before the start: %v", err)
		}
		o.Close()
		if _, err := o.ReadAt(make([]byte, 9), 0); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("closed: %v", err)
		}
	})
}

// TestEmpty requires that an empty object has the version that a list has for it, and
// that opening one ends in time when the store answers only the first request.
func TestEmpty(t *testing.T) {
	onServers(t, func(t *testing.T, s *server) {
		s.put(t, "empty", nil)
		o, err := s.store.Open(t.Context(), s.path("empty"))
		if err != nil {
			t.Fatal(err)
		}
		defer o.Close()
		err = s.store.Visit(t.Context(), s.path("empty"), func(_ string, size int64, version string) error {
			if size != 0 || o.Size() != 0 || version != o.Version() {
				t.Errorf("version %q of %d bytes, and %q of %d in a list", o.Version(), o.Size(), version, size)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		impatient, err := New(&Options{Timeout: 200 * time.Millisecond, OpenBucket: s.store.o.OpenBucket})
		if err != nil {
			t.Fatal(err)
		}
		defer impatient.Close()
		stop := make(chan struct{})
		defer close(stop)
		silent := false
		s.reset(func(k int, _ http.ResponseWriter, r *http.Request) bool {
			if k == 0 {
				return false
			}
			s.mu.Lock()
			silent = true
			s.mu.Unlock()
			select {
			case <-stop:
			case <-r.Context().Done():
			}
			return true
		})
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		_, err = impatient.Open(ctx, s.path("empty"))
		s.mu.Lock()
		defer s.mu.Unlock()
		if silent && (err == nil || !strings.Contains(err.Error(), errStalled.Error())) || !silent && err != nil {
			t.Errorf("silent %v, error %v", silent, err)
		}
	})
}

// openFile opens a record file.
func openFile(ctx context.Context, s *Store, path string) (*record.File, io.Closer, error) {
	o, err := s.Open(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	f, err := record.NewFile(o, o.Size(), nil)
	return f, o, err
}

// idsOf returns the IDs of all records.
func idsOf(f *record.File) (ids []int, err error) {
	for v, err := range record.All[entry](f) {
		if err != nil {
			return ids, err
		}
		ids = append(ids, v.ID)
	}
	return ids, nil
}
