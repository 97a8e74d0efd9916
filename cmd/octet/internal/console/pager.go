package console

import (
	"go/token"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
)

// A Pager sends what is written to it to a pager program.
type Pager struct {
	io.WriteCloser
	done chan struct{}
}

// NewPager starts $PAGER, or less if PAGER is not set. It returns nil if
// standard output is not a terminal or no pager can be started. The caller then
// writes to the terminal directly.
func (c *Console) NewPager() *Pager {
	command, chosen := c.LookupEnv("PAGER")
	if !chosen {
		command = "less -FRX"
	}
	if strings.TrimSpace(command) == "" || !c.supportsCursor(c.Stdout) || !isInstalled(command) {
		return nil
	}
	// The shell runs the command, as in other tools, because $PAGER may contain
	// arguments and variables.
	p := exec.Command("sh", "-c", command)
	p.Stdout, p.Stderr = c.Stdout, c.Stderr
	p.Env = os.Environ()
	if _, set := c.LookupEnv("LESS"); !set {
		p.Env = append(p.Env, "LESS=FRX")
	}
	// The output is UTF-8 in every locale. In that of containers, which is often C, less
	// would show the bytes of its lines and of text as <E2><94><80>.
	if _, set := c.LookupEnv("LESSCHARSET"); !set {
		p.Env = append(p.Env, "LESSCHARSET=utf-8")
	}
	in, err := p.StdinPipe()
	if err != nil || p.Start() != nil {
		return nil
	}
	// Pagers handle Ctrl-C themselves. If it ended this process, the pager
	// would keep running without its parent.
	signal.Ignore(os.Interrupt)
	pager := &Pager{in, make(chan struct{})}
	go func() {
		defer close(pager.done)
		_ = p.Wait() // the exit code of the pager is not an error of the tool
		signal.Reset(os.Interrupt)
	}()
	return pager
}

// isInstalled reports whether the program of a shell command is there, as far as that can be
// told without the shell. If it were not, the shell would print an error instead of the output.
func isInstalled(command string) bool {
	if strings.ContainsAny(command, "\"'\\$`(){}<>&|;*?[~#\n") {
		return true // words may not be what they look like
	}
	for word := range strings.FieldsSeq(command) {
		if name, _, assigned := strings.Cut(word, "="); assigned && token.IsIdentifier(name) {
			continue // as in LESS=FRX less
		}
		_, err := exec.LookPath(word)
		return err == nil
	}
	return false
}

// Done returns a channel that is closed when the pager exits.
func (p *Pager) Done() <-chan struct{} { return p.done }
