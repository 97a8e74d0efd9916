package rewrite

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// findVersions reports the imports of other versions and forks of the libraries, and of other packages
// in them, which have no table.
func (p *program) findVersions(f *ast.File) {
	for _, spec := range f.Imports {
		if lib := table.Inside(p.libraries, strings.Trim(spec.Path.Value, `"`)); lib != nil {
			p.find(Left, spec.Pos(), lib, "import", "octet-migrate does not know this package of the library: replace what the file uses of it by hand; package wire of Octet has the formats")
		}
		if lib := table.WithoutTable(p.libraries, strings.Trim(spec.Path.Value, `"`)); lib != nil {
			p.find(Left, spec.Pos(), lib, "import", "octet-migrate does not know this version or fork of the library: change the program to "+lib.Path+", run its tests, and run octet-migrate again"+lib.Earlier)
		}
	}
}

// older reports whether a version is older than another one. Neither is if one of them is not
// known.
func older(a, b string) bool {
	x, y := numbers(a), numbers(b)
	return len(x) > 0 && len(y) > 0 && slices.Compare(x, y) < 0
}

// numbers returns the three numbers of a version.
func numbers(version string) []int {
	n := make([]int, 3)
	if _, err := fmt.Sscanf(version, "v%d.%d.%d", &n[0], &n[1], &n[2]); err != nil {
		return nil
	}
	return n
}
