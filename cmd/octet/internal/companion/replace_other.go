//go:build !unix

package companion

import "github.com/octet-go/octet/cmd/octet/internal/console"

// replace does nothing: on these systems, a process cannot become another program.
func replace(*console.Console, string, []string) (done bool, err error) { return false, nil }
