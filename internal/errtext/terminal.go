package errtext

import (
	"io"
	"os"
)

// Messages returns a writer of whole messages to w. If w is a terminal, it gets escapes for
// the characters of flags, file names and other texts that could change what it shows.
func Messages(w io.Writer) io.Writer {
	if f, ok := w.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return messages{f}
		}
	}
	return w
}

type messages struct{ w io.Writer }

func (m messages) Write(text []byte) (int, error) {
	if _, err := io.WriteString(m.w, Visible(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
