// Package flags has the kinds of values that several commands take in flags, and
// the errors for flags that are wrong.
package flags

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
)

// A Choice is a flag whose value is one of a few words.
type Choice struct {
	Value string
	Words []string
	Name  string // what the help shows if there are too many words for one line
}

func (c *Choice) String() string { return c.Value }

// Type returns what the help shows for the value.
func (c *Choice) Type() string {
	if c.Name != "" {
		return c.Name
	}
	return strings.Join(c.Words, "|")
}

// Set sets the value to one of the words.
func (c *Choice) Set(s string) error {
	if !slices.Contains(c.Words, s) {
		last := len(c.Words) - 1
		return fmt.Errorf("must be %s or %s", strings.Join(c.Words[:last], ", "), c.Words[last])
	}
	c.Value = s
	return nil
}

// A Number is a flag that takes a non-negative number, in decimal or as in 0x1f.
type Number int64

func (n *Number) String() string { return strconv.FormatInt(int64(*n), 10) }

// Type returns what the help shows for the value.
func (n *Number) Type() string { return "N" }

// Set parses the number.
func (n *Number) Set(s string) error {
	v, err := strconv.ParseInt(s, 0, 64)
	if err != nil || v < 0 {
		return errors.New("must be a non-negative number")
	}
	*n = Number(v)
	return nil
}

// A Limit is a flag that takes a non-negative number or the word all.
type Limit int64

// All is the Limit that has no effect.
const All Limit = -1

// Type returns what the help shows for the value.
func (l *Limit) Type() string { return "N" }

func (l *Limit) String() string {
	if *l == All {
		return "all"
	}
	return (*Number)(l).String()
}

// Set parses the number or the word.
func (l *Limit) Set(s string) error {
	if s == "all" {
		*l = All
		return nil
	}
	if err := (*Number)(l).Set(s); err != nil {
		return fmt.Errorf("%w or all", err)
	}
	return nil
}

// Passed reports whether n is more than the limit.
func (l Limit) Passed(n int64) bool { return l != All && n > int64(l) }

// A Size is a flag for a number of bytes, such as 100MB or 1GiB.
type Size int64

// Type returns what the help shows for the value.
func (s *Size) Type() string { return "SIZE" }

func (s *Size) String() string {
	if *s == 0 {
		return ""
	}
	return humanize.Bytes(uint64(*s))
}

// Set parses the size.
func (s *Size) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil || n < 1000 || n > 1e18 {
		return errors.New("must be a size of at least 1kB, such as 100MB")
	}
	*s = Size(n)
	return nil
}

// From defines the flag --from, for the format of values.
func From(c *cobra.Command, from *Choice) {
	*from = Choice{Words: []string{sniff.JSON.String(), sniff.MessagePack.String()}}
	c.Flags().Var(from, "from", "format of the input")
	Complete(c, "from", from.Words)
}

// CheckNames returns [failure.ErrNoName] if a flag names a file and its value is empty,
// because most commands take an empty value for a flag that is not set.
func CheckNames(c *cobra.Command) (err error) {
	c.Flags().Visit(func(f *pflag.Flag) {
		if what, _ := pflag.UnquoteUsage(f); what == "FILE" && f.Value.String() == "" {
			err = failure.ErrNoName
		}
	})
	return err
}

// Annotations of flags, with the words that a shell offers as values.
const (
	word = "octet_word" // the flag takes one of them
	list = "octet_list" // the flag takes several, separated by commas
)

// Complete makes the shell offer words as values of a flag.
func Complete(c *cobra.Command, flag string, words []string) { annotate(c, flag, word, words) }

// CompleteList makes the shell offer words as values of a flag that takes several, separated
// by commas. The shell chooses those that begin with what is typed. A word that the list already has is not offered again.
func CompleteList(c *cobra.Command, flag string, words []string) { annotate(c, flag, list, words) }

func annotate(c *cobra.Command, flag, annotation string, words []string) {
	if f := c.Flag(flag); f != nil {
		if f.Annotations == nil {
			f.Annotations = map[string][]string{}
		}
		f.Annotations[annotation] = words
	}
}

// Offer registers the words of all flags of a command and of those below it. A program needs them only if the shell asks it
// what to offer, and cobra never forgets a registered flag, nor what its value is a part of.
func Offer(c *cobra.Command) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		// The calls fail only if the flag is not defined or was registered before.
		if words, ok := f.Annotations[word]; ok {
			_ = c.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
		}
		if words, ok := f.Annotations[list]; ok {
			_ = c.RegisterFlagCompletionFunc(f.Name, more(words))
		}
	})
	for _, below := range c.Commands() {
		Offer(below)
	}
}

// more returns a function that offers words after those that a list has.
func more(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		var offered []string
		for _, word := range words {
			if !slices.Contains(strings.Split(before, ","), word) {
				offered = append(offered, before+word)
			}
		}
		return offered, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}
