package rewrite

import (
	"fmt"
	"go/format"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

const profilePackage = table.Octet + "/profile"

// A codec is a Codec that rewritten code of one package uses, with the functions
// around it.
type codec struct {
	lib      *table.Library
	settings []string // statements that change the profile's Options
	name     string   // of the variable; the functions have names made from it
	used     map[string]bool
	declared bool // the package has it from an earlier run
}

func (c *codec) uses(what string) { c.used[what] = true }

func (c *codec) nameOf(what string) string {
	suffix := strings.TrimPrefix(c.name, "octetCodec")
	switch what {
	case "encoder":
		return "newOctetEncoder" + suffix
	case "into":
		return "octetMarshalInto" + suffix
	case "decode", "decodeValue", "arrayLen", "mapLen", "arrayHeader", "mapHeader", "encodeAll", "decodeAll":
		return "octet" + strings.ToUpper(what[:1]) + what[1:] + suffix
	}
	return c.name
}

// codecFor returns the codec of a site, which handles may have given settings.
func (p *program) codecFor(s *site) *codec {
	if s.lib.Profile == "" {
		return nil
	}
	settings := slices.Concat(s.lib.Settings, p.settingsOf(s))
	if p.Shortest {
		settings = shortestSettings(s.lib, p.settingsOf(s))
	}
	for _, c := range p.codecs[s.pkg] {
		if c.lib.Profile == s.lib.Profile && slices.Equal(c.settings, settings) {
			return c
		}
	}
	c := &codec{lib: s.lib, settings: settings, used: map[string]bool{}}
	p.codecs[s.pkg] = append(p.codecs[s.pkg], c)
	if s.lib.Note != "" && !p.Shortest {
		p.find(Beside, s.at(), s.lib, s.name, s.lib.Note)
	}
	if fork := p.Forks[s.lib.Path]; fork != "" {
		p.find(Beside, s.at(), s.lib, s.name, "a replace directive puts "+fork+" in the place of the library, and the profile writes the bytes of the library: run the tests without the directive first, and check what is stored")
	} else if v := p.Versions[s.lib.Path]; !p.Shortest && older(v, s.lib.Version) {
		p.find(Beside, s.at(), s.lib, s.name, "the profile writes the bytes of version "+s.lib.Version+" of the library, and the program has used "+v+
			", which can write others, for example because it does not know a tag option: run the tests with "+s.lib.Version+" first, and check what is stored")
	}
	return c
}

// shortestSettings returns the statements that change the default Options so that they
// read the tags of a library, decode text into the same types, and keep the options of the
// program.
func shortestSettings(lib *table.Library, options []string) (settings []string) {
	if len(lib.TagKeys) > 0 {
		settings = append(settings, fmt.Sprintf("options.TagKeys = %#v", lib.TagKeys))
	}
	if has := func(o string) bool { return strings.Contains(o, "UgorjiExt") || strings.Contains(o, "AnyText") }; lib.RawText && !slices.ContainsFunc(options, has) {
		settings = append(settings, "options.Compat.AnyText = msgpack.AnyTextBytes")
	}
	for _, option := range options {
		if !strings.HasPrefix(option, "options = ") { // another profile
			settings = append(settings, option)
		}
	}
	return settings
}

// bare reports whether the functions of package msgpack do what a codec would.
func (p *program) bare(c *codec) bool { return p.Shortest && len(c.settings) == 0 }

// declare names the codecs of a package and declares them. It returns the files that are edited then.
func (p *program) declare(pkg *Package, edited []*fileEdits) []*fileEdits {
	codecs := p.codecs[pkg]
	var needed []*codec
	var users []*fileEdits
	for _, e := range edited {
		if len(e.needs) > 0 {
			users = append(users, e)
		}
		for _, c := range e.needs {
			if !slices.Contains(needed, c) {
				needed = append(needed, c)
			}
		}
	}
	if len(needed) == 0 {
		return edited
	}
	used := localNames(pkg) // a variable of a function must not hide it
	for _, c := range codecs {
		c.name = "octetCodec"
		for i := 2; !p.canName(pkg, c, users, used); i++ {
			c.name = fmt.Sprint("octetCodec", i)
		}
		used[c.name] = true
	}
	home := users[0]
	tests := func(e *fileEdits) bool { return strings.HasSuffix(p.filename(e.file), "_test.go") }
	for _, e := range users {
		if !tests(e) && (tests(home) || p.filename(e.file) < p.filename(home.file)) {
			home = e
		}
	}
	text, imports := p.declarations(pkg, needed)
	if text == "" {
		return edited
	}
	if p.Inline {
		if home = p.builtWith(pkg, home, users); !slices.Contains(edited, home) {
			edited = append(edited, home)
		}
		for _, i := range imports {
			if _, ok := home.names[i]; !ok {
				home.names[i] = ""
			}
		}
		// The names of the packages are chosen later.
		home.replace(home.file.FileEnd, home.file.FileEnd, p.qualified(text)...)
		return edited
	}
	name := "octet_codec"
	if tests(home) {
		name += "_test"
		if strings.HasSuffix(home.file.Name.Name, "_test") {
			name = "octet_codec_external_test"
		}
	}
	var b strings.Builder
	if c := sharedConstraint(users); c != "" {
		b.WriteString("//go:build " + c + "\n\n")
	}
	fmt.Fprintf(&b, "package %s\n\nimport (\n", home.file.Name.Name)
	for i, path := range imports {
		if i > 0 && strings.Contains(path, ".") && !strings.Contains(imports[i-1], ".") {
			b.WriteString("\n")
		}
		if name := p.importName(pkg, path); name != filepath.Base(path) {
			b.WriteString(name + " ")
		}
		fmt.Fprintf(&b, "%q\n", path)
	}
	b.WriteString(")\n")
	for _, pc := range p.qualified(text) {
		if pc.name != "" {
			b.WriteString(p.importName(pkg, pc.name))
		} else {
			b.WriteString(pc.text)
		}
	}
	source, err := format.Source([]byte(b.String()))
	if err != nil {
		panic(err) // the text above is not Go
	}
	path := filepath.Join(filepath.Dir(p.filename(home.file)), name+".go")
	for i := 2; p.inside[path]; i++ { // from an earlier run, for another codec
		path = filepath.Join(filepath.Dir(p.filename(home.file)), strings.Replace(name, "octet_codec", fmt.Sprintf("octet_codec%d", i), 1)+".go")
	}
	home.newFiles[path] = string(source)
	return edited
}

// importName returns the name of an import in a new file of a package. A declaration of the
// package must not have the same name.
func (p *program) importName(pkg *Package, path string) string {
	name := filepath.Base(path)
	for p.declares(pkg, name) {
		name = "octet" + name
	}
	return name
}

// declares reports whether a package declares a name, perhaps in a file that build constraints exclude.
func (p *program) declares(pkg *Package, name string) bool {
	return pkg.Types.Scope().Lookup(name) != nil || p.excluded[filepath.Dir(p.filename(pkg.Files[0]))][name]
}

// localNames returns the names that something inside the functions of a package has.
func localNames(pkg *Package) map[string]bool {
	names := map[string]bool{}
	for id, o := range pkg.Info.Defs {
		if v, ok := o.(*types.Var); o != nil && o.Parent() != pkg.Types.Scope() && !(ok && v.IsField()) {
			names[id.Name] = true
		}
	}
	return names
}

// canName reports whether c and its functions can have the names that follow from c.name: nothing else has them, also
// in files that build constraints exclude, and what an earlier run declared is there for all files that use c.
func (p *program) canName(pkg *Package, c *codec, users []*fileEdits, used map[string]bool) bool {
	o := pkg.Types.Scope().Lookup(c.name)
	if c.declared = o != nil && p.declaredAs(pkg, o, c); o != nil && !c.declared {
		return false
	}
	names := []string{c.name, c.nameOf("encoder"), c.nameOf("into")}
	for _, f := range functions {
		if c.used[f.name] {
			names = append(names, c.nameOf(f.name))
		}
	}
	for i, name := range names {
		o := pkg.Types.Scope().Lookup(name)
		if used[name] || o == nil && p.declares(pkg, name) || o != nil && !p.serves(pkg, o, c, users) {
			return false
		}
		if o != nil && i < 3 && !c.declared && !p.bare(c) {
			return false // an earlier run declared it for the functions of package msgpack
		}
	}
	return true
}

// declaredAs reports whether a variable of the package is the codec: an earlier
// run declared it.
func (p *program) declaredAs(pkg *Package, o types.Object, c *codec) bool {
	for _, f := range pkg.Files {
		for _, d := range f.Decls {
			if o.Pos() < d.Pos() || o.Pos() >= d.End() {
				continue
			}
			text := string(p.sources[p.filename(f)][d.Pos()-f.FileStart : d.End()-f.FileStart])
			var want strings.Builder
			for _, pc := range p.qualified(p.variable(&codec{lib: c.lib, settings: c.settings, name: o.Name()}, func(path string) string { return "«" + path + "»" })) {
				if want.WriteString(pc.text); pc.name != "" {
					want.WriteString(p.importName(pkg, pc.name))
				}
			}
			return squeeze(text) == squeeze(want.String())
		}
	}
	return false
}

// squeeze removes spaces and comments.
func squeeze(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		b.WriteString(strings.Join(strings.Fields(line), ""))
	}
	return b.String()
}

