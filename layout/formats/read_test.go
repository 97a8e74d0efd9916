package formats

import (
	"bytes"
	"reflect"
	"testing"
	"testing/iotest"
)

// TestRead reads each message of the seeds from a reader of single bytes, which is how messages
// of a stream arrive.
func TestRead(t *testing.T) {
	for _, s := range seeds(t) {
		f, _ := Lookup(s.format)
		list, _ := messages(f, s.data)
		for _, m := range list {
			v := reflect.New(reflect.TypeOf(m.Value).Elem()).Interface()
			if err := m.Codec().Read(iotest.OneByteReader(bytes.NewReader(m.Data)), v); err != nil || !reflect.DeepEqual(v, m.Value) {
				t.Errorf("%s: %s: %v, %+v, want %+v", s.format, m.Name, err, v, m.Value)
			}
		}
	}
}
