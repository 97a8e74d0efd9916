package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A choice is a flag whose value is one of a few words.
type choice struct {
	value string
	words []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.words, "|") }

func (c *choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		last := len(c.words) - 1
		return fmt.Errorf("must be %s or %s", strings.Join(c.words[:last], ", "), c.words[last])
	}
	c.value = s
	return nil
}

// A longChoice is a choice of too many words for one line of help.
type longChoice struct {
	choice
	name string
}

func (c *longChoice) Type() string { return c.name }

// A position is a flag that takes a non-negative number, in decimal or as in
// 0x1f.
type position int64

func (p *position) String() string { return strconv.FormatInt(int64(*p), 10) }
func (p *position) Type() string   { return "N" }

func (p *position) Set(s string) error {
	n, err := strconv.ParseInt(s, 0, 64)
	if err != nil || n < 0 {
		return errors.New("must be a non-negative number")
	}
	*p = position(n)
	return nil
}

// A bound is a flag that takes a non-negative number or the word all.
type bound int64

const unbounded bound = -1

func (b *bound) Type() string { return "N" }

func (b *bound) String() string {
	if *b == unbounded {
		return "all"
	}
	return (*position)(b).String()
}

func (b *bound) Set(s string) error {
	if s == "all" {
		*b = unbounded
		return nil
	}
	if err := (*position)(b).Set(s); err != nil {
		return fmt.Errorf("%w or all", err)
	}
	return nil
}

// suggestFlag adds the names of the most similar flags to the error for an unknown one,
// and says what the value of another one must be.
func suggestFlag(c *cobra.Command, err error) error {
	var wrong *strconv.NumError
	if errors.As(err, &wrong) {
		must := "must be a number"
		switch {
		case wrong.Func == "ParseBool":
			must = "must be true or false"
		case wrong.Err == strconv.ErrRange:
			must = "is too large"
		case wrong.Func == "ParseUint":
			must = "must be a non-negative number"
		}
		return errors.New(strings.TrimSuffix(err.Error(), wrong.Error()) + must)
	}
	name, unknown := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !unknown {
		return err
	}
	var close []string
	nearest := 3 // names with a distance of 3 or more are not similar
	c.Flags().VisitAll(func(f *pflag.Flag) {
		d := distance(name, f.Name)
		if len(name) > 2 && strings.HasPrefix(f.Name, name) {
			d = 0 // the user may have shortened the name
		}
		if d < nearest {
			nearest, close = d, nil
		}
		if d == nearest && d < 3 {
			close = append(close, "--"+f.Name)
		}
	})
	if len(close) == 0 {
		return err
	}
	return fmt.Errorf("%w; did you mean %s?", err, strings.Join(close, " or "))
}

// distance returns the number of characters to insert, remove or replace that
// turns a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// complete makes the shell offer words as values of a flag.
func complete(c *cobra.Command, flag string, words []string) {
	// The call fails only if the flag is not defined.
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
