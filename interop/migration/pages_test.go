package migration

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

var updatePages = flag.Bool("update", false, "update the tables of docs/migrating-from-*.md with the current behavior of the libraries")

// A peer is a library that programs migrate from, without options.
type peer struct {
	name        string // also part of the name of its guide
	marshal     func(any) ([]byte, error)
	unmarshal   func([]byte, any) error
	writes      []writeCase
	reads       []readCase
	equivalents []equivalent
	profile     string // the function of package profile
	config      msgpack.Options
}

// A writeCase is a value that the peer and Octet encode.
type writeCase struct {
	name  string
	text  string // the value in Go syntax, as in the guide
	value any
}

// A readCase is a message that the peer and Octet decode.
type readCase struct {
	name   string
	bytes  string     // in hexadecimal
	into   string     // the variable in Go syntax, as in the guide
	target func() any // returns a pointer to a new variable
}

// subject returns the text of the case in the page.
func (c readCase) subject() string {
	message := inCode(c.bytes)
	if c.bytes == "" {
		message = "nothing"
	}
	return message + " into " + inCode(c.into)
}

// subject returns the text of the case in the page. Types with methods are described
// in words.
func (c writeCase) subject() string {
	if strings.HasPrefix(c.text, "a type ") {
		return c.text
	}
	return inCode(c.text)
}

// inCode formats text as a code span. The text may contain backquotes.
func inCode(text string) string {
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}

// An equivalent is Options with which Octet behaves like the peer in some cases.
type equivalent struct {
	text   string // the fields, as in the guide
	config msgpack.Options
	cases  []string
}

// An outcome is the result of a case: bytes, a value in Go syntax, or a
// failure.
type outcome string

// outcomeOf calls f and returns its outcome. It distinguishes a panic from an
// error.
func outcomeOf(f func() (outcome, error)) (result outcome) {
	defer func() {
		if recover() != nil {
			result = "panic"
		}
	}()
	got, err := f()
	if err != nil {
		return failure(err)
	}
	return got
}

// failure returns the name of the sentinel of an error of Octet.
func failure(err error) outcome {
	for name, sentinel := range map[outcome]error{
		"ErrRange": msgpack.ErrRange, "ErrMismatch": msgpack.ErrMismatch, "ErrTruncated": msgpack.ErrTruncated,
		"ErrTrailing": msgpack.ErrTrailing, "ErrUnhashable": msgpack.ErrUnhashable, "ErrUnsupported": msgpack.ErrUnsupported,
		"ErrTimestamp": msgpack.ErrTimestamp, "ErrReserved": msgpack.ErrReserved, "ErrDepth": msgpack.ErrDepth,
		"ErrUnknownField": msgpack.ErrUnknownField, "ErrLength": msgpack.ErrLength,
	} {
		if errors.Is(err, sentinel) {
			return name
		}
	}
	return "error"
}

func written(marshal func(any) ([]byte, error), v any) outcome {
	return outcomeOf(func() (outcome, error) {
		b, err := marshal(v)
		return inHex(b), err
	})
}

func inHex(b []byte) outcome {
	const maxShown = 20
	if len(b) > maxShown {
		return outcome(fmt.Sprintf("`% x …` (%d bytes)", b[:maxShown], len(b)))
	}
	return outcome(fmt.Sprintf("`% x`", b))
}

func read(unmarshal func([]byte, any) error, c readCase) outcome {
	return outcomeOf(func() (outcome, error) {
		target := c.target()
		data := unhex(c.bytes)
		err := unmarshal(data, target)
		clear(data) // detects values that share the memory of data
		return outcome("`" + inGo(reflect.ValueOf(target).Elem()) + "`"), err
	})
}

func unhex(text string) (b []byte) {
	if _, err := fmt.Sscanf(strings.ReplaceAll(text, " ", ""), "%x", &b); err != nil && text != "" {
		panic(text + ": " + err.Error())
	}
	return b
}

// inGo formats a value in Go syntax, including pointer targets and the dynamic
// types of interfaces.
func inGo(v reflect.Value) string {
	if !v.IsValid() {
		return "nil"
	}
	if t, ok := v.Interface().(time.Time); ok {
		return t.Format(time.RFC3339Nano)
	}
	switch v.Kind() {
	case reflect.Interface:
		e := v.Elem()
		if !e.IsValid() {
			return "nil"
		}
		switch e.Kind() {
		case reflect.Bool, reflect.String, reflect.Slice, reflect.Map, reflect.Struct, reflect.Pointer:
			return inGo(e)
		}
		return e.Type().String() + "(" + inGo(e) + ")"
	case reflect.Pointer:
		if v.IsNil() {
			return "nil"
		}
		return "&" + inGo(v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			return "nil"
		}
		fallthrough
	case reflect.Array:
		var list []string
		for i := range v.Len() {
			list = append(list, inGo(v.Index(i)))
		}
		name := strings.ReplaceAll(v.Type().String(), "migration.", "")
		return name + "{" + strings.Join(list, ", ") + "}"
	case reflect.Map:
		if v.IsNil() {
			return "nil"
		}
		return strings.ReplaceAll(fmt.Sprintf("%#v", v), "interface {}", "any")
	case reflect.Struct:
		var list []string
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				list = append(list, v.Type().Field(i).Name+": "+inGo(v.Field(i)))
			}
		}
		return "{" + strings.Join(list, ", ") + "}"
	case reflect.String:
		return fmt.Sprintf("%+q", v.String())
	}
	return fmt.Sprint(v)
}

