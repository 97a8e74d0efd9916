package parquet

import (
	"bytes"
	"runtime/debug"
	"testing"

	"github.com/octet-go/octet/msgpack/schema"
	parquetgo "github.com/parquet-go/parquet-go"
)

// TestCreatedBy requires that files name this module with the version that the program has of it.
func TestCreatedBy(t *testing.T) {
	const path = "github.com/octet-go/octet/record/parquet"
	other := &debug.Module{Path: "example.com/other", Version: "v9.9.9"}
	for _, c := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{nil, "octet-parquet version devel"},
		{&debug.BuildInfo{Main: debug.Module{Path: path, Version: "v1.2.3"}, Deps: []*debug.Module{other}}, "octet-parquet version 1.2.3"},
		{&debug.BuildInfo{Main: *other, Deps: []*debug.Module{{Path: path, Version: "v1.3.0-rc.1"}}}, "octet-parquet version 1.3.0-rc.1"},
		{&debug.BuildInfo{Main: debug.Module{Path: path}}, "octet-parquet version devel"},
	} {
		if got := createdBy(c.info, c.info != nil); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	s, err := schema.Of[struct{ A int }](nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := Export(&out, bytes.NewReader([]byte("\x81\xa1A\x01")), &Options{Format: MessagePack, Schema: s}); err != nil {
		t.Fatal(err)
	}
	f, err := parquetgo.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := f.Metadata().CreatedBy, createdBy(debug.ReadBuildInfo()); got != want {
		t.Errorf("the file says %q, want %q", got, want)
	}
}
