package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// plural returns a number with its noun.
func plural(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// A meter shows how much of the input has been read, on a terminal, after one second.
type meter struct{ done, ended chan struct{} }

// newMeter starts a meter. once says that the input is read only once for certain.
func newMeter(w io.Writer, hidden bool, in *inputs, once bool) *meter {
	m := &meter{make(chan struct{}), make(chan struct{})}
	if hidden || !isTerminal(w) || os.Getenv("TERM") == "dumb" {
		close(m.ended)
		return m
	}
	go func() {
		defer close(m.ended)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for shown := false; ; shown = true {
			select {
			case <-m.done:
				if shown {
					fmt.Fprint(w, "\r\x1b[K")
				}
				return
			case <-tick.C:
				fmt.Fprintf(w, "\r\x1b[K%s", progress(in.read.Load(), in.length, once))
			}
		}
	}()
	return m
}

// progress is the text of a meter. After the first pass over the input it shows the second.
func progress(read, length int64, once bool) string {
	pass := ""
	if !once && read > length {
		read -= length
		pass = "second pass, "
	}
	percent := int64(100)
	if length > 0 {
		percent = min(100, read*100/length)
	}
	return fmt.Sprintf("%s%d %% of %s", pass, percent, size(length))
}

func (m *meter) stop() {
	close(m.done)
	<-m.ended
}

// size returns a number of bytes for people.
func size(n int64) string {
	for _, u := range []struct {
		unit int64
		name string
	}{{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}} {
		if n >= u.unit {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(u.unit), u.name)
		}
	}
	return plural(n, "byte")
}
