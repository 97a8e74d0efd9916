package langs

import (
	"fmt"
	"strings"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// converts reports whether a value of Python differs from what unpackb returns, because
// there is a class in it.
func (p *pyPrinter) converts(v schema.Value) bool { return contains(v.Type, map[*schema.Type]bool{}) }

func contains(t *schema.Type, seen map[*schema.Type]bool) bool {
	if t == nil || seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind {
	case msgpack.FormStruct, msgpack.FormUnion:
		return true
	case msgpack.FormArray, msgpack.FormMap: // unpackb returns keys as they are
		return contains(t.Elem.Type, seen)
	}
	return false
}

// read returns an expression for the value that x, a part of a message, stands for.
func (p *pyPrinter) read(v schema.Value, x string) string { return p.readDeep(v, x, 0) }

func (p *pyPrinter) readDeep(v schema.Value, x string, depth int) string {
	t := v.Type
	if !p.converts(v) {
		return x
	}
	var text string
	switch {
	case t.Kind == msgpack.FormStruct:
		text = p.names[t] + ".from_message(" + x + ")"
	case p.functions[t] != "":
		text = p.functions[t] + "_from_message(" + x + ")"
	default:
		text = p.readParts(t, x, depth)
	}
	return unlessNone(v, x, text)
}

func unlessNone(v schema.Value, x, text string) string {
	if v.Nil {
		return "None if " + x + " is None else " + text
	}
	return text
}

// readParts returns a list or dict with what the parts of x stand for.
func (p *pyPrinter) readParts(t *schema.Type, x string, depth int) string {
	e, k := loopNames(depth)
	if t.Kind == msgpack.FormMap {
		return fmt.Sprintf("{%s: %s for %s, %s in %s.items()}", k, p.readDeep(t.Elem, e, depth+1), k, e, x)
	}
	return fmt.Sprintf("[%s for %s in %s]", p.readDeep(t.Elem, e, depth+1), e, x)
}

func loopNames(depth int) (e, k string) {
	if depth == 0 {
		return "e", "k"
	}
	return fmt.Sprintf("e%d", depth+1), fmt.Sprintf("k%d", depth+1)
}

// write returns an expression for the part of a message that x stands for.
func (p *pyPrinter) write(v schema.Value, x string) string { return p.writeDeep(v, x, 0) }

func (p *pyPrinter) writeDeep(v schema.Value, x string, depth int) string {
	t := v.Type
	if !p.converts(v) {
		return x
	}
	var text string
	switch {
	case t.Kind == msgpack.FormStruct:
		text = x + ".to_message()"
	case p.functions[t] != "":
		text = p.functions[t] + "_to_message(" + x + ")"
	default:
		text = p.writeParts(t, x, depth)
	}
	return unlessNone(v, x, text)
}

func (p *pyPrinter) writeParts(t *schema.Type, x string, depth int) string {
	e, k := loopNames(depth)
	if t.Kind == msgpack.FormMap {
		return fmt.Sprintf("{%s: %s for %s, %s in %s.items()}", k, p.writeDeep(t.Elem, e, depth+1), k, e, x)
	}
	return fmt.Sprintf("[%s for %s in %s]", p.writeDeep(t.Elem, e, depth+1), e, x)
}

// readField returns an expression for a field of message m.
func (p *pyPrinter) readField(t *schema.Type, i int) string {
	f, k := &t.Fields[i], key(t, i)
	v := f.Value
	if !p.isOptional(t, f) {
		return p.read(v, "m["+k+"]")
	}
	v.Nil = false
	if !p.converts(v) {
		return "m.get(" + k + ")"
	}
	return "None if m.get(" + k + ") is None else " + p.read(v, "m["+k+"]")
}

// writeFields writes the body of to_message.
func (p *pyPrinter) writeFields(b *strings.Builder, t *schema.Type, names []string, rest string) {
	if t.AsArray {
		b.WriteString("        return [")
		for i := range t.Fields {
			fmt.Fprintf(b, "\n            %s,", p.write(t.Fields[i].Value, "self."+names[i]))
		}
		if len(t.Fields) > 0 {
			b.WriteString("\n        ")
		}
		b.WriteString("]\n")
		return
	}
	b.WriteString("        m: dict[Any, Any] = {")
	last := "}\n"
	for i := range t.Fields {
		if f := &t.Fields[i]; !p.isOptional(t, f) {
			fmt.Fprintf(b, "\n            %s: %s,", key(t, i), p.write(f.Value, "self."+names[i]))
			last = "\n        }\n"
		}
	}
	b.WriteString(last)
	for i := range t.Fields {
		if f := &t.Fields[i]; p.isOptional(t, f) {
			v := f.Value
			v.Nil = false
			fmt.Fprintf(b, "        if self.%s is not None:\n            m[%s] = %s\n", names[i], key(t, i), p.write(v, "self."+names[i]))
		}
	}
	if t.Rest {
		fmt.Fprintf(b, "        m.update({k: %s for k, e in self.%s.items()})\n", p.write(t.Elem, "e"), rest)
	}
	b.WriteString("        return m\n")
}

// variants returns the bodies of the functions for a union.
func (p *pyPrinter) variants(name string, t *schema.Type) (read, write string) {
	var r, w strings.Builder
	if t.Discriminator == "" {
		r.WriteString("tag, m = m\n")
	} else {
		fmt.Fprintf(&r, "tag = m[%s]\n", quote(t.Discriminator))
	}
	for _, v := range t.Variants {
		tag, value := literal(v.Tag), "v"
		fmt.Fprintf(&r, "    if tag == %s:\n        return ", tag)
		if isClasses(t) {
			fmt.Fprintf(&r, "%s\n", p.read(v.Value, "m"))
			fmt.Fprintf(&w, "if isinstance(v, %s):\n        return ", p.names[v.Type])
		} else {
			fmt.Fprintf(&r, "(%s, %s)\n", tag, p.read(v.Value, "m"))
			fmt.Fprintf(&w, "if v[0] == %s:\n        return ", tag)
			value = "v[1]"
		}
		value = p.write(v.Value, value)
		if t.Discriminator == "" {
			fmt.Fprintf(&w, "[%s, %s]\n    ", tag, value)
		} else {
			fmt.Fprintf(&w, "{%s: %s} | %s\n    ", quote(t.Discriminator), tag, value)
		}
	}
	fmt.Fprintf(&r, "    raise ValueError(f\"unknown tag {tag!r} of %s\")", name)
	fmt.Fprintf(&w, "raise ValueError(f\"{v!r} is not of type %s\")", name)
	return r.String(), w.String()
}
