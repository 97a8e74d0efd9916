package query

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/itchyny/gojq"

	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/transcode"
)

// Options select what a program reads and how its results are written.
type Options struct {
	Reversible  bool                   // values that JSON lacks become escape objects; see package transcode
	MessagePack bool                   // write MessagePack; otherwise JSON, one result per line
	Indent      string                 // indentation of JSON; empty: one line per result
	Raw         bool                   // write a result that is a string without quotes
	Join        bool                   // write no newline after a result
	Zero        bool                   // write a zero byte instead of the newline
	Separated   bool                   // write a record separator before a result, as in RFC 7464
	ASCII       bool                   // write only ASCII, also strings that are Raw
	Sorted      bool                   // sort the keys of all maps
	Variables   map[string]string      // values of global variables in JSON
	Slurped     map[string][][]byte    // global variables that are arrays, with their encoded elements
	Positional  []string               // values of $ARGS.positional in JSON
	Environ     func() []string        // what env returns
	Debug       io.Writer              // where debug and stderr write
	File        func() any             // what input_filename returns
	Inputs      func() ([]byte, error) // the next value for input and inputs; io.EOF at the end
}

// A Program is a compiled program with its options.
type Program struct {
	code   *gojq.Code
	need   *need    // what the program looks at
	path   []string // the keys that are all of the program, or nil
	values []any
	o      Options
	d      decoder
	e      encoder
	data   []byte
	text   []byte
	last   any
	// hasResult reports whether the program returned a result, which is last.
	hasResult bool
	// unread is the last error of Options.Inputs or of the data that it returned.
	unread error
}

// A SyntaxError is an error in the text of a program.
type SyntaxError struct {
	Line, Column int
	Reason       string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d of the program: %s", e.Line, e.Column, e.Reason)
}

