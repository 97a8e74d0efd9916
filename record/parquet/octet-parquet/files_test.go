package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/record"
)

// TestSeveralRecordFiles exports record files together of which some are torn, as after a crash, or damaged. Each is read as if it were
// alone.
func TestSeveralRecordFiles(t *testing.T) {
	dir := folder(t)
	t.Chdir(dir)
	w, err := record.Append("a.rec", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(&click{"eve", time.Unix(6, 0)}), w.Flush()); err != nil {
		t.Fatal(err)
	}
	open, err := os.ReadFile("a.rec")
	if err := errors.Join(err, w.Close(), os.WriteFile("half.rec", open[:len(open)-5], 0o666)); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]int64{"half.rec a.rec": 7, "a.rec half.rec": 7, "half.rec torn.rec half.rec": 6, "torn.rec half.rec a.rec": 7, "--infer half.rec a.rec": 7} {
		code, _, errs := start(t, dir, "", strings.Fields(args+" -o out.parquet")...)
		data, err := os.ReadFile(filepath.Join(dir, "out.parquet"))
		if code != 0 || err != nil || rows(t, data) != want {
			t.Fatalf("%s: code %d, %v, %s", args, code, err, errs)
		}
		for _, name := range []string{"half.rec", "torn.rec"} {
			if n := strings.Count(errs, "at the end of "+name+" are not a whole block"); n != strings.Count(args, name) {
				t.Errorf("%s: %d messages about %s: %s", args, n, name, errs)
			}
		}
	}
	_, _, alone := start(t, dir, "", "damaged.rec", "-o", "out.parquet")
	for _, args := range []string{"damaged.rec a.rec", "a.rec damaged.rec", "half.rec damaged.rec a.rec"} {
		if code, _, errs := start(t, dir, "", strings.Fields(args+" -o out.parquet")...); code != 4 || errs != alone {
			t.Errorf("%s: code %d, %q, want %q", args, code, errs, alone)
		}
	}
}

// TestDamagedHeader changes each byte of the file header, or makes them all zeros, as a power loss does. The numbers that the bytes
// are in MessagePack must not become rows.
func TestDamagedHeader(t *testing.T) {
	dir := folder(t)
	t.Chdir(dir)
	whole, err := os.ReadFile("a.rec")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		file := bytes.Clone(whole)
		file[i] ^= 1
		if err := os.WriteFile("h.rec", file, 0o666); err != nil {
			t.Fatal(err)
		}
		if code, _, errs := start(t, dir, "", "h.rec", "-o", "out.parquet"); code != exitData || !strings.HasPrefix(errs, "octet-parquet: h.rec: record: ") {
			t.Errorf("byte %d: code %d, %s", i, code, errs)
		}
	}
	if err := os.WriteFile("h.rec", make([]byte, 3000), 0o666); err != nil {
		t.Fatal(err)
	}
	code, _, errs := start(t, dir, "", "h.rec", "a.rec", "-o", "out.parquet")
	data, err := os.ReadFile("out.parquet")
	if code != 0 || err != nil || rows(t, data) != 3 || !strings.Contains(errs, "3000 bytes at the end of h.rec") {
		t.Errorf("zeros: code %d, %v, %s", code, err, errs)
	}
}
