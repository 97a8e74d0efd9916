package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// A choice is a flag whose value is one of a few words.
type choice struct {
	value string
	of    []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.of, "|") }

func (c *choice) Set(s string) error {
	if !slices.Contains(c.of, s) {
		last := len(c.of) - 1
		return fmt.Errorf("must be %s or %s", strings.Join(c.of[:last], ", "), c.of[last])
	}
	c.value = s
	return nil
}

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

// complete makes the shell offer words as values of a flag.
func complete(c *cobra.Command, flag string, words []string) {
	// The call fails only if the flag is not defined.
	_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
