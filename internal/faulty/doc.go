// Package faulty tests functions that read or write with readers and writers that fail at every position.
//
// A test has a table of functions. Each entry names a function and calls it:
//
//	faulty.TestSources(t, []faulty.Source{
//		{Name: "ReadSlice", Input: input, Read: func(r io.Reader) (any, error) {
//			s := make([]uint64, 3)
//			return s, binary.ReadSlice(r, binary.BigEndian, s)
//		}},
//	})
//
// A test in the root of the repository requires an entry for every exported function that takes a reader or writer.
// Only tests import this package.
package faulty

import (
	"errors"
	"reflect"
	"slices"
	"strings"
)

// Err is the error that the readers and writers return.
var Err = errors.New("faulty: intended error")

// TB has the methods of testing.TB that this package needs. Its own tests implement it.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// maxCalls is the number of calls after the fault that a function may make. A function may call a reader that returns
// nothing a hundred times in a row before it gives up, and it may do so in a few places.
const maxCalls = 1000

// Positions returns about most positions from 0 to n in ascending order: all of them if they are that few, otherwise
// the first and last ones, those around powers of two, and others at even distances.
func Positions(n, most int) []int {
	var list []int
	step := max(1, n/max(1, most/2))
	for p := 0; p <= n; p++ {
		power := p&(p-1) == 0 || (p-1)&(p-2) == 0 || (p+1)&p == 0
		if n <= most || p < most/8 || n-p < most/8 || power || p%step == 0 {
			list = append(list, p)
		}
	}
	return list
}

// few is how many positions a test tries, and many with OCTET_LONG=1.
const (
	few  = 60
	many = 300
)

// Complete reports every exported method of typ that has no entry in a table: entries are named Type.Method, perhaps
// with a space and the case. The exceptions are methods that neither read nor write.
func Complete(t TB, typ reflect.Type, entries []string, exceptions ...string) {
	t.Helper()
	base := typ
	if base.Kind() == reflect.Pointer {
		base = base.Elem()
	}
	name, _, _ := strings.Cut(base.Name(), "[")
	for i := range typ.NumMethod() {
		method := typ.Method(i).Name
		has := slices.ContainsFunc(entries, func(entry string) bool {
			entry, _, _ = strings.Cut(entry, " ")
			return entry == name+"."+method
		})
		if has == slices.Contains(exceptions, method) {
			t.Errorf("%s.%s: in the table: %t, in the list of exceptions: %t", name, method, has, has)
		}
	}
	for _, e := range exceptions {
		if _, ok := typ.MethodByName(e); !ok {
			t.Errorf("%s has no method %s", name, e)
		}
	}
}

// Names returns the names of the entries of a table.
func Names[E Source | FileSource | Sink](table []E) []string {
	var names []string
	for _, e := range table {
		switch e := any(e).(type) {
		case Source:
			names = append(names, e.Name)
		case FileSource:
			names = append(names, e.Name)
		case Sink:
			names = append(names, e.Name)
		}
	}
	return names
}