// variable returns the declaration of a codec.
func (p *program) variable(c *codec, need func(path string) string) string {
	var b strings.Builder
	if p.Shortest {
		fmt.Fprintf(&b, "\n// %s reads the struct tags for %s, and has the options that the program set for it.\n", c.name, c.lib.Name)
	} else {
		fmt.Fprintf(&b, "\n// %s writes the same bytes as %s. See package profile.\n", c.name, c.lib.Name)
	}
	fmt.Fprintf(&b, "var %s = func() *%s.Codec {\n", c.name, need(table.Octet))
	profile, rest := c.lib.Profile, ""
	for _, setting := range c.settings {
		if other, ok := strings.CutPrefix(setting, "options = profile."); ok {
			profile = strings.TrimSuffix(other, "()")
		} else {
			rest += strings.ReplaceAll(setting, "msgpack.", need(table.Octet)+".") + "\n"
		}
	}
	switch {
	case p.Shortest:
		fmt.Fprintf(&b, "var options %s.Options\n%scodec, err := %[1]s.New(options)\n", need(table.Octet), rest)
	case len(c.settings) == 0:
		fmt.Fprintf(&b, "codec, err := %s.New(%s.%s())\n", need(table.Octet), need(profilePackage), profile)
	default:
		fmt.Fprintf(&b, "options := %s.%s()\n%scodec, err := %s.New(options)\n", need(profilePackage), profile, rest, need(table.Octet))
	}
	b.WriteString("if err != nil {\npanic(err)\n}\nreturn codec\n}()\n")
	return b.String()
}

