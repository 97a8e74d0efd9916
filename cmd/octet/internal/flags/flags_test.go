package flags

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestSet parses values of each kind and prints what they have become.
func TestSet(t *testing.T) {
	for _, c := range []struct {
		flag       pflag.Value
		text, want string // if want is empty, the text is refused
		fault      string
	}{
		{&Choice{Words: []string{"a", "b", "c"}}, "b", "b", ""},
		{&Choice{Value: "a", Words: []string{"a", "b", "c"}}, "d", "", "must be a, b or c"},
		{new(Number), "0x1f", "31", ""},
		{new(Number), "-1", "", "must be a non-negative number"},
		{new(Number), "9223372036854775808", "", "must be a non-negative number"},
		{new(Limit), "7", "7", ""},
		{new(Limit), "all", "all", ""},
		{new(Limit), "some", "", "must be a non-negative number or all"},
		{new(Size), "1kB", "1.0 kB", ""},
		{new(Size), "2MiB", "2.1 MB", ""},
		{new(Size), "999", "", "must be a size of at least 1kB, such as 100MB"},
		{new(Size), "2EiB", "", "must be a size of at least 1kB, such as 100MB"},
	} {
		before := c.flag.String()
		err := c.flag.Set(c.text)
		switch {
		case c.want == "" && (err == nil || err.Error() != c.fault):
			t.Errorf("%T, %q: %v, want %s", c.flag, c.text, err, c.fault)
		case c.want == "" && c.flag.String() != before:
			t.Errorf("%T, %q: the value became %s", c.flag, c.text, c.flag)
		case c.want != "" && (err != nil || c.flag.String() != c.want):
			t.Errorf("%T, %q: %s, %v, want %s", c.flag, c.text, c.flag, err, c.want)
		}
	}
}

func TestType(t *testing.T) {
	words := []string{"a", "b"}
	for want, flag := range map[string]pflag.Value{
		"a|b": &Choice{Words: words}, "FORMAT": &Choice{Words: words, Name: "FORMAT"}, "N": new(Number), "SIZE": new(Size),
	} {
		if got := flag.Type(); got != want {
			t.Errorf("%T: %s, want %s", flag, got, want)
		}
	}
}

func TestPassed(t *testing.T) {
	for _, c := range []struct {
		limit Limit
		n     int64
		want  bool
	}{{All, 1 << 40, false}, {0, 0, false}, {0, 1, true}, {5, 5, false}, {5, 6, true}} {
		if got := c.limit.Passed(c.n); got != c.want {
			t.Errorf("limit %s, %d: %v", &c.limit, c.n, got)
		}
	}
}

// TestSuggest checks the errors for unknown flags and for values that are wrong.
func TestSuggest(t *testing.T) {
	c := &cobra.Command{}
	c.Flags().Bool("pretty", false, "")
	c.Flags().Bool("reversible", false, "")
	c.Flags().Bool("round", false, "")
	number := func(function string, err error) error {
		n := &strconv.NumError{Func: function, Num: "x", Err: err}
		return &wrapped{"invalid argument \"x\" for \"-n\" flag: " + n.Error(), n}
	}
	for _, f := range []struct {
		err  error
		want string
	}{
		{errors.New("unknown flag: --prety"), "unknown flag: --prety; did you mean --pretty?"},
		{errors.New("unknown flag: --rev"), "unknown flag: --rev; did you mean --reversible?"},
		{errors.New("unknown flag: --ro"), "unknown flag: --ro"},
		{errors.New("unknown flag: --roun"), "unknown flag: --roun; did you mean --round?"},
		{errors.New("unknown flag: --compress"), "unknown flag: --compress"},
		{errors.New("flag needs an argument"), "flag needs an argument"},
		{number("ParseBool", strconv.ErrSyntax), `invalid argument "x" for "-n" flag: must be true or false`},
		{number("ParseUint", strconv.ErrSyntax), `invalid argument "x" for "-n" flag: must be a non-negative number`},
		{number("ParseFloat", strconv.ErrSyntax), `invalid argument "x" for "-n" flag: must be a number`},
		{number("ParseUint", strconv.ErrRange), `invalid argument "x" for "-n" flag: is too large`},
	} {
		if got := Suggest(c, f.err).Error(); got != f.want {
			t.Errorf("%v: %s, want %s", f.err, got, f.want)
		}
	}
}

// wrapped is an error with a text of its own.
type wrapped struct {
	text string
	err  error
}

func (w *wrapped) Error() string { return w.text }
func (w *wrapped) Unwrap() error { return w.err }

// TestCompleteList requires that the shell offers words after a comma too, without those
// that the list has.
func TestCompleteList(t *testing.T) {
	for typed, want := range map[string]string{
		"": "order\nutf8\nother", "o": "order\nutf8\nother", "utf8,": "utf8,order\nutf8,other", "order,utf8,o": "order,utf8,other", "order,utf8,other,": "",
	} {
		ran := &cobra.Command{Use: "do", Run: func(*cobra.Command, []string) {}}
		ran.Flags().StringSlice("ignore", nil, "")
		CompleteList(ran, "ignore", []string{"order", "utf8", "other"})
		root := &cobra.Command{Use: "tool"}
		root.AddCommand(ran)
		Offer(root)
		var out strings.Builder
		root.SetOut(&out)
		root.SetErr(new(strings.Builder))
		root.SetArgs([]string{"__complete", "do", "--ignore", typed})
		err := root.Execute()
		if got, _, _ := strings.Cut(out.String(), ":"); err != nil || strings.TrimSuffix(got, "\n") != want {
			t.Errorf("%q: %q, %v, want %q", typed, got, err, want)
		}
	}
}

// TestComplete requires that the shell offers the words of a flag.
func TestComplete(t *testing.T) {
	ran := &cobra.Command{Use: "do", Run: func(*cobra.Command, []string) {}}
	ran.Flags().String("to", "", "")
	Complete(ran, "to", []string{"json", "msgpack"})
	root := &cobra.Command{Use: "tool"}
	root.AddCommand(ran)
	Offer(root)
	var out strings.Builder
	root.SetOut(&out)
	root.SetArgs([]string{"__complete", "do", "--to", ""})
	if err := root.Execute(); err != nil || !strings.HasPrefix(out.String(), "json\nmsgpack\n") {
		t.Errorf("%q, %v", out.String(), err)
	}
}
