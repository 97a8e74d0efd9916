package main

import "strconv"

// A contest is one value or one task that libraries are compared on.
type contest struct {
	group, shape string
	about        string   // short description of the value, for tables and charts
	n            int      // number of elements, in a series of contests that differ only in this
	verbs        []string // the operations to time, in order
	slow         bool     // verifying all libraries takes seconds
	// open creates the value and verifies the libraries on it. It is called right before the contest, because other
	// values on the heap would change how often the garbage collector runs and thus the results.
	open func() ([]entry, error)
}

// name returns the name that -run matches, without the verb.
func (c contest) name() string {
	name := c.group + "/" + c.shape
	if c.group == "values" {
		name = c.shape
	}
	if c.n > 0 {
		name += "/" + strconv.Itoa(c.n)
	}
	return name
}

// large reports whether an operation takes seconds or gigabytes.
func (c contest) large() bool {
	return c.n > 100_000 || (c.group == "growth" || c.group == "first") && c.n > 10_000
}

// An entry is one library in a contest.
type entry struct {
	library string
	size    int             // encoded bytes
	note    string          // why the library does not take part, or what is different about it
	loops   map[string]loop // by verb; empty if the library does not take part or has no such call
	alone   *figuresOfCall  // the results of an operation in a separate process; nil if it is timed here
}

// A loop performs an operation n times, so that the time includes the library and not the harness.
type loop func(n int) error

// repeat returns the loop of an operation that cannot fail.
func repeat(operation func()) loop {
	return func(n int) error {
		for range n {
			operation()
		}
		return nil
	}
}

// attempt returns the loop of an operation that can fail.
func attempt(operation func() error) loop {
	return func(n int) error {
		for range n {
			if err := operation(); err != nil {
				return err
			}
		}
		return nil
	}
}

// each returns the loop of an operation on one of many values. operation gets the index of the value. mask + 1 is
// the number of values.
func each(mask int, operation func(i int) error) loop {
	return func(n int) error {
		for i := range n {
			if err := operation(i & mask); err != nil {
				return err
			}
		}
		return nil
	}
}

// figuresOfCall contains the results that a process prints.
type figuresOfCall struct {
	NS, Bytes, Allocs float64
	Size              int
}
