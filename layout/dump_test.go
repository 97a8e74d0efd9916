package layout_test

import (
	"fmt"
	"reflect"
	"strings"
)

// dump returns the contents of a value, with pointers followed.
func dump(v reflect.Value) string {
	var b strings.Builder
	write(&b, v)
	return b.String()
}

func write(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		fmt.Fprintf(b, "%v:", v.Elem().Type())
		write(b, v.Elem())
	case reflect.Struct:
		b.WriteString("{")
		for i := range v.NumField() {
			if v.Type().Field(i).Name != "_" {
				write(b, v.Field(i))
				b.WriteString(" ")
			}
		}
		b.WriteString("}")
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			b.WriteString("nil")
		}
		b.WriteString("[")
		for i := range v.Len() {
			write(b, v.Index(i))
			b.WriteString(" ")
		}
		b.WriteString("]")
	case reflect.Float32, reflect.Float64:
		fmt.Fprintf(b, "%v", v.Float())
	default:
		fmt.Fprintf(b, "%#v", v.Interface())
	}
}
