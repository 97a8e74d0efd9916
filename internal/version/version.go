// Package version says which build of a program is running.
package version

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// Of describes the build of the program with this name: the module version of an
// installed one, or the commit of one built from a clone. The go command records both,
// unless the flag -buildvcs=false is given.
func Of(name string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return name + ", built without module information"
	}
	return name + " " + describeBuild(info)
}

func describeBuild(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	v := info.Main.Version
	if v == "" {
		v = "(devel)"
	}
	details := []string{}
	if commit := settings["vcs.revision"]; commit != "" {
		commit = "commit " + commit[:min(len(commit), 12)]
		if settings["vcs.modified"] == "true" {
			commit += " with changes"
		}
		details = append(details, commit, settings["vcs.time"])
	} else if v == "(devel)" {
		details = append(details, "commit unknown because the build did not record it")
	}
	details = append(details, info.GoVersion, settings["GOOS"]+"/"+settings["GOARCH"])
	return fmt.Sprintf("%s (%s)", v, strings.Join(details, ", "))
}
