package msgpack

import (
	"fmt"
	"testing"
)

// TestNameTable finds each of many names, more than 16 bits can count, and no
// others. Structs so large take the compiler too long to have one here.
func TestNameTable(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 100, 65534, 65535, 65536, 70000} {
		fields := make([]decodeField, n)
		for i := range fields {
			fields[i].name = fmt.Sprint("Field", i)
		}
		table := makeNameTable(fields)
		for i := range fields {
			if got := table.find(fields, []byte(fields[i].name)); got != i {
				t.Fatalf("%d names: %q is found at %d", n, fields[i].name, got)
			}
		}
		for _, name := range []string{"", "Field", "Field-1", "field0", fmt.Sprint("Field", n)} {
			if got := table.find(fields, []byte(name)); got != -1 {
				t.Errorf("%d names: %q is found at %d", n, name, got)
			}
		}
	}
}
