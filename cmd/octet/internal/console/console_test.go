package console

import (
	"bytes"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// newConsole returns a console with the given environment. terminal says
// whether its streams are terminals.
func newConsole(terminal bool, env ...string) *Console {
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

func TestColored(t *testing.T) {
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
		{"empty NO_COLOR", "auto", true, []string{"NO_COLOR="}, true},
		{"CLICOLOR_FORCE", "auto", false, []string{"CLICOLOR_FORCE=1"}, true},
		{"CLICOLOR_FORCE=0", "auto", false, []string{"CLICOLOR_FORCE=0"}, false},
		{"CLICOLOR=0", "auto", true, []string{"CLICOLOR=0"}, false},
		{"CLICOLOR=1", "auto", true, []string{"CLICOLOR=1"}, true},
		{"CLICOLOR=0 and CLICOLOR_FORCE", "auto", true, []string{"CLICOLOR=0", "CLICOLOR_FORCE=1"}, true},
		{"FORCE_COLOR", "auto", false, []string{"FORCE_COLOR=1"}, true},
		{"NO_COLOR and FORCE_COLOR", "auto", true, []string{"NO_COLOR=1", "FORCE_COLOR=1"}, false},
		{"always and NO_COLOR", "always", false, []string{"NO_COLOR=1", "TERM=dumb"}, true},
		{"never and CLICOLOR_FORCE", "never", true, []string{"CLICOLOR_FORCE=1"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			console := newConsole(c.terminal, c.env...)
			if got := console.Colored(c.choice, console.Stdout); got != c.want {
				t.Errorf("Colored = %v, want %v", got, c.want)
			}
		})
	}
}

func TestPager(t *testing.T) {
	if _, err := exec.LookPath("sed"); err != nil {
		t.Skip("sed is not installed")
	}
	for _, pager := range []string{"sed s/^/page:/", "  A=1 B= sed s/^/page:/", "P='page:'; sed \"s/^/$P/\"", "A='x y' 'sed' s/^/page:/"} {
		c := newConsole(true, "PAGER="+pager)
		p := c.NewPager()
		if p == nil {
			t.Errorf("%s: NewPager returned nil", pager)
			continue
		}
		io.WriteString(p, "one\ntwo\n")
		p.Close()
		<-p.Done()
		if got := c.Stdout.(*bytes.Buffer).String(); got != "page:one\npage:two\n" {
			t.Errorf("%s showed %q", pager, got)
		}
	}
}

func TestNoPager(t *testing.T) {
	for name, c := range map[string]*Console{
		"a pipe":              newConsole(false, "PAGER=sed p"),
		"empty PAGER":         newConsole(true, "PAGER="),
		"blank PAGER":         newConsole(true, "PAGER= "),
		"no command in PAGER": newConsole(true, "PAGER=A=1"),
		"no pager behind A=1": newConsole(true, "PAGER=A=1 no-such-pager-anywhere"),
		"PAGER not installed": newConsole(true, "PAGER=no-such-pager-anywhere -x"),
		"a dumb terminal":     newConsole(true, "PAGER=sed p", "TERM=dumb"),
	} {
		if c.NewPager() != nil {
			t.Errorf("%s: NewPager did not return nil", name)
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

// TestMeterWidth requires that the progress fits into one line of the terminal, also when
// its numbers are long or the width changes, and that clearing it clears the whole line.
func TestMeterWidth(t *testing.T) {
	for _, total := range []int64{0, 999e9} {
		var out bytes.Buffer
		width := 80
		c := &Console{Stderr: &out, LookupEnv: func(name string) (string, bool) { return strconv.Itoa(width), name == "COLUMNS" }}
		m := c.NewMeter(total)
		for _, width = range []int{40, 50, 75, 76, 80, 200, 20, 8, 1, 80} {
			m.Set(998e9)
			for line := range strings.SplitSeq(out.String(), "\r") {
				line = strings.NewReplacer("\x1b[2K", "", "\x1b[0K", "").Replace(line)
				if n := utf8.RuneCountInString(line); n > max(width-len("^C"), 1) || width >= 40 && strings.Contains(line, "[") != (width >= 76 || total == 0) && line != "" {
					t.Errorf("%d columns, total %d: %d columns, %q", width, total, n, line)
				}
			}
			out.Reset()
			m.Clear()
			if !strings.HasSuffix(out.String(), "\x1b[2K\r") {
				t.Errorf("cleared by %q", &out)
			}
		}
	}
}
