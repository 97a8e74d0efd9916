package load

import (
	"testing"

	"golang.org/x/tools/go/packages"
)

// TestVersionOf checks that a replacement by another version counts, and one by a folder does not.
func TestVersionOf(t *testing.T) {
	for _, c := range []struct {
		m    packages.Module
		want string
	}{
		{packages.Module{Version: "v2.1.1"}, "v2.1.1"},
		{packages.Module{Version: "v2.1.1", Replace: &packages.Module{Version: "v2.4.0"}}, "v2.4.0"},
		{packages.Module{Version: "v2.1.1", Replace: &packages.Module{Path: "../fork"}}, "v2.1.1"},
	} {
		if got := versionOf(&c.m); got != c.want {
			t.Errorf("%+v: %s, want %s", c.m, got, c.want)
		}
	}
}
