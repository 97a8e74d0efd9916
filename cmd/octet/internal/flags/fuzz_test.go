package flags

import "testing"

// FuzzSize parses any text. A size that is accepted is within the limits, and is
// accepted again in the form that is shown.
func FuzzSize(f *testing.F) {
	for _, text := range []string{"", "1kB", "999", "100 MB", "1GiB", "1e3kB", "-1MB", "1.5e300TB", "NaN", "2EiB", "1.15EB"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s Size
		if err := s.Set(text); err != nil {
			if s != 0 {
				t.Errorf("Set(%q) fails and sets %d", text, s)
			}
			return
		}
		if s < 1000 || s > 1e18 {
			t.Errorf("Set(%q) sets %d", text, s)
		}
		if err := new(Size).Set(s.String()); err != nil {
			t.Errorf("Set(%q): %v", s.String(), err)
		}
	})
}