// A row is one row of a table: the case, its subject, the outcomes of the peer and of
// Octet, the equivalent with which Octet has the outcome of the peer, and whether
// Octet has this outcome with the profile of the peer.
type row struct {
	name, subject string
	theirs, ours  outcome
	equivalent    string
	profiled      bool
}

// alike reports whether both outcomes are equal or errors.
func alike(theirs, ours outcome) bool {
	return theirs == ours || theirs == "error" && strings.HasPrefix(string(ours), "Err")
}

// table writes the rows with different outcomes as a table, and lists the names
// of the others.
func table(p peer, subject string, rows []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| case | %s | %s | octet | the same with |\n|---|---|---|---|---|\n", subject, p.name)
	var same, refused, rest []string
	for _, r := range rows {
		if !r.profiled {
			rest = append(rest, r.name)
		}
		switch {
		case r.theirs == r.ours:
			same = append(same, r.name)
		case alike(r.theirs, r.ours):
			refused = append(refused, r.name)
		default:
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", r.name, r.subject, r.theirs, r.ours, r.equivalent)
		}
	}
	fmt.Fprintf(&b, "\nThe same by default: %s.\n", strings.Join(same, ", "))
	if len(refused) > 0 {
		fmt.Fprintf(&b, "\nRefused by both: %s.\n", strings.Join(refused, ", "))
	}
	fmt.Fprintf(&b, "\nWith `profile.%s()`, all cases are the same except: %s.\n", p.profile, strings.Join(rest, ", "))
	return b.String()
}

// equivalentOf returns the equivalent of a case.
func (p peer) equivalentOf(name string) (found equivalent) {
	for _, w := range p.equivalents {
		for _, c := range w.cases {
			if c == name {
				return w
			}
		}
	}
	return equivalent{}
}

// compare returns the row of a case, after checking its equivalent.
func (p peer) compare(t *testing.T, name, subject string, theirs outcome, ours func(*msgpack.Codec) outcome) row {
	t.Helper()
	codec, err := msgpack.New(msgpack.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := row{name, subject, theirs, ours(codec), "", false}
	if codec, err = msgpack.New(p.config); err != nil {
		t.Fatal(err)
	}
	r.profiled = alike(theirs, ours(codec))
	w := p.equivalentOf(name)
	if w.text == "" {
		return r
	}
	if codec, err = msgpack.New(w.config); err != nil {
		t.Fatal(err)
	}
	if got := ours(codec); !alike(theirs, got) || alike(theirs, r.ours) {
		t.Errorf("%s: octet with %s: %s; octet by default: %s; %s: %s", name, w.text, got, r.ours, p.name, theirs)
	}
	r.equivalent = "`" + w.text + "`"
	return r
}

// TestMigrationPages checks the tables of the migration guides.
func TestMigrationPages(t *testing.T) {
	local := time.Local
	time.Local = time.FixedZone("local", 3600) // different from UTC
	defer func() { time.Local = local }()
	for _, p := range peers() {
		t.Run(p.name, func(t *testing.T) {
			known := map[string]bool{}
			var rows []row
			for _, c := range p.writes {
				known[c.name] = true
				rows = append(rows, p.compare(t, c.name, c.subject(), written(p.marshal, c.value), func(codec *msgpack.Codec) outcome {
					return written(codec.Marshal, c.value)
				}))
			}
			checkPage(t, p, "written", table(p, "value", rows))
			rows = nil
			for _, c := range p.reads {
				if known[c.name] {
					t.Errorf("two cases are called %q", c.name)
				}
				known[c.name] = true
				rows = append(rows, p.compare(t, c.name, c.subject(), read(p.unmarshal, c), func(codec *msgpack.Codec) outcome {
					return read(codec.Unmarshal, c)
				}))
			}
			checkPage(t, p, "read", table(p, "message", rows))
			for _, w := range p.equivalents {
				for _, c := range w.cases {
					if !known[c] {
						t.Errorf("there is no case %q for %s", c, w.text)
					}
				}
			}
		})
	}
}

// checkPage compares a table with the text between two comments of the guide,
// or replaces that text.
func checkPage(t *testing.T, p peer, what, want string) {
	t.Helper()
	path := filepath.Join("..", "..", "docs", "migrating-from-"+p.name+".md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := bytes.Cut(page, []byte("<!-- "+what+" -->\n"))
	got, after, end := bytes.Cut(rest, []byte("<!-- end -->\n"))
	if !ok || !end {
		t.Fatalf("%s has no place for the table %q", path, what)
	}
	if string(got) == want {
		return
	}
	if !*updatePages {
		t.Errorf("%s, table %q differs from the behavior of the libraries (use -update)\ngot:\n%s\nwant:\n%s", path, what, got, want)
		return
	}
	text := string(before) + "<!-- " + what + " -->\n" + want + "<!-- end -->\n" + string(after)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
