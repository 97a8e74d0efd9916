package layout_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/reference/vectors"
	"github.com/octet-go/octet/layout"
)

// TestPlatforms compares results and errors with a file that is the same on every platform.
func TestPlatforms(t *testing.T) {
	c := codec(t)
	types := map[string]reflect.Type{}
	var inputs []vectors.Input
	for _, m := range messages {
		b, err := c.Marshal(m.value)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.ReplaceAll(m.name, " ", "-")
		types[name] = reflect.TypeOf(m.value).Elem()
		inputs = append(inputs, vectors.Input{Name: name, Bytes: b, Changes: 2 * len(b)})
	}
	result := func(v any, err error) string {
		var e *layout.Error
		if errors.As(err, &e) {
			return fmt.Sprintf("at %d: %v", e.Offset, err)
		} else if err != nil {
			return err.Error()
		}
		b, err := c.Marshal(v)
		return fmt.Sprintf("%x %v", b, err)
	}
	reader := limited(t, c, 1<<20)
	vectors.Check(t, "testdata/platforms.txt", inputs, func(name string, b []byte) string {
		v, read := reflect.New(types[name]).Interface(), reflect.New(types[name]).Interface()
		text := result(v, c.Unmarshal(b, v))
		err := reader.Read(bytes.NewReader(b), read)
		if streamed := result(read, err); streamed != text {
			text += "; read " + streamed
		}
		return text
	})
}
