package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/octet-go/octet/msgpack"
)

// A column has the results of one library for all vectors.
type column struct {
	library
	language string
	version  string
	skipped  string // why the library did not run, or ""
	outcomes []outcome
}

// A table has a column for each library. The hand-written vectors come first.
type table struct {
	vectors []vector
	columns []column
}

// generated is the section of generated vectors. All vectors with the same name form one row.
const generated = "Generated values"

// filterTime is how long one library may take for all vectors.
const filterTime = 10 * time.Minute

// runAll runs every library on the vectors, with two languages at a time.
func runAll(ctx context.Context, vectors []vector, install bool, log io.Writer) (table, error) {
	octet, err := octetColumn(vectors)
	if err != nil {
		return table{}, err
	}
	t := table{vectors: vectors, columns: []column{octet}}
	list := languages()
	columns, errs := make([][]column, len(list)), make([]error, len(list))
	slots := make(chan struct{}, 2)
	var wait sync.WaitGroup
	for i, l := range list {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			columns[i], errs[i] = l.columns(ctx, vectors, install, log)
		})
	}
	wait.Wait()
	for i, l := range list {
		if errs[i] != nil {
			return t, fmt.Errorf("%s: %w", l.name, errs[i])
		}
		t.columns = append(t.columns, columns[i]...)
	}
	return t, nil
}

func octetColumn(vectors []vector) (column, error) {
	codec, err := msgpack.New(msgpack.Options{SortKeys: true})
	c := column{library: library{name: "Octet", file: "go-octet"}, language: "Go"}
	for _, v := range vectors {
		c.outcomes = append(c.outcomes, compare(v, byOctet(codec, v.message)))
	}
	return c, err
}

func (l language) columns(ctx context.Context, vectors []vector, install bool, log io.Writer) ([]column, error) {
	dir, err := l.prepare(ctx, install, log)
	skipped := ""
	if isNotInstalled(err) {
		skipped = err.Error()
	} else if err != nil {
		return nil, err
	}
	messages := make([][]byte, len(vectors))
	for i, v := range vectors {
		messages[i] = v.message
	}
	var list []column
	for _, lib := range l.libraries {
		c := column{library: lib, language: l.name, version: l.versionOf(lib), skipped: skipped}
		if skipped == "" {
			limited, cancel := context.WithTimeout(ctx, filterTime)
			answers, err := ask(limited, append(l.filter(dir), lib.name), messages)
			cancel()
			if err != nil {
				return nil, fmt.Errorf("%s: %w", lib.name, err)
			}
			for i, a := range answers {
				c.outcomes = append(c.outcomes, compare(vectors[i], a))
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// empty returns the names of the libraries that did not run, with the reasons.
func (t table) empty() []string {
	var list []string
	for _, c := range t.columns {
		if c.skipped != "" {
			list = append(list, c.language+" "+c.name+": "+c.skipped)
		}
	}
	return list
}

// A row is a vector, or all generated vectors of one family.
type row struct {
	section, name string
	indexes       []int // of the vectors
}

func (t table) rows() []row {
	var rows []row
	for i, v := range t.vectors {
		if n := len(rows); v.section == generated && n > 0 && rows[n-1].name == v.name {
			rows[n-1].indexes = append(rows[n-1].indexes, i)
		} else {
			rows = append(rows, row{v.section, v.name, []int{i}})
		}
	}
	return rows
}

// outcome returns what the library did with the vectors of the row. Those of a family are counted by kind.
func (c column) outcome(r row) outcome {
	if r.section != generated {
		return c.outcomes[r.indexes[0]]
	}
	counts := map[string]int{}
	for _, i := range r.indexes {
		counts[c.outcomes[i].kind]++
	}
	var sum outcome
	var parts []string
	for _, k := range kinds {
		if n := counts[k]; n > 0 {
			if sum.kind == "" {
				sum.kind = k
			}
			parts = append(parts, fmt.Sprintf("%d %s", n, k))
		}
	}
	if sum.kind != "" {
		sum.text = fmt.Sprintf("of %d: %s", len(r.indexes), strings.Join(parts, ", "))
	}
	return sum
}