// functions are the functions for which Octet has no method, in the order in which
// they are declared.
var functions = []struct{ name, text string }{
	{"decode", `
// NAME returns the next value as a T. A nil is the zero value.
func NAME[T any](d *msgpack.Decoder) (v T, err error) {
	err = d.Decode(&v)
	return v, err
}
`},
	{"decodeValue", `
// NAME decodes the next value into the variable that v is, or into what v points to.
func NAME(d *msgpack.Decoder, v reflect.Value) error {
	if v.CanAddr() {
		return d.Decode(v.Addr().Interface())
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return d.Decode(p.Interface())
}
`},
	{"arrayLen", `
// NAME returns the number of elements of the next array, or -1 for a nil.
func NAME(d *msgpack.Decoder) (int, error) {
	if kind, err := d.PeekKind(); err == nil && kind == wire.KindNil {
		return -1, d.ReadNil()
	}
	n, err := d.ReadArrayHeader()
	return int(n), err
}
`},
	{"mapLen", `
// NAME returns the number of pairs of the next map, or -1 for a nil.
func NAME(d *msgpack.Decoder) (int, error) {
	if kind, err := d.PeekKind(); err == nil && kind == wire.KindNil {
		return -1, d.ReadNil()
	}
	n, err := d.ReadMapHeader()
	return int(n), err
}
`},
	{"mapHeader", `
// NAME writes the header of a map at once. A negative length is a nil.
func NAME(e *msgpack.Encoder, n int) error {
	if n < 0 {
		return e.WriteNil()
	}
	if err := e.WriteMapHeader(uint32(n)); err != nil {
		return err
	}
	if err := e.Flush(); !errors.Is(err, msgpack.ErrIncomplete) {
		return err
	}
	return nil
}
`},
	{"arrayHeader", `
// NAME writes the header of an array at once. A negative length is a nil.
func NAME(e *msgpack.Encoder, n int) error {
	if n < 0 {
		return e.WriteNil()
	}
	if err := e.WriteArrayHeader(uint32(n)); err != nil {
		return err
	}
	if err := e.Flush(); !errors.Is(err, msgpack.ErrIncomplete) {
		return err
	}
	return nil
}
`},
	{"encodeAll", `
// NAME writes one value after the other.
func NAME(e *msgpack.Encoder, values ...any) error {
	for _, v := range values {
		if err := e.Encode(v); err != nil {
			return err
		}
	}
	return nil
}
`},
	{"decodeAll", `
// NAME reads one value after the other into the variables that the pointers point to.
func NAME(d *msgpack.Decoder, pointers ...any) error {
	for _, p := range pointers {
		if err := d.Decode(p); err != nil {
			return err
		}
	}
	return nil
}
`},
}

