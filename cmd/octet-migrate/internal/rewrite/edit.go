package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// A piece is a part of the text that replaces a range of a file: text, source
// text with its own edits, or a name that is chosen when all edits are known.
type piece struct {
	text     string
	pos, end token.Pos
	name     string // "codec", "encoder", "into", or the path of a package
	codec    *codec
}

// An edit replaces a range by pieces.
type edit struct {
	pos, end token.Pos
	pieces   []piece
}

// fileEdits are the edits of one file.
type fileEdits struct {
	p        *program
	pkg      *Package
	file     *ast.File
	edits    []edit
	names    map[string]string // chosen names of packages, by path
	needs    []*codec
	newFiles map[string]string
	useless  []*ast.ImportSpec // removed, because nothing has used them before
}

func (p *program) editsOf(pkg *Package, f *ast.File) *fileEdits {
	e := p.files[f]
	if e == nil {
		e = &fileEdits{p: p, pkg: pkg, file: f, names: map[string]string{}, newFiles: map[string]string{}}
		p.files[f] = e
	}
	return e
}

func (e *fileEdits) replace(pos, end token.Pos, pieces ...piece) {
	e.edits = append(e.edits, edit{pos, end, pieces})
}

var holes = regexp.MustCompile(`\{(\w+)( [^{}]+)?\}`)

// arity returns the number of arguments that a replacement has, or -1 if it has no
// call.
func arity(template string) int {
	if template == "" {
		return -1
	}
	n := 0
	for _, m := range holes.FindAllStringSubmatch(template, -1) {
		if i, err := strconv.Atoi(m[1]); err == nil {
			n = max(n, i)
		}
	}
	return n
}

// fill returns the pieces of a template for a site.
func (p *program) fill(s *site, template string, c *codec) []piece {
	var pieces []piece
	rest := template
	args := s.arguments()
	for {
		loc := holes.FindStringSubmatchIndex(rest)
		if loc == nil {
			return append(pieces, piece{text: rest})
		}
		pieces = append(pieces, piece{text: rest[:loc[0]]})
		word, conversion := rest[loc[2]:loc[3]], ""
		if loc[4] >= 0 {
			conversion = strings.TrimSpace(rest[loc[4]:loc[5]])
		}
		rest = rest[loc[1]:]
		switch word {
		case "recv":
			x := s.ref.(*ast.SelectorExpr).X
			if conversion == "ref" { // a value of a user type, which methods get by pointer
				pieces = append(pieces, piece{text: reference(s.pkg.Info, x)})
			}
			pieces = append(pieces, piece{pos: x.Pos(), end: x.End()})
		case "codec":
			if c != nil && p.bare(c) {
				pieces = append(pieces, piece{name: table.Octet})
			} else {
				pieces = append(pieces, piece{name: "codec", codec: c})
			}
		case "encoder", "into":
			pieces = append(pieces, piece{name: word, codec: c})
		case "decode": // a function for values of a type
			pieces = append(pieces, piece{name: word, codec: c}, piece{text: "["})
			pieces = append(append(pieces, typePieces(conversion)...), piece{text: "]"})
		case "decodeValue", "arrayLen", "mapLen", "arrayHeader", "mapHeader", "encodeAll", "decodeAll":
			pieces = append(pieces, piece{name: word, codec: c})
		case "rest":
			if len(args) > 0 {
				pieces = append(pieces, piece{pos: args[0].Pos(), end: args[len(args)-1].End()})
				if s.call.Ellipsis.IsValid() {
					pieces = append(pieces, piece{text: "..."})
				}
			}
		case "new":
			path := table.Octet
			if s.lib.Swap != "" {
				path = s.lib.Swap
			}
			pieces = append(pieces, piece{name: path})
		case "name":
			_, member, isMember := strings.Cut(s.name, ".")
			if !isMember {
				member = s.name
			}
			pieces = append(pieces, piece{text: member})
		case "wire":
			pieces = append(pieces, piece{name: table.Octet + "/wire"})
		default:
			i, err := strconv.Atoi(word)
			if err != nil {
				pieces = append(pieces, piece{text: "{" + word + "}"})
				continue
			}
			a := args[i-1]
			context, inContext := strings.CutPrefix(conversion, "~")
			conversion = context
			convert := conversion != "" && (!inContext && s.pkg.Info.Types[a].Value != nil || s.changesType(i-1))
			if convert {
				pieces = append(append(pieces, typePieces(conversion)...), piece{text: "("})
			}
			pieces = append(pieces, piece{pos: a.Pos(), end: a.End()})
			if convert {
				pieces = append(pieces, piece{text: ")"})
			}
		}
	}
}

