package binary

import (
	"fmt"
	"reflect"
	"sync"
	"testing"
)

// TestConcurrentTypes uses the same new types in many goroutines at the same
// time.
func TestConcurrentTypes(t *testing.T) {
	var types []reflect.Type
	for i := range 300 {
		types = append(types, reflect.StructOf([]reflect.StructField{
			{Name: fmt.Sprint("X", i), Type: reflect.TypeFor[uint32]()},
			{Name: "Y", Type: reflect.ArrayOf(i, reflect.TypeFor[uint16]())},
		}))
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i, typ := range types {
				v := reflect.New(typ).Interface()
				if n := Size(v); n != 4+2*i {
					t.Errorf("Size(%v) = %d, want %d", typ, n, 4+2*i)
				}
				if b, err := Append(nil, BigEndian, v); len(b) != 4+2*i || err != nil {
					t.Errorf("Append(%v): %d bytes, %v", typ, len(b), err)
				}
			}
		})
	}
	group.Wait()
}
