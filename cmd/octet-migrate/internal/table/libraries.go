package table

import (
	"regexp"
	"slices"
	"strings"
)

// MessagePack returns the libraries for MessagePack.
func MessagePack() []*Library {
	return []*Library{Vmihailenco, Vmihailenco4, Shamaton, Shamaton2, Ugorji, Hashicorp1, Hashicorp2, Msgp}
}

// Standard returns the packages of the standard library that Octet has faster
// ones for.
func Standard() []*Library { return []*Library{Binary, Buffer} }

// Chosen returns the libraries to replace, with those of the standard library or
// without.
func Chosen(std bool) []*Library {
	if std {
		return All()
	}
	return MessagePack()
}

// All returns every table.
func All() []*Library { return append(MessagePack(), Standard()...) }

var versionOf = regexp.MustCompile(`^gopkg\.in/(.*)\.v[0-9]+(/|$)|/v[0-9]+(/|$)`)

// Inside returns the library of which an import path is another package, one without a table.
func Inside(libraries []*Library, importPath string) *Library {
	if _, after, ok := strings.Cut(importPath, "/vendor/"); ok {
		importPath = after
	}
	for _, l := range libraries {
		inside := importPath == l.Name || strings.HasPrefix(importPath, l.Name+"/")
		if inside && l.Profile != "" && For(libraries, importPath) == nil && WithoutTable(libraries, importPath) == nil {
			return l
		}
	}
	return nil
}

// WithoutTable returns the library of which an import path is another version or a fork, without a table.
func WithoutTable(libraries []*Library, importPath string) (lib *Library) {
	if _, after, ok := strings.Cut(importPath, "/vendor/"); ok {
		importPath = after
	}
	if For(libraries, importPath) != nil {
		return nil
	}
	for _, l := range libraries { // the one with the latest version
		same := l.Profile != "" && withoutVersion(l.Path) == withoutVersion(importPath) || slices.Contains(l.Forks, importPath)
		if same && (lib == nil || l.Path > lib.Path) {
			lib = l
		}
	}
	return lib
}

func withoutVersion(importPath string) string {
	importPath = versionOf.ReplaceAllString(importPath, "$1$2$3")
	return strings.TrimSuffix(strings.TrimPrefix(importPath, "github.com/"), "/")
}
