package rewrite_test

import (
	"fmt"
	"go/format"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// An example is a program that uses the name of a row.
type example struct {
	lib      *table.Library
	row      string
	name     string // what it uses
	finding  string // the name of the finding that it must have; "" if its text must change
	silent   bool   // the row has no text for the user
	shortest bool
	dir      string
	text     string
	more     string // another file
}

// file returns the path of an example. Package packages compares all files of an overlay that have the same name, with system
// calls, so the names differ.
func (e example) file() string {
	return filepath.Join(module, "rows", e.dir, strings.ReplaceAll(e.dir, "/", "_")+".go")
}

// examplesOf returns the examples of all rows of a library.
func examplesOf(lib *table.Library, objects map[string]types.Object) (list []example) {
	for _, row := range lib.Rows {
		list = append(list, rowExamples(row, objects, lib)...)
	}
	for _, row := range lib.Tags {
		list = append(list, tagExample(row, lib))
	}
	for _, row := range lib.Comments {
		e := example{name: "directive " + row.Name, row: row.Name, finding: row.Name}
		e.text = use(lib, row.Name+" T\n\ntype T struct {\n\tF int\n}\n")
		list = append(list, e)
	}
	for _, row := range lib.Hooks {
		e := example{name: "method " + row.Name, row: row.Name, finding: row.Name, text: row.Example}
		if e.text != "" {
			list = append(list, e)
			continue
		}
		parameter, result := "Encoder", " error"
		if strings.HasPrefix(row.Name, "Decode") || strings.Contains(row.Name, "DecodeSelf") {
			parameter = "Decoder"
		}
		if lib.Generator != nil {
			parameter = map[string]string{"Encoder": "Writer", "Decoder": "Reader"}[parameter]
		}
		body := "{ return nil }"
		if strings.HasSuffix(row.Name, "Self") {
			result, body = "", "{}"
		}
		e.text = "import \"" + lib.Path + "\"\n\ntype T struct{}\n\nfunc (*T) " + row.Name + "(x *" + packageName(lib) + "." + parameter + ")" + result + " " + body + "\n"
		list = append(list, e)
	}
	for i := range list {
		text, err := format.Source([]byte("package row\n\n" + list[i].text))
		if err != nil {
			panic(err)
		}
		list[i].lib, list[i].text = lib, string(text)
	}
	return list
}

// rowExamples returns the examples of a row: its own, or one for each name that it
// matches.
func rowExamples(row table.Row, objects map[string]types.Object, lib *table.Library) (list []example) {
	member, value, isOption := strings.Cut(row.Name, " = ")
	switch {
	case row.Example != "":
		return []example{{name: row.Name, row: row.Name, finding: row.Name, text: "import \"" + lib.Path + "\"\n\n" + row.Example}}
	case isOption:
		if objects[member] == nil { // of another library with the same rows
			return nil
		}
		_, option, _ := strings.Cut(member, ".")
		imports := "\t\"io\"\n"
		if strings.Contains(value, "reflect.") {
			imports += "\t\"reflect\"\n"
		}
		text := "import (\n" + imports + "\n\t\"" + lib.Path + "\"\n)\n\nfunc f(w io.Writer, v any) error {\n\tvar h codec.MsgpackHandle\n\th." + option + " = " + value +
			"\n\treturn codec.NewEncoder(w, &h).Encode(v)\n}\n"
		return []example{{name: row.Name, row: row.Name, text: text}}
	case strings.HasPrefix(row.Name, "."):
		name := strings.TrimPrefix(strings.TrimSuffix(row.Name, "(nil)"), ".")
		return []example{{name: row.Name, row: row.Name, finding: name, text: generatedCalls[row.Name], more: generatedFile}}
	case strings.Contains(row.Name, "()."):
		text := chains[packageName(lib)+"."+row.Name]
		_, method, _ := strings.Cut(row.Name, "().")
		coder := "Encoder."
		if strings.Contains(row.Name, "Decoder") {
			coder = "Decoder."
		}
		return []example{{name: row.Name, row: row.Name, finding: coder + method, text: "import (\n\t\"io\"\n\n\t\"" + lib.Path + "\"\n)\n\nvar _ io.Writer\n\n" + text}}
	}
	for _, n := range slices.Sorted(maps.Keys(objects)) {
		if r, _ := lib.Row(n); r.Name == row.Name {
			text := program(objects[n], n, row.Flags&table.Pointer != 0)
			if len(lib.OnlyWith) > 0 {
				text += "\nvar _ = " + objects[n].Pkg().Name() + "." + lib.OnlyWith[0] + "\n"
			}
			e := example{name: n, row: row.Name, finding: n, text: text}
			if row.Flags&table.Handle != 0 {
				e.finding = "" // it is removed
			}
			list = append(list, e)
		}
	}
	return list
}

// tagExample returns the example of a tag option.
func tagExample(row table.Row, lib *table.Library) example {
	e := example{name: "tag " + row.Name, row: row.Name, finding: "tag option " + row.Name, silent: row.Value == row.Name}
	tag := func(text string) string { return "`" + lib.TagKey + `:"` + text + "\"`" }
	field, isField := strings.CutPrefix(row.Name, "field ")
	switch {
	case row.Flags&table.Unexported != 0:
		e.finding = row.Name
		e.text = "type T struct {\n\tf int " + tag("f,omitempty") + "\n\tF int\n}\n"
	case isField:
		e.finding = row.Name
		name, option, _ := strings.Cut(field, " ")
		if option == "" {
			option = "omitempty"
		}
		e.text = "type T struct {\n\t" + name + " bool " + tag(","+option) + "\n\tF int\n}\n"
	case row.Name == "omitempty":
		e.shortest = true
		e.text = "type T struct {\n\tF interface{ IsZero() bool } " + tag("f,omitempty") + "\n\tG G " + tag("g,omitempty") + "\n}\n\ntype G struct{ N int }\n\nfunc (G) IsZero() bool { return true }\n"
	case slices.Contains([]string{"inline", "noinline", "flatten"}, row.Name):
		e.text = "type T struct {\n\tInner " + tag(","+row.Name) + "\n}\n\ntype Inner struct{ N int }\n"
	default:
		option := map[string]string{"alias": "alias:g", "limit": "limit=5"}[row.Name]
		if option == "" {
			option = row.Name
		}
		e.text = "type T struct {\n\tF []string " + tag("f,"+option) + "\n}\n"
	}
	e.text = use(lib, e.text)
	return e
}

func packageName(lib *table.Library) string {
	name := path.Base(lib.Path)
	if name[0] == 'v' && len(name) == 2 {
		name = path.Base(path.Dir(lib.Path))
	}
	return name
}

// use returns a program with declarations that encodes a value with a library.
func use(lib *table.Library, declarations string) string {
	call := map[string]string{
		"msgpack": "func f(v any) ([]byte, error) { return msgpack.Marshal(v) }\n",
		"codec":   "func f(b *[]byte, v any) error { return codec.NewEncoderBytes(b, &codec.MsgpackHandle{}).Encode(v) }\n",
		"msgp":    "func f(b []byte, n uint32) []byte { return msgp.AppendArrayHeader(b, n) }\n",
	}[packageName(lib)]
	return fmt.Sprintf("import %q\n\n%s\n%s", lib.Path, declarations, call)
}

// chains are calls of a method on the result of a function.
var chains = map[string]string{
	"msgpack.NewEncoder().Encode":     "func f(w io.Writer, v any) error { return msgpack.NewEncoder(w).Encode(v) }\n",
	"codec.NewEncoder().Encode":       "func f(w io.Writer, v any) error { return codec.NewEncoder(w, &codec.MsgpackHandle{}).Encode(v) }\n",
	"codec.NewEncoderBytes().Encode":  "func f(b *[]byte, v any) error { return codec.NewEncoderBytes(b, &codec.MsgpackHandle{}).Encode(v) }\n",
	"codec.NewDecoderBytes().Decode":  "func f(b []byte, v any) error { return codec.NewDecoderBytes(b, &codec.MsgpackHandle{}).Decode(v) }\n",
	"codec.NewDecoderString().Decode": "func f(s string, v any) error { return codec.NewDecoderString(s, &codec.MsgpackHandle{}).Decode(v) }\n",
}

// generatedCalls call the methods of generatedFile.
var generatedCalls = map[string]string{
	".MarshalMsg(nil)": "func f(v T) ([]byte, error) { return v.MarshalMsg(nil) }\n\ntype T struct{ N int }\n",
	".MarshalMsg":      "func f(b []byte, v *T) ([]byte, error) { return v.MarshalMsg(b) }\n\ntype T struct{ N int }\n",
	".UnmarshalMsg":    "func f(b []byte) (v T, err error) {\n\t_, err = v.UnmarshalMsg(b)\n\treturn v, err\n}\n\ntype T struct{ N int }\n",
	".EncodeMsg":       "import \"github.com/tinylib/msgp/msgp\"\n\nfunc f(w *msgp.Writer, v *T) error { return v.EncodeMsg(w) }\n\ntype T struct{ N int }\n",
	".DecodeMsg":       "import \"github.com/tinylib/msgp/msgp\"\n\nfunc f(r *msgp.Reader, v *T) error { return v.DecodeMsg(r) }\n\ntype T struct{ N int }\n",
	".Msgsize":         "func f(v *T) int { return v.Msgsize() }\n\ntype T struct{ N int }\n",
}

// generatedFile is divided so that the line about generated code does not begin a line of this file, which is not generated.
const generatedFile = `package row

` + `// Code generated by github.com/tinylib/msgp DO NOT EDIT.

import "github.com/tinylib/msgp/msgp"

func (z *T) MarshalMsg(b []byte) ([]byte, error) { return msgp.AppendNil(b), nil }

func (z *T) UnmarshalMsg(b []byte) ([]byte, error) { return msgp.ReadNilBytes(b) }

func (z *T) EncodeMsg(en *msgp.Writer) error { return en.WriteNil() }

func (z *T) DecodeMsg(dc *msgp.Reader) error { return dc.ReadNil() }

func (z *T) Msgsize() int { return 1 }
`

// program returns a file that uses an object.
func program(o types.Object, name string, pointer bool) string {
	imports := map[string]string{o.Pkg().Path(): o.Pkg().Name()}
	local := func(p *types.Package) string {
		imports[p.Path()] = p.Name()
		return p.Name()
	}
	text := func(t types.Type) string { return types.TypeString(t, local) }
	receiver, member, isMember := strings.Cut(name, ".")
	var body string
	switch o := o.(type) {
	case *types.Func:
		s := o.Signature()
		var params, args, results []string
		function := local(o.Pkg()) + "." + o.Name()
		if isMember {
			star := "*"
			if types.IsInterface(o.Pkg().Scope().Lookup(receiver).Type()) {
				star = ""
			}
			params = append(params, "x "+star+local(o.Pkg())+"."+receiver)
			function = "x." + member
		}
		for i := range s.Params().Len() {
			t := text(s.Params().At(i).Type())
			arg := fmt.Sprintf("p%d", i+1)
			if s.Variadic() && i == s.Params().Len()-1 {
				t = "..." + strings.TrimPrefix(t, "[]")
				arg += "..."
			}
			params = append(params, fmt.Sprintf("p%d %s", i+1, t))
			args = append(args, arg)
		}
		for v := range s.Results().Variables() {
			results = append(results, text(v.Type()))
		}
		constraints := ""
		if s.TypeParams().Len() > 0 {
			var list []string
			for p := range s.TypeParams().TypeParams() {
				list = append(list, p.Obj().Name()+" "+text(p.Constraint()))
			}
			constraints = "[" + strings.Join(list, ", ") + "]"
		}
		call := fmt.Sprintf("%s(%s)", function, strings.Join(args, ", "))
		if len(results) > 0 {
			call = "return " + call
		}
		body = fmt.Sprintf("func f%s(%s) (%s) {\n\t%s\n}\n", constraints, strings.Join(params, ", "), strings.Join(results, ", "), call)
	case *types.TypeName:
		if named, ok := o.Type().(*types.Named); ok && named.TypeParams().Len() > 0 {
			return fmt.Sprintf("import %q\n\nfunc f[T any, P %s.%s[T]]() {}\n", o.Pkg().Path(), o.Pkg().Name(), o.Name())
		}
		star := ""
		if pointer {
			star = "*"
		}
		body = fmt.Sprintf("func f() {\n\tvar v %s%s.%s\n\t_ = v\n}\n", star, local(o.Pkg()), o.Name())
	case *types.Var:
		if isMember {
			body = fmt.Sprintf("func f(x *%s.%s, v %s) {\n\tx.%s = v\n}\n", local(o.Pkg()), receiver, text(o.Type()), member)
		} else {
			body = fmt.Sprintf("func f() any {\n\treturn %s.%s\n}\n", local(o.Pkg()), o.Name())
		}
	case *types.Const:
		body = fmt.Sprintf("func f() any {\n\treturn %s.%s\n}\n", local(o.Pkg()), o.Name())
	}
	var specs []string
	for path, n := range imports {
		if strings.Contains(body, n+".") {
			specs = append(specs, fmt.Sprintf("import %s %q\n", n, path))
		}
	}
	slices.Sort(specs)
	return strings.Join(specs, "") + "\n" + body
}