// Compile compiles a program. An error in it is a *SyntaxError or says which
// function or variable is not defined.
func Compile(text string, o Options) (*Program, error) {
	parsed, err := gojq.Parse(text)
	if err != nil {
		var syntax *gojq.ParseError
		if !errors.As(err, &syntax) {
			return nil, err
		}
		// Offset is the end of the unexpected token.
		before := text[:max(0, min(len(text), syntax.Offset-len(syntax.Token)))]
		line := strings.Count(before, "\n")
		column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
		return nil, &SyntaxError{line + 1, column + 1, syntax.Error()}
	}
	p := &Program{o: o, need: needOf(parsed, passes)}
	if !o.Reversible { // where maps may be escape objects
		p.path = pathOf(parsed)
	}
	p.d = newDecoder(o.Reversible)
	p.e = encoder{d: &p.d, forJSON: !o.MessagePack, sorted: o.Sorted}
	names, err := p.variables()
	if err != nil {
		return nil, err
	}
	p.code, err = gojq.Compile(parsed,
		gojq.WithVariables(names),
		gojq.WithEnvironLoader(o.Environ),
		gojq.WithInputIter(inputs{p}),
		gojq.WithFunction("input_filename", 0, 0, func(any, []any) any { return o.File() }),
		gojq.WithFunction("debug", 0, 0, func(v any, _ []any) any {
			text, _ := gojq.Marshal([]any{"DEBUG:", v})
			_, _ = fmt.Fprintf(o.Debug, "%s\n", text)
			return v
		}),
		gojq.WithFunction("stderr", 0, 0, func(v any, _ []any) any {
			text, _ := gojq.Marshal(v)
			_, _ = fmt.Fprintf(o.Debug, "%s", text)
			return v
		}),
	)
	return p, err
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*$`)

// kept are the names of variables that have values of their own.
var kept = []string{"ARGS", "ENV", "__loc__"}

// variables sets the values of the global variables, and returns their names.
func (p *Program) variables() (names []string, err error) {
	named, positional := map[string]any{}, []any{}
	for name, text := range p.o.Variables {
		v, err := fromJSON([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("the value of $%s is not JSON: %w", name, err)
		}
		named[name] = v
	}
	d := newDecoder(p.o.Reversible)
	p.d.variables = &d
	for name, elements := range p.o.Slurped {
		list := make([]any, len(elements))
		for i, data := range elements {
			if list[i], err = d.decode(data, whole); err != nil {
				return nil, err
			}
		}
		named[name] = list
	}
	for name, v := range named {
		if !slices.Contains(kept, name) && variableName.MatchString(name) { // as in jq, others are only in $ARGS
			names, p.values = append(names, "$"+name), append(p.values, v)
		}
	}
	for _, text := range p.o.Positional {
		v, err := fromJSON([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("%q is not JSON: %w", text, err)
		}
		positional = append(positional, v)
	}
	p.values = append(p.values, map[string]any{"named": named, "positional": positional})
	return append(names, "$ARGS"), nil
}

// inputs iterates over the values that the functions input and inputs return.
type inputs struct{ p *Program }

func (i inputs) Next() (any, bool) {
	data, err := i.p.o.Inputs()
	if err == io.EOF {
		return nil, false
	}
	var v any
	if err == nil {
		v, err = i.p.d.decode(data, whole)
	}
	if err != nil {
		i.p.unread = err
		return err, true
	}
	return v, true
}

// A RuntimeError is an error of a program that runs on a value.
type RuntimeError struct {
	Reason string
	// Halts reports whether the program has called halt_error, after which it must not run
	// on further values.
	Halts bool
	// Code is the exit code of halt_error. If it is 0, Reason is a message of a program
	// that has not failed.
	Code int
}

func (e *RuntimeError) Error() string { return e.Reason }

// A ResultError is the error for a result that the output format cannot hold.
type ResultError struct{ Err *transcode.Error }

func (e *ResultError) Error() string {
	// The offset and the path in a result would not be those in a file.
	return strings.TrimPrefix(e.Err.Err.Error(), "transcode: ") + ": found " + e.Err.Found + " in a result"
}

func (e *ResultError) Unwrap() error { return e.Err }

// ErrHalt is returned when a program has called halt.
var ErrHalt = errors.New("the program has called halt")

// Run runs the program on one encoded value and writes the results. data must not
// change until the next call of Run, RunNull or RunAll. An error of the program is
// a [*RuntimeError]; the results before it have been written. If JSON cannot hold the
// data or a result, the error is a [*transcode.Error], which for a result is inside a
// [*ResultError].
func (p *Program) Run(ctx context.Context, w io.Writer, data []byte) error {
	p.d.reset()
	err := p.runParts(ctx, w, data)
	if p.need != whole {
		err = p.again(ctx, data, err)
	}
	var content *transcode.Error
	var result *ResultError
	if errors.As(err, &result) && errors.As(err, &content) {
		// If the input has what JSON cannot hold, its place there says more.
		if _, located := transcode.AppendJSON(nil, data, &p.d.o); located != nil {
			return located
		}
	}
	return err
}

// runParts runs the program on the parts of the value that it looks at.
func (p *Program) runParts(ctx context.Context, w io.Writer, data []byte) error {
	if p.path != nil {
		if part, found := find(data, p.path); found {
			if v, _, err := p.d.part(part, passes); err == nil {
				p.last, p.hasResult = v, true
				return p.write(w, v)
			}
		}
	}
	v, err := p.d.decode(data, p.need)
	if err != nil {
		return err
	}
	return p.run(ctx, w, v)
}

// again runs a program that has failed on parts of a value on the whole value, because the
// error may print it. The results have been written.
func (p *Program) again(ctx context.Context, data []byte, err error) error {
	var wrong *RuntimeError
	if !errors.As(err, &wrong) {
		return err
	}
	last, has, changed, replaced := p.last, p.hasResult, p.e.changed, p.e.replaced
	p.d.reset()
	v, failed := p.d.decode(data, whole)
	if failed != nil {
		err = failed
	} else if failed = p.run(ctx, io.Discard, v); errors.As(failed, &wrong) {
		err = failed
	}
	p.last, p.hasResult, p.e.changed, p.e.replaced = last, has, changed, replaced
	return err
}

// RunNull runs the program on null.
func (p *Program) RunNull(ctx context.Context, w io.Writer) error {
	p.d.reset()
	return p.run(ctx, w, nil)
}

// RunAll runs the program on the array of all values that next returns, up to
// io.EOF.
func (p *Program) RunAll(ctx context.Context, w io.Writer, next func() ([]byte, error)) error {
	p.d.reset()
	list := []any{}
	for {
		data, err := next()
		if err == io.EOF {
			return p.run(ctx, w, list)
		}
		if err != nil {
			return err
		}
		v, err := p.d.decode(data, whole)
		if err != nil {
			return err
		}
		list = append(list, v)
	}
}

func (p *Program) run(ctx context.Context, w io.Writer, v any) error {
	p.unread = nil
	results := p.code.RunWithContext(ctx, v, p.values...)
	for {
		v, ok := results.Next()
		if !ok {
			return nil
		}
		if err, failed := v.(error); failed {
			if p.isUnread(err) {
				return p.unread
			}
			return explain(err)
		}
		p.last, p.hasResult = v, true
		if err := p.write(w, v); err != nil {
			return err
		}
	}
}

// isUnread reports whether err is p.unread. The function inputs catches errors, and fails with
// their text. What a program does after it has caught the error is its own.
func (p *Program) isUnread(err error) bool {
	if p.unread == nil {
		return false
	}
	var halt *gojq.HaltError
	var raised gojq.ValueError
	return errors.Is(err, p.unread) || !errors.As(err, &halt) && errors.As(err, &raised) && raised.Value() == any(p.unread.Error())
}

// explain converts an error of package gojq to an error of this package.
func explain(err error) error {
	var halt *gojq.HaltError
	if errors.As(err, &halt) {
		if v := halt.Value(); (v == nil || v == "") && halt.ExitCode() == 0 { // there is no message
			return ErrHalt
		}
		text, ok := halt.Value().(string)
		if !ok {
			encoded, _ := gojq.Marshal(halt.Value())
			text = string(encoded)
		}
		return &RuntimeError{strings.TrimSuffix(text, "\n"), true, halt.ExitCode()}
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	if err.Error() == "break" { // the error of the function input; another one has a prefix
		return &RuntimeError{Reason: "no more inputs"}
	}
	return &RuntimeError{Reason: err.Error()}
}

// write writes one result.
func (p *Program) write(w io.Writer, v any) error {
	var err error
	p.text = p.text[:0]
	if p.o.Separated {
		p.text = append(p.text, input.Separator)
	}
	text, isText := v.(string)
	switch {
	case p.o.Raw && isText && !p.o.ASCII:
		if p.o.Zero && strings.Contains(text, "\x00") {
			return &RuntimeError{Reason: "--raw-output0 ends each result with a zero byte, and a result contains one"}
		}
		p.text = append(p.text, text...)
		p.e.changed.Add(p.d.became(text))
	case p.o.MessagePack:
		if p.data, err = p.e.encode(p.data[:0], v, 0); err == nil {
			p.data = p.e.sort(p.data)
			_, err = w.Write(p.data)
			return err
		}
	default:
		p.text, p.data, err = p.e.appendJSON(p.text, v, p.o.Indent, p.data)
	}
	var content *transcode.Error
	if errors.As(err, &content) {
		return &ResultError{content}
	}
	if err != nil {
		return &RuntimeError{Reason: err.Error()}
	}
	if p.o.ASCII {
		p.text = appendASCII(nil, p.text)
	}
	switch {
	case p.o.Zero:
		p.text = append(p.text, 0)
	case !p.o.Join:
		p.text = append(p.text, '\n')
	}
	_, err = w.Write(p.text)
	return err
}

// Truth reports whether the last result is neither false nor null. It is false
// if there was no result.
func (p *Program) Truth() bool { return p.hasResult && p.last != nil && p.last != false }

// totals sum up the results of a program.
type totals struct {
	changed   transcode.Changed
	replaced  int64
	hasResult bool
	truth     bool // of the last result
}

// take returns the totals since the last call.
func (p *Program) take() totals {
	t := totals{p.Changed(), p.Replaced(), p.hasResult, p.Truth()}
	p.e.changed, p.e.replaced, p.hasResult, p.last = transcode.Changed{}, 0, false, nil
	return t
}

// add adds the totals of later results.
func (t *totals) add(u totals) {
	t.changed.Add(u.changed)
	t.replaced += u.replaced
	if u.hasResult {
		t.hasResult, t.truth = true, u.truth
	}
}

// Changed counts the values of the results that lost their type because JSON lacks it.
// For MessagePack, these are texts that the program saw instead of values. Nothing is
// lost in the reversible form.
func (p *Program) Changed() transcode.Changed {
	if p.o.Reversible {
		return transcode.Changed{}
	}
	return p.e.changed
}

// Replaced counts the strings of the results in which U+FFFD replaced invalid UTF-8.
func (p *Program) Replaced() int64 { return p.e.replaced }