// typePieces returns the pieces of a type, which can have the import path of its package before its name.
func typePieces(text string) []piece {
	if pkg, name, qualified := strings.Cut(text, "."); qualified {
		return []piece{{name: pkg}, {text: "." + name}}
	}
	return []piece{{text: text}}
}

// changesType reports whether an argument has another type if no parameter gives it one: nil, a value of a named type
// for a parameter of an unnamed one, whose methods Octet would call, or a shift of a constant.
func (s *site) changesType(i int) bool {
	f, ok := s.pkg.Info.Uses[s.id].(*types.Func)
	if !ok || s.inner != nil || i >= f.Signature().Params().Len() {
		return false
	}
	a := s.arguments()[i]
	return !types.Identical(s.pkg.Info.TypeOf(a), f.Signature().Params().At(i).Type()) || shiftsConstant(s.pkg.Info, a)
}

// shiftsConstant reports whether the type of an expression is that of a constant that it shifts by a variable.
func shiftsConstant(info *types.Info, e ast.Expr) bool {
	if info.Types[e].Value != nil {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		return shiftsConstant(info, e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.SHL, token.SHR:
			return info.Types[e.X].Value != nil || shiftsConstant(info, e.X)
		case token.ADD, token.SUB, token.MUL, token.QUO, token.REM, token.AND, token.OR, token.XOR, token.AND_NOT:
			return shiftsConstant(info, e.X) || shiftsConstant(info, e.Y)
		}
	}
	return false
}

// reference returns "&" if e is a variable that is not a pointer.
func reference(info *types.Info, e ast.Expr) string {
	t := info.TypeOf(e)
	if t == nil || types.IsInterface(t) {
		return ""
	}
	if _, ok := t.Underlying().(*types.Pointer); ok || !info.Types[e].Addressable() {
		return ""
	}
	return "&"
}

// apply rewrites a site.
func (p *program) apply(s *site) {
	e := p.editsOf(s.pkg, s.file)
	c := p.codecFor(s)
	if _, isType := s.pkg.Info.Uses[s.id].(*types.TypeName); s.call != nil && s.row.Call != "" && !isType {
		if value := s.plain(); value != "" { // the arguments stay, with their comments
			e.replace(s.ref.Pos(), s.ref.End(), p.fill(s, value, c)...)
			return
		}
		e.replace(s.call.Pos(), s.call.End(), p.fill(s, s.row.Call, c)...)
		return
	}
	value := s.row.Value
	if f, ok := s.pkg.Info.Uses[s.id].(*types.Func); ok {
		value = s.row.ValueFor(f.Signature().Params().Len())
	}
	e.replace(s.ref.Pos(), s.ref.End(), p.fill(s, value, c)...)
}

// plain returns the function that replaces the function of a call, if the
// arguments stay as they are.
func (s *site) plain() string {
	r := s.row
	r.Value = ""
	if s.inner != nil {
		return ""
	}
	return r.ValueFor(len(s.call.Args))
}

// losesComment reports whether a call has a comment that its replacement would
// not have.
func (p *program) losesComment(s *site) bool {
	if s.call == nil || s.row.Call == "" || s.plain() != "" {
		return false
	}
	for _, group := range s.file.Comments {
		for _, c := range group.List {
			if c.Pos() < s.call.Pos() || c.End() > s.call.End() {
				continue
			}
			kept := false
			for _, pc := range p.fill(s, s.row.Call, nil) {
				kept = kept || pc.pos.IsValid() && pc.pos <= c.Pos() && c.End() <= pc.end
			}
			if !kept {
				return true
			}
		}
	}
	return false
}

