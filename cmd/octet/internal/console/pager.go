package console

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
)

// A Pager shows what is written to it page by page.
type Pager struct {
	io.WriteCloser
	done chan struct{}
}

// NewPager starts $PAGER, or less where it is not set, if standard output is a
// terminal. It returns nil where there is no pager, or none can be started:
// output then goes to the terminal directly.
func (c *Console) NewPager() *Pager {
	command, chosen := c.LookupEnv("PAGER")
	if !chosen {
		command = "less -FRX"
	}
	words := strings.Fields(command)
	if len(words) == 0 || !c.clever(c.Stdout) {
		return nil
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return nil
	}
	// Through the shell, as other tools do: a pager may come with arguments.
	p := exec.Command("sh", "-c", command)
	p.Stdout, p.Stderr = c.Stdout, c.Stderr
	if _, set := c.LookupEnv("LESS"); !set {
		p.Env = append(os.Environ(), "LESS=FRX")
	}
	in, err := p.StdinPipe()
	if err != nil || p.Start() != nil {
		return nil
	}
	// Ctrl-C is a command of pagers, and would leave one behind without us.
	signal.Ignore(os.Interrupt)
	pager := &Pager{in, make(chan struct{})}
	go func() {
		defer close(pager.done)
		_ = p.Wait() // how the person left the pager is no error of ours
		signal.Reset(os.Interrupt)
	}()
	return pager
}

// Done is closed when the person has left the pager.
func (p *Pager) Done() <-chan struct{} { return p.done }