// declarations returns the declarations of codecs, with the paths of packages in
// «», and the packages that they import.
func (p *program) declarations(pkg *Package, codecs []*codec) (text string, imports []string) {
	var b strings.Builder
	need := func(path string) string {
		if !slices.Contains(imports, path) {
			imports = append(imports, path)
		}
		return "«" + path + "»"
	}
	missing := func(name string) bool { return pkg.Types.Scope().Lookup(name) == nil }
	for _, c := range codecs {
		marshal := c.name
		if p.bare(c) {
			marshal = need(table.Octet)
		} else if !c.declared {
			b.WriteString(p.variable(c, need))
		}
		if name := c.nameOf("encoder"); c.used["encoder"] && missing(name) {
			fmt.Fprintf(&b, "\n// %s returns an Encoder that writes each value at once.\nfunc %s(w %s.Writer) *%s.Encoder {\ne := %s.NewEncoder(w)\ne.AutoFlush(true)\nreturn e\n}\n",
				name, name, need("io"), need(table.Octet), marshal)
		}
		if name := c.nameOf("into"); c.used["into"] && missing(name) {
			fmt.Fprintf(&b, "\n// %s encodes v into *b, whose memory it reuses.\nfunc %s(b *[]byte, v any) error {\nresult, err := %s.MarshalAppend((*b)[:0], v)\nif err == nil {\n*b = result\n}\nreturn err\n}\n", name, name, marshal)
		}
		for _, f := range functions {
			if name := c.nameOf(f.name); c.used[f.name] && missing(name) {
				text := strings.NewReplacer("NAME", name, "msgpack.", need(table.Octet)+".").Replace(f.text)
				if strings.Contains(text, "errors.") {
					text = strings.ReplaceAll(text, "errors.", need("errors")+".")
				}
				if strings.Contains(text, "reflect.") {
					text = strings.ReplaceAll(text, "reflect.", need("reflect")+".")
				}
				if strings.Contains(text, "wire.") {
					text = strings.ReplaceAll(text, "wire.", need(table.Octet+"/wire")+".")
				}
				b.WriteString(text)
			}
		}
	}
	slices.SortFunc(imports, func(a, b string) int {
		// The standard library first, then the rest.
		if x, y := strings.Contains(a, "."), strings.Contains(b, "."); x != y {
			if x {
				return 1
			}
			return -1
		}
		return strings.Compare(a, b)
	})
	return b.String(), imports
}

// qualified divides text at the paths of packages in «».
func (p *program) qualified(text string) (pieces []piece) {
	for {
		before, rest, ok := strings.Cut(text, "«")
		pieces = append(pieces, piece{text: before})
		if !ok {
			return pieces
		}
		path, after, _ := strings.Cut(rest, "»")
		pieces = append(pieces, piece{name: path})
		text = after
	}
}
