//go:build unix

package companion

import (
	"os"
	"syscall"

	"github.com/octet-go/octet/cmd/octet/internal/console"
)

// replace runs the program in this process, instead of octet, if the streams of c are those
// of the process. Whoever ends octet then ends the program: a signal that cannot be caught
// would end octet alone, and a server that it started would run on.
func replace(c *console.Console, file string, args []string) (done bool, err error) {
	if c.Stdin != os.Stdin || c.Stdout != os.Stdout || c.Stderr != os.Stderr {
		return false, nil
	}
	return true, os.NewSyscallError("exec", syscall.Exec(file, append([]string{file}, args...), os.Environ()))
}
