package console

import (
	"bytes"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// on returns a console with that environment whose standard streams are
// terminals or not.
func on(terminal bool, env ...string) *Console {
	return &Console{
		Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer),
		LookupEnv: func(name string) (string, bool) {
			for _, e := range env {
				if value, ok := strings.CutPrefix(e, name+"="); ok {
					return value, true
				}
			}
			return "", false
		},
		IsTerminal: func(any) bool { return terminal },
	}
}

func TestColoured(t *testing.T) {
	for _, c := range []struct {
		name     string
		choice   string
		terminal bool
		env      []string
		want     bool
	}{
		{"a terminal", "auto", true, nil, true},
		{"a pipe", "auto", false, nil, false},
		{"a dumb terminal", "auto", true, []string{"TERM=dumb"}, false},
		{"NO_COLOR", "auto", true, []string{"NO_COLOR=1"}, false},
		{"NO_COLOR that is empty", "auto", true, []string{"NO_COLOR="}, true},
		{"CLICOLOR_FORCE", "auto", false, []string{"CLICOLOR_FORCE=1"}, true},
		{"CLICOLOR_FORCE=0", "auto", false, []string{"CLICOLOR_FORCE=0"}, false},
		{"FORCE_COLOR", "auto", false, []string{"FORCE_COLOR=1"}, true},
		{"NO_COLOR against FORCE_COLOR", "auto", true, []string{"NO_COLOR=1", "FORCE_COLOR=1"}, false},
		{"always against NO_COLOR", "always", false, []string{"NO_COLOR=1", "TERM=dumb"}, true},
		{"never against CLICOLOR_FORCE", "never", true, []string{"CLICOLOR_FORCE=1"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			console := on(c.terminal, c.env...)
			if got := console.Coloured(c.choice, console.Stdout); got != c.want {
				t.Errorf("coloured = %v, want %v", got, c.want)
			}
		})
	}
}

func TestPager(t *testing.T) {
	if _, err := exec.LookPath("sed"); err != nil {
		t.Skip("no sed to page with")
	}
	c := on(true, "PAGER=sed s/^/page:/")
	p := c.NewPager()
	if p == nil {
		t.Fatal("no pager")
	}
	io.WriteString(p, "one\ntwo\n")
	p.Close()
	<-p.Done()
	if got := c.Stdout.(*bytes.Buffer).String(); got != "page:one\npage:two\n" {
		t.Errorf("the pager showed %q", got)
	}
}

func TestNoPager(t *testing.T) {
	for name, c := range map[string]*Console{
		"a pipe":              on(false, "PAGER=sed p"),
		"PAGER that is empty": on(true, "PAGER="),
		"PAGER not installed": on(true, "PAGER=no-such-pager-anywhere -x"),
		"a dumb terminal":     on(true, "PAGER=sed p", "TERM=dumb"),
	} {
		if c.NewPager() != nil {
			t.Errorf("%s: there is a pager", name)
		}
	}
}

func TestPlural(t *testing.T) {
	for want, n := range map[string]int64{"0 bytes": 0, "1 byte": 1, "1,234 bytes": 1234} {
		if got := Plural(n, "byte"); got != want {
			t.Errorf("Plural(%d) = %q, want %q", n, got, want)
		}
	}
}
