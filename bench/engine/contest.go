package engine

import "strconv"

// A Contest is one value or one task that libraries are compared on.
type Contest struct {
	Group, Shape string
	About        string   // short description of the value, for tables and charts
	N            int      // number of elements, in a series of contests that differ only in this
	Verbs        []string // the operations to time, in order
	Wall         []string // the operations that use several processors or wait for a disk, for which only the time on the clock counts
	Slow         bool     // verifying all libraries takes seconds
	// Open creates the value and verifies the libraries on it. It is called right before the contest, because other
	// values on the heap would change how often the garbage collector runs and thus the results.
	Open func() ([]Peer, error)
}

// Name returns the name that -run matches, without the verb.
func (c Contest) Name() string {
	name := c.Group + "/" + c.Shape
	if c.Group == "values" {
		name = c.Shape
	}
	if c.N > 0 {
		name += "/" + strconv.Itoa(c.N)
	}
	return name
}

// Large reports whether an operation takes seconds or gigabytes.
func (c Contest) Large() bool {
	return c.N > 100_000 || (c.Group == "growth" || c.Group == "first") && c.N > 10_000
}

// A Peer is one library in a contest.
type Peer struct {
	Library string
	Size    int             // encoded bytes
	Note    string          // why the library does not take part, or what is different about it
	Loops   map[string]Loop // by verb; empty if the library does not take part or has no such call
	Turn    int             // number of operations in a turn, if an earlier call has counted them
	Alone   *CallFigures    // the results of an operation in a separate process; nil if it is timed here
}

// A Loop performs an operation n times, so that the time includes the library and not the harness.
type Loop func(n int) error

// Repeat returns the loop of an operation that cannot fail.
func Repeat(operation func()) Loop {
	return func(n int) error {
		for range n {
			operation()
		}
		return nil
	}
}

// Attempt returns the loop of an operation that can fail.
func Attempt(operation func() error) Loop {
	return func(n int) error {
		for range n {
			if err := operation(); err != nil {
				return err
			}
		}
		return nil
	}
}

// Each returns the loop of an operation on one of many values. operation gets the index of the value. mask + 1 is
// the number of values.
func Each(mask int, operation func(i int) error) Loop {
	return func(n int) error {
		for i := range n {
			if err := operation(i & mask); err != nil {
				return err
			}
		}
		return nil
	}
}

// CallFigures contains the results that a process prints.
type CallFigures struct {
	NS, Bytes, Allocs float64
	Size              int
}
