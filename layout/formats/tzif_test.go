package formats

import (
	"archive/zip"
	"bytes"
	"io"
	"path/filepath"
	"testing"
	"time"
)

// zones returns the files of the time zone database of the Go installation.
func zones(t testing.TB) map[string][]byte {
	t.Helper()
	r, err := zip.OpenReader(filepath.Join(goroot(t, "lib", "time"), "zoneinfo.zip"))
	if err != nil {
		t.Skipf("the Go installation has no time zones: %v", err)
	}
	defer r.Close()
	list := map[string][]byte{}
	for _, f := range r.File {
		if f.FileInfo().IsDir() {
			continue
		}
		rc, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if list[f.Name], err = io.ReadAll(rc); err != nil {
			t.Fatal(err)
		}
		rc.Close()
	}
	return list
}

// TestTZIF compares each transition of each zone with package time.
func TestTZIF(t *testing.T) {
	list := zones(t)
	transitions, rules := 0, 0
	for name, data := range list {
		got, err := messages(TZIF(), data)
		loc, oracle := time.LoadLocationFromTZData(name, data)
		if err != nil || oracle != nil || len(got) != 1 {
			t.Errorf("%s: %d messages, %v, package time: %v", name, len(got), err, oracle)
			continue
		}
		encodes(t, got[0])
		z := got[0].Value.(*TZIFFile)
		if z.Second == nil {
			t.Errorf("%s: version %d has no second part", name, z.Version)
			continue
		}
		d := &z.Second.Data64
		if z.Version != z.Second.Version || len(d.Times) != int(d.Transitions) || len(d.Indexes) != len(d.Times) ||
			len(d.Types) != int(d.LocalTypes) || len(d.Designations) != int(d.Letters) {
			t.Errorf("%s: %+v", name, d.TZIFCounts)
		}
		for i, at := range d.Times {
			local := d.Types[d.Indexes[i]]
			letters, _, _ := bytes.Cut(d.Designations[local.Name:], []byte{0})
			when := time.Unix(at, 0).In(loc)
			if zone, offset := when.Zone(); zone != string(letters) || offset != int(local.Offset) || when.IsDST() != local.Daylight {
				t.Errorf("%s: transition %d at %v: %s %+v, package time: %s %d", name, i, at, letters, local, zone, offset)
			}
			transitions++
		}
		if z.Second.Rule != "" {
			rules++
		}
	}
	t.Logf("%d files encode to the same bytes, %d transitions agree with package time, %d rules", len(list), transitions, rules)
}
