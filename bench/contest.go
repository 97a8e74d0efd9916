package main

import "strconv"

// contest is one value, or one piece of work, that libraries compete at.
type contest struct {
	group, shape string
	n            int      // elements, in a series of contests that differ in nothing else
	verbs        []string // what is timed, in this order
	slow         bool     // verifying all libraries takes seconds
	// open makes the value and verifies the libraries on it. No value is there before its turn: what else
	// lives on the heap changes how often the collector runs, and so what is measured.
	open func() ([]entry, error)
}

// name is what -run matches, before a slash and the verb.
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

// large tells whether an operation takes seconds or gigabytes.
func (c contest) large() bool {
	return c.n > 100_000 || (c.group == "growth" || c.group == "first") && c.n > 10_000
}

// entry is one library in a contest.
type entry struct {
	library string
	size    int             // encoded bytes
	note    string          // why the library is left out, or what else differs
	loops   map[string]loop // by verb; none where the library is left out or has no such call
	alone   *figuresOfCall  // what an operation took in a process of its own; nil where it is timed here
}

// loop does one operation n times, so that what is timed is the library and not the harness around it.
type loop func(n int) error

// contests returns every case. Where this Go came without the JSON documents there is none of them.
func contests() ([]contest, error) {
	documents, err := documentContests()
	list := recordContests()
	list = append(list, singleContests()...)
	list = append(list, foreignContests()...)
	list = append(list, documents...)
	list = append(list, streamContests()...)
	list = append(list, fixedContests()...)
	list = append(list, arrayContests()...)
	list = append(list, bufferContests()...)
	list = append(list, growthContests()...)
	list = append(list, firstContests()...)
	return list, err
}

// repeat makes a loop of one operation that cannot fail.
func repeat(operation func()) loop {
	return func(n int) error {
		for range n {
			operation()
		}
		return nil
	}
}

// attempt makes a loop of one operation that can fail.
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

// each makes a loop of an operation on one of many values, whose index it gets. Their number is mask + 1.
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
