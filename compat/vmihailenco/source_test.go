package msgpack_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A source is Go source with types that reflection cannot create: structs that embed others, by
// value and by pointer, exported or not, and embedded types of other kinds. Names of fields
// occur twice.
type source struct {
	*rand.Rand
	text  strings.Builder
	names []string
}

// declare returns source with n types, which the program of TestCompare adds to its own.
func declare(r *rand.Rand, n int) string {
	s := source{Rand: r}
	for i := range n {
		name := fmt.Sprint("T", i)
		if s.IntN(5) == 0 {
			name = fmt.Sprint("t", i)
		}
		if s.IntN(6) == 0 {
			fmt.Fprintf(&s.text, "type %s %s\n\n", name, s.one("int8", "uint64", "string", "bool", "[2]int", "[3]byte"))
		} else {
			s.declareStruct(name)
		}
		s.names = append(s.names, name)
	}
	fmt.Fprint(&s.text, "func init() {\n\tleaves = append(leaves,\n")
	for _, name := range s.names {
		fmt.Fprintf(&s.text, "\t\treflect.TypeFor[%s](),\n", name)
	}
	fmt.Fprint(&s.text, "\t)\n}\n")
	return "package main\n\nimport (\n\t\"reflect\"\n\t\"time\"\n)\n\n" + s.text.String()
}

func (s *source) one(list ...string) string { return list[s.IntN(len(list))] }

func (s *source) declareStruct(name string) {
	fmt.Fprintf(&s.text, "type %s struct {\n", name)
	if s.IntN(10) == 0 {
		fmt.Fprintf(&s.text, "\t_msgpack struct{} `msgpack:\"%s\"`\n", s.one(",as_array", ",omitempty"))
	}
	embedded := map[string]bool{}
	for i := range s.IntN(6) {
		option := s.one("", "", "", ",omitempty", ",inline", ",noinline", ",as_array", fmt.Sprint(",alias:old", i), ",alias:A")
		tag := s.one("", "", "", "A", "B", "x", "-") + option
		if tag != "" {
			tag = " `msgpack:\"" + tag + "\"`"
		}
		if len(s.names) > 0 && s.IntN(3) == 0 {
			e := s.names[s.IntN(len(s.names))]
			if star := s.one("", "", "*"); !embedded[e] && !(star == "*" && option == ",inline") { // the library panics
				embedded[e] = true
				fmt.Fprintf(&s.text, "\t%s%s%s\n", star, e, tag)
			}
			continue
		}
		field := string(rune('A' + i))
		if s.IntN(12) == 0 {
			field = strings.ToLower(field)
		}
		fmt.Fprintf(&s.text, "\t%s %s%s\n", field, s.fieldType(name), tag)
	}
	fmt.Fprint(&s.text, "}\n\n")
}

func (s *source) fieldType(around string) string {
	t := s.one("int", "int16", "uint8", "float64", "string", "bool", "[]byte", "any", "map[string]string", "time.Time", "*"+around, "[]"+around)
	if len(s.names) > 0 && s.IntN(3) == 0 {
		t = s.names[s.IntN(len(s.names))]
	}
	return s.one("", "", "", "*", "[]", "map[string]") + t
}
