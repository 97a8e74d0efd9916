package sim

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/octet-go/octet/internal/disk"
)

const path = "/a"

// made returns a disk with an open file that has some synced bytes.
func made(t *testing.T, synced string) (*Disk, disk.File) {
	t.Helper()
	d := &Disk{}
	f, err := disk.OpenLocked(d, path, os.O_RDWR|os.O_CREATE)
	if err == nil {
		_, err = f.WriteAt([]byte(synced), 0)
	}
	if err := errors.Join(err, f.Sync(), d.SyncName(path)); err != nil {
		t.Fatal(err)
	}
	return d, f
}

// cuts returns the contents that the file has after some hundred power losses of each mood, sorted. It is "none" if
// there is no file.
func cuts(d *Disk, moods ...Mood) []string {
	found := map[string]bool{}
	r := rand.New(rand.NewPCG(1, 2))
	for _, m := range moods {
		for range 300 {
			b := d.Cut(r, m, []byte(strings.Repeat("old", 1000))).ReadFile(path)
			if b == nil {
				b = []byte("none")
			}
			found[string(b)] = true
		}
	}
	var list []string
	for s := range found {
		list = append(list, s)
	}
	slices.Sort(list)
	return list
}

var all = []Mood{LosesAll, LosesSome, LosesPages, LosesLast, LosesFirst, LosesOne, LosesNames, Stale}

func equal(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	slices.Sort(want)
	if !slices.Equal(got, want) {
		for i := range got {
			got[i] = strings.NewReplacer("\x00", "0").Replace(got[i])
		}
		t.Errorf("%s: %q", what, got)
	}
}

// TestCut lists all contents that a file can have after a power loss.
func TestCut(t *testing.T) {
	text := func(c string, sectors int) string { return strings.Repeat(c, sectors*sector) }
	d, f := made(t, text("a", 2))
	equal(t, "after Sync", cuts(d, all...), text("a", 2))

	must := func(_ int, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(f.WriteAt([]byte(text("b", 2)), sector)) // replaces a sector, and adds one
	want := []string{
		text("a", 2), text("a", 1) + text("b", 1), // the old size
		text("a", 2) + text("\x00", 1), text("a", 1) + text("b", 1) + text("\x00", 1),
		text("a", 2) + text("b", 1), text("a", 1) + text("b", 2),
	}
	equal(t, "after a write", cuts(d, LosesSome), want...)
	if got := cuts(d, Stale); len(got) <= len(want) || slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s[:sector], "old") }) {
		t.Errorf("old bytes in new sectors: %d contents", len(got))
	}
	if got := d.Copy().ReadFile(path); string(got) != text("a", 1)+text("b", 2) {
		t.Error("a crash of the program lost something")
	}

	if err := errors.Join(f.Sync(), f.Truncate(sector)); err != nil {
		t.Fatal(err)
	}
	must(f.WriteAt([]byte(text("c", 1)), sector))
	equal(t, "after a cut and a write", cuts(d, LosesSome), text("a", 1)+text("b", 2), text("a", 1), text("a", 1)+text("\x00", 1), text("a", 1)+text("c", 1))
	equal(t, "all lost", cuts(d, LosesAll), text("a", 1)+text("b", 2), text("a", 1), text("a", 1)+text("\x00", 1))
}

// TestFailedSync requires that a Sync after one that failed does not write what was forgotten.
func TestFailedSync(t *testing.T) {
	d, f := made(t, "aaa")
	if _, err := f.WriteAt([]byte("bbb"), 0); err != nil {
		t.Fatal(err)
	}
	d.Step = func(c Call) *Fault { return &Fault{Err: syscall.EIO} }
	if err := f.Sync(); !errors.Is(err, syscall.EIO) {
		t.Fatal(err)
	}
	d.Step = nil
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	equal(t, "after a Sync that failed and another one", cuts(d, LosesSome), "aaa", "bbb")
	if _, err := f.WriteAt([]byte("c"), 0); err != nil {
		t.Fatal(err)
	}
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	equal(t, "written again", cuts(d, all...), "cbb")
}

// TestNames creates, renames and removes files.
func TestNames(t *testing.T) {
	d, _ := made(t, "aaa")
	d.WriteFile("/b", []byte("bbb"))
	if err := d.Rename("/b", path); err != nil {
		t.Fatal(err)
	}
	equal(t, "after Rename", cuts(d, LosesAll), "aaa", "bbb")
	if err := d.Remove(path); err != nil {
		t.Fatal(err)
	}
	equal(t, "after Remove", cuts(d, LosesAll), "aaa", "bbb", "none")
	if err := d.SyncName(path); err != nil {
		t.Fatal(err)
	}
	equal(t, "after SyncName", cuts(d, all...), "none")
	if _, err := d.OpenFile(path, os.O_RDWR, 0); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if len(d.Paths()) != 0 {
		t.Error(d.Paths())
	}
}

// TestMap stores through a mapping.
func TestMap(t *testing.T) {
	d, f := made(t, "aaa")
	b, err := f.Map(page, true)
	if err != nil {
		t.Fatal(err)
	}
	b[1] = 'b'
	equal(t, "after a store", cuts(d, LosesSome), "aaa", "aba")
	if err := f.Truncate(4); err != nil {
		t.Fatal(err)
	}
	b[3] = 'd'
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	equal(t, "after Sync", cuts(d, all...), "abad")
}

// TestKill requires that a crash of the program gives up the lock, ends its files, and loses nothing.
func TestKill(t *testing.T) {
	d, f := made(t, "aaa")
	if _, err := disk.OpenLocked(d, path, os.O_RDWR); err != disk.ErrLocked {
		t.Errorf("a second lock: %v", err)
	}
	var steps []Kind
	d.Step = func(c Call) *Fault {
		if steps = append(steps, c.Kind); len(steps) == 2 {
			return &Fault{Err: syscall.ENOSPC, Done: 100}
		}
		return nil
	}
	if n, err := f.WriteAt(bytes.Repeat([]byte("b"), 3*page), 1); n != page-1+100 || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("a write that fails: %d, %v", n, err)
	}
	d.Kill()
	if _, err := f.WriteAt([]byte("c"), 0); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a write after the crash: %v", err)
	}
	if _, err := disk.OpenLocked(d, path, os.O_RDWR); err != nil {
		t.Errorf("the lock after the crash: %v", err)
	}
	if got, want := string(d.ReadFile(path)), "a"+strings.Repeat("b", page-1+100); got != want {
		t.Errorf("%d bytes, want %d", len(got), len(want))
	}
	equal(t, "after the crash", cuts(d, LosesAll)[:1], "aaa")
}

// TestPlay plays with seeds until there are enough images.
func TestPlay(t *testing.T) {
	p := &Play{Disk: &Disk{}, counts: map[string]int{}}
	p.Note("first")
	p.Failf("wrong: %d", 1)
	p.Failf("later")
	p.Note("after it")
	if !p.Failed() || p.failure != "wrong: 1" || !slices.Equal(p.calls, []string{"first"}) {
		t.Errorf("%q, %q", p.failure, p.calls)
	}
	seeds := 0
	Test(t, 40, []uint64{77}, func(p *Play) {
		seeds++
		p.Image("one")
	})
	want := 40
	if os.Getenv("OCTET_LONG") == "" {
		want = 10
	}
	if !testing.Short() && os.Getenv(Images) == "" && seeds != want {
		t.Errorf("%d plays, want %d", seeds, want)
	}
}