// decide rewrites the sites that are not blocked.
func (p *program) decide() {
	var gone []ast.Expr
	for _, s := range p.sites {
		if s.why == "" {
			gone = append(gone, p.dropped(s)...)
		}
	}
	for _, s := range p.sites {
		if s.why != "" {
			continue
		}
		if s.why = p.losesArgument(s, gone); s.why == "" && p.losesComment(s) {
			s.why = "a comment is inside the call: move it"
		}
		if s.why != "" {
			for _, n := range append(slices.Clone(s.nodes), p.handleNodes(s)...) {
				p.flow.block(n, p.fset.Position(s.at()), s.name+" is not rewritten")
			}
			p.find(Left, s.at(), s.lib, s.name, s.why)
		}
	}
	// A call whose codec depends on a handle that is not rewritten is not rewritten
	// either. This can block further handles and calls.
	for changed := true; changed; {
		changed = false
		for _, s := range p.sites {
			if s.why != "" {
				continue
			}
			b := p.heldBy(s)
			if b == nil {
				continue
			}
			s.why = "not rewritten because of another use of the same value"
			if b.text != "" {
				s.why += ": " + b.text
			}
			if b.pos.IsValid() {
				s.why += fmt.Sprintf(" (%s)", p.lineAt(b.pos))
			}
			changed = true
			for _, n := range s.nodes {
				p.flow.block(n, b.pos, b.text)
			}
			for _, n := range p.handleNodes(s) {
				p.flow.block(n, b.pos, b.text)
			}
			p.find(Held, s.at(), s.lib, s.name, s.why)
		}
	}
	p.keepErrors()
	opened := map[*Package]bool{}
	for _, s := range p.sites {
		switch {
		case s.why != "":
		case s.row.Flags&table.Handle != 0:
		default:
			p.apply(s)
			if s.open && s.lib.Adapter != "" && !opened[s.pkg] {
				opened[s.pkg] = true
				p.find(Left, s.at(), s.lib, s.name, openTo(s.lib))
			}
			if s.lost != "" {
				p.find(Left, s.at(), s.lib, s.name, s.lost)
			}
			if s.any && s.lib.Any != "" {
				p.find(Left, s.at(), s.lib, s.name, "rewritten, but it decodes into an interface, and "+s.lib.Any+": change what the program does with such values")
			}
			if s.byAny && p.sortsKeys(s.lib) {
				p.find(Left, s.at(), s.lib, s.name, "rewritten, but it encodes a map whose keys are interfaces; the library sorts these by their bytes, and Octet sorts numbers by value and writes them before strings: give the map a type with other keys, or check that nothing compares its bytes")
			}
			note := s.row.Note + s.note
			if p.exportedType(s) {
				note = strings.TrimPrefix(note+"; "+otherModules, "; ")
			}
			if note != "" {
				p.find(Check, s.at(), s.lib, s.name, note)
			} else {
				p.find(Done, s.at(), s.lib, s.name, "rewritten")
			}
		}
	}
	p.removeHandles()
}

// openTo says what is left to do for a call that values of other modules can reach.
func openTo(lib *table.Library) string {
	return "rewritten, but values of other modules can reach it through exported functions, and if one has a method of the library, such as " + lib.Hooks[0].Name +
		", Octet returns an error or does not call it: add Hooks() of package " + lib.Adapter + " to Options.Types of the codec"
}

func (p *program) heldBy(s *site) *blocker {
	for _, n := range append(slices.Clone(s.nodes), p.handleNodes(s)...) {
		if b := p.flow.blocked(n); b != nil {
			return b
		}
	}
	return nil
}

// outermost renders the edits that are not inside others.
func (e *fileEdits) outermost() (list []Edit) {
	e.sort()
	end := token.NoPos
	for _, d := range e.edits {
		if d.pos < end {
			continue
		}
		list = append(list, Edit{d.pos, d.end, e.render(d)})
		if d.end > end {
			end = d.end
		}
	}
	return list
}

func (e *fileEdits) sort() {
	slices.SortStableFunc(e.edits, func(a, b edit) int {
		if a.pos != b.pos {
			return int(a.pos - b.pos)
		}
		return int(b.end - a.end)
	})
}

func (e *fileEdits) render(d edit) string {
	var b strings.Builder
	for _, pc := range d.pieces {
		switch {
		case pc.pos.IsValid():
			b.WriteString(e.source(d, pc.pos, pc.end))
		case pc.name != "":
			b.WriteString(e.nameOf(pc))
		default:
			b.WriteString(pc.text)
		}
	}
	return b.String()
}

// source returns a range of the file with the edits inside it. The edit outer is
// the one that the range is a part of.
func (e *fileEdits) source(outer edit, pos, end token.Pos) string {
	text := e.p.sources[e.p.filename(e.file)]
	offset := func(at token.Pos) int { return int(at - e.file.FileStart) }
	var b strings.Builder
	at := pos
	for _, d := range e.edits {
		if d.pos < at || d.end > end || d.pos == outer.pos && d.end == outer.end {
			continue
		}
		b.Write(text[offset(at):offset(d.pos)])
		b.WriteString(e.render(d))
		at = d.end
	}
	b.Write(text[offset(at):offset(end)])
	return b.String()
}

// gone reports whether the edits remove what is at a position.
func (e *fileEdits) gone(at token.Pos) bool {
	for _, d := range e.edits {
		if at < d.pos || at >= d.end {
			continue
		}
		kept := false
		for _, pc := range d.pieces {
			kept = kept || pc.pos.IsValid() && pc.pos <= at && at < pc.end
		}
		if !kept {
			return true
		}
	}
	return false
}
