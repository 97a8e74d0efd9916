package parquet

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/octet-go/octet/msgpack/schema"
)

// A Report says what [Export] has written.
type Report struct {
	Rows      int64          // one for each record
	RowGroups int            // of the file
	Columns   int            // of values; a group is not one
	Schema    *schema.Schema // from which the columns were made
	JSON      []string       // paths of the columns whose values are JSON, because they have no other type
	Lost      []Loss         // what fits no column, by path; empty if the columns have everything
	Torn      int64          // bytes at the end of a record file that are not a whole block
}

// A Loss is a place in the records where values do not fit the column, or have none.
type Loss struct {
	Path   string // such as user.tags[].name; empty for whole records
	Reason string // such as "str does not fit int of 32 bits"
	Count  int64  // number of values
	First  int64  // number of records before the first one
}

// String returns the loss on one line. An example is
//
//	user.age: str does not fit int of 32 bits: 3 values, first in record 17
//
// where 0 is the number of the first record.
func (l Loss) String() string {
	values := "values"
	if l.Count == 1 {
		values = "value"
	}
	return fmt.Sprintf("%s: %s: %d %s, first in record %d", cmp.Or(l.Path, "record"), l.Reason, l.Count, values, l.First)
}

// LostValues returns the number of values in Lost.
func (r *Report) LostValues() (n int64) {
	for _, l := range r.Lost {
		n += l.Count
	}
	return n
}

// maxLosses is the number of places that a Report names. What is lost at further ones is
// counted in one Loss.
const maxLosses = 1000

// losses counts what is lost.
type losses map[lossKey]*Loss

type lossKey struct{ path, reason string }

func (l losses) add(path, reason string, first, n int64) {
	key := lossKey{path, reason}
	if l[key] == nil && len(l) >= maxLosses {
		key = lossKey{"", "more places with values that fit no column"}
	}
	if e := l[key]; e == nil {
		l[key] = &Loss{key.path, key.reason, n, first}
	} else {
		e.Count += n
		e.First = min(e.First, first)
	}
}

// list returns the losses in the order of their paths.
func (l losses) list() (list []Loss) {
	for _, e := range l {
		list = append(list, *e)
	}
	slices.SortFunc(list, func(a, b Loss) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason))
	})
	return list
}
