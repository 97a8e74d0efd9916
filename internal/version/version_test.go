package version

import (
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	system := []debug.BuildSetting{setting("GOOS", "linux"), setting("GOARCH", "amd64")}
	for _, c := range []struct {
		name string
		info debug.BuildInfo
		want string
	}{
		{"installed", debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v0.3.0"}, Settings: system},
			"v0.3.0 (go1.26.8, linux/amd64)"},
		{"from a clone", debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"}, Settings: append(system,
			setting("vcs.revision", "0123456789abcdef0123"), setting("vcs.time", "2026-11-21T08:00:00Z"), setting("vcs.modified", "true"))},
			"(devel) (commit 0123456789ab with changes, 2026-11-21T08:00:00Z, go1.26.8, linux/amd64)"},
		{"without version control", debug.BuildInfo{GoVersion: "go1.26.8", Settings: system}, "(devel) (commit unknown because the build did not record it, go1.26.8, linux/amd64)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := describeBuild(&c.info); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
