package msgpack_test

import (
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack"
)

// TestFastPaths reports which fast paths are off. Some exist only for known
// versions of Go, or only in some builds. With a new version of Go, the test prints
// one line with the paths that the version lacks. A path that should be on but is
// off is a failure.
func TestFastPaths(t *testing.T) {
	inPlace := mem.MapTables(mem.PtrOf(reflect.ValueOf(map[string]any{"a": 1}))) > 0
	version := runtime.Version()
	known := (strings.HasPrefix(version, "go1.26") || strings.HasPrefix(version, "go1.27")) && runtime.Compiler == "gc"
	var off []string
	for _, path := range []struct {
		name       string
		on, wanted bool
	}{
		{"whole words (package msgpack)", msgpack.Fast, msgpack.Fast},
		{"maps in place (mem.MapGroups)", inPlace, known && !heaptest.Race && msgpack.Fast},
		{"entries of maps in place (mem.MapEntry)", mem.HasMapEntry(), known},
	} {
		if path.on != path.wanted {
			t.Errorf("%s: on is %v, want %v", path.name, path.on, path.wanted)
		}
		if !path.on {
			off = append(off, path.name)
		}
	}
	if len(off) > 0 {
		t.Skipf("%s, race %v, purego %v: off are %s", runtime.Version(), heaptest.Race, !msgpack.Fast, strings.Join(off, "; "))
	}
	t.Logf("%s: all fast paths are on", runtime.Version())
}
