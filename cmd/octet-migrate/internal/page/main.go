// Command page writes the tables of names, tags and directives in
// docs/migrating-*.md from the tables of package table: go generate runs it.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

func main() {
	if err := update("../../docs"); err != nil {
		fmt.Fprintln(os.Stderr, "page:", err)
		os.Exit(1)
	}
}

// update writes the pages in a folder that are not current.
func update(docs string) error {
	for _, page := range pages() {
		path := filepath.Join(docs, "migrating-from-"+page+".md")
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text, err := current(string(old), page)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if text != string(old) {
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

// pages returns the names of the pages.
func pages() (list []string) {
	seen := map[string]bool{}
	for _, lib := range table.All() {
		if !seen[lib.Page] {
			seen[lib.Page] = true
			list = append(list, lib.Page)
		}
	}
	return list
}

// current returns a page with current tables. Each is between two comments.
func current(text, page string) (string, error) {
	var libraries []*table.Library
	for _, lib := range table.All() {
		if lib.Page == page {
			libraries = append(libraries, lib)
		}
	}
	for _, part := range []struct {
		mark string
		make func([]*table.Library) string
		need bool
	}{{"calls", calls, true}, {"left", left, libraries[0].Profile != ""}, {"tags", tags, len(libraries[0].Tags)+len(libraries[0].Comments) > 0}} {
		begin := "<!-- " + part.mark + " -->\n"
		before, rest, ok := strings.Cut(text, begin)
		_, after, ok2 := strings.Cut(rest, "<!-- end -->\n")
		if !ok || !ok2 {
			if !part.need {
				continue
			}
			return "", fmt.Errorf("no place for the table %q", part.mark)
		}
		text = before + begin + part.make(libraries) + "<!-- end -->\n" + after
	}
	return text, nil
}

// A line is one row of a page: the names with the same replacement.
type line struct {
	names []string
	right string
}

// tableOf formats the rows that choose selects, in the order of their first names.
// A library after the first has only the rows that no library before it has.
func tableOf(libraries []*table.Library, head string, choose func(*table.Library) []table.Row, right func(*table.Library, table.Row) string) string {
	var b strings.Builder
	seen := map[string]bool{}
	for i, lib := range libraries {
		var lines []*line
		for _, row := range choose(lib) {
			text := right(lib, row)
			if text == "" || seen[row.Name+text] {
				continue
			}
			seen[row.Name+text] = true
			found := false
			for _, l := range lines {
				if found = l.right == text; found {
					l.names = append(l.names, row.Name)
					break
				}
			}
			if !found {
				lines = append(lines, &line{[]string{row.Name}, text})
			}
		}
		if len(lines) == 0 {
			continue
		}
		if i > 0 {
			fmt.Fprintf(&b, "\nOnly `%s`:\n\n", lib.Path)
		}
		fmt.Fprintf(&b, "| %s | Octet |\n|---|---|\n", head)
		for _, l := range lines {
			for i, n := range l.names {
				l.names[i] = inCode(n)
			}
			fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(l.names, ", "), l.right)
		}
	}
	return b.String()
}

func inCode(text string) string {
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}

func rows(lib *table.Library) []table.Row { return lib.Rows }

// calls is the table of what the command replaces.
func calls(libraries []*table.Library) string {
	return tableOf(libraries, "name", rows, func(lib *table.Library, row table.Row) string {
		if strings.Contains(row.Name, " = ") {
			if row.Value == "" {
				return "the default"
			}
			return inCode(strings.ReplaceAll(row.Value, "options.", ""))
		}
		template := row.Call
		if template == "" {
			template = row.Value
		}
		if template == "" {
			return ""
		}
		text := readable(lib, row.Name, template)
		if row.Note != "" {
			text += "; " + row.Note
		}
		return text
	})
}

// left is the table of what the command only reports.
func left(libraries []*table.Library) string {
	return tableOf(libraries, "name", rows, func(lib *table.Library, row table.Row) string {
		if row.Rewrites() || strings.Contains(row.Name, " = ") {
			return ""
		}
		if row.Flags&table.Handle != 0 {
			return row.Do + "; the command makes the `Codec` if the variable is used only for options above and in calls that the command replaces"
		}
		return row.Do
	})
}

// tags is the table of tag options, directives and methods of user types.
func tags(libraries []*table.Library) string {
	return tableOf(libraries, "tag option, directive or method", func(lib *table.Library) (list []table.Row) {
		list = append(list, lib.Tags...)
		list = append(list, lib.Comments...)
		return append(list, lib.Hooks...)
	}, func(lib *table.Library, row table.Row) string {
		switch {
		case row.Flags&table.Replaced != 0 && row.Do != "":
			return "the command writes " + inCode(row.Value) + ". If the command cannot do this: " + row.Do
		case row.Flags&table.Replaced != 0:
			return "the command adds " + inCode(row.Value) + " for embedded structs"
		case row.Flags&table.Unexported != 0:
			return "the command removes the tag: the library ignores it, and Octet refuses it. If an exported field shares the tag: " + row.Do
		case row.Flags&table.Whole != 0:
			keep := ""
			if len(lib.TagKeys) > 0 {
				keep = ", and keeps the old field if something still uses the library"
			}
			if row.Value == "keyasint" {
				return "the option `keyasint` on each field: the command writes it" + keep + ". If the command cannot do this: " + row.Do
			}
			return "a field `_ struct{}` with the option " + inCode(row.Value) + ": the command writes it" + keep + ". If the command cannot do this: " + row.Do
		case row.Flags&table.Shape != 0 && row.Value != "":
			return "a field `_ struct{}` with the option " + inCode(row.Value) + ": the command adds it. If the command cannot do this: " + row.Do
		case row.Value == row.Name:
			return "the same"
		case row.Value != "":
			return "the same with the profile; with `-shortest`, the command adds " + inCode(row.Value) + " to fields whose type has `IsZero`"
		}
		return strings.ReplaceAll(row.Do, "{adapter}", "package "+inCode(lib.Adapter))
	})
}

// readable formats a replacement for people. The arguments are a, b and c.
func readable(lib *table.Library, name, template string) string {
	receiver := "v"
	owner, _, isMember := strings.Cut(name, ".")
	switch {
	case strings.HasSuffix(owner, "Encoder") || strings.HasSuffix(owner, "Writer"):
		receiver = "enc"
	case strings.HasSuffix(owner, "Decoder") || strings.HasSuffix(owner, "Reader"):
		receiver = "dec"
	case isMember && owner == "Buffer":
		receiver = "buf"
	}
	if _, rest, ok := strings.Cut(template, "{decode "); ok {
		t, _, _ := strings.Cut(rest, "}")
		return "`dec.Decode(&v)` with a variable of type " + inCode(t)
	}
	switch {
	case strings.HasPrefix(template, "{arrayLen}"):
		return "`dec.ReadArrayHeader()`; a nil is an error in Octet, and `-1` in code that the command rewrites"
	case strings.HasPrefix(template, "{mapLen}"):
		return "`dec.ReadMapHeader()`; a nil is an error in Octet, and `-1` in code that the command rewrites"
	case strings.HasPrefix(template, "{arrayHeader}"):
		return "`enc.WriteArrayHeader(uint32(n))`, or `WriteNil` if n is negative, and `Flush`"
	case strings.HasPrefix(template, "{mapHeader}"):
		return "`enc.WriteMapHeader(uint32(n))`, or `WriteNil` if n is negative, and `Flush`"
	case strings.HasPrefix(template, "{decodeValue}"):
		return "`dec.Decode(a.Addr().Interface())`, or `dec.Decode(a.Interface())` for a pointer, which cannot be addressed"
	case strings.HasPrefix(template, "{encodeAll}"):
		return "`enc.Encode(v)` for each value"
	case strings.HasPrefix(template, "{decodeAll}"):
		return "`dec.Decode(&v)` for each value"
	}
	pkg := "msgpack"
	if lib.Swap != "" {
		pkg = filepath.Base(lib.Swap)
	}
	note := ""
	if strings.Contains(template, "{encoder}") {
		note = " with `AutoFlush(true)`"
	}
	text := strings.NewReplacer("{codec}", "codec", "{encoder}", "codec.NewEncoder", "{into}({1}, {3})", "*a, err = codec.Marshal(c)", "{new}", pkg, "{wire}", "wire",
		"{recv}", receiver, "{recv ref}", "&"+receiver, "{name}", "…").Replace(template)
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == '{' || r == '}' }) {
		if number, _, ok := strings.Cut(word, " "); ok && len(number) == 1 {
			text = strings.ReplaceAll(text, "{"+word+"}", "{"+number+"}")
		}
	}
	return inCode(strings.NewReplacer("{1}", "a", "{2}", "b", "{3}", "c").Replace(text)) + note
}
