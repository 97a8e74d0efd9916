//go:build js && wasm

package main

import (
	"syscall/js"

	"github.com/octet-go/octet/cmd/octet/internal/view"
)

// methods are the calls that the page makes.
var methods = map[string]method{
	"begin":    {false, (*worker).begin},
	"receive":  {false, (*worker).receive},
	"open":     {false, (*worker).open},
	"paste":    {false, (*worker).paste},
	"compare":  {true, (*worker).compare},
	"tree":     {true, (*worker).tree},
	"text":     {true, (*worker).text},
	"hex":      {true, (*worker).hex},
	"toggle":   {true, (*worker).toggle},
	"expand":   {true, (*worker).expand},
	"collapse": {true, (*worker).collapse},
	"select":   {true, (*worker).choose},
	"find":     {true, (*worker).find},
	"example":  {true, (*worker).example},
	"edit":     {true, (*worker).edit},
	"undo":     {true, (*worker).undo},
	"fix":      {true, (*worker).fix},
	"lint":     {true, (*worker).lint},
	"sizes":    {true, (*worker).sizes},
	"export":   {true, (*worker).export},
	"data":     {true, (*worker).data},
}

// begin(size) allocates the memory for a file.
func (w *worker) begin(args []js.Value) (map[string]any, error) {
	w.loading = make([]byte, 0, args[0].Int())
	return nil, nil
}

// receive(bytes) appends a part of the file.
func (w *worker) receive(args []js.Value) (map[string]any, error) {
	n := len(w.loading)
	w.loading = append(w.loading, make([]byte, args[0].Get("length").Int())...)
	js.CopyBytesToGo(w.loading[n:], args[0])
	return nil, nil
}

// take returns the file that was received, as MessagePack. If it is the data of the page
// itself, own is set: it is then MessagePack, even if the same bytes could be JSON.
func (w *worker) take(own bool) ([]byte, string, error) {
	data := w.loading
	w.loading = nil
	if own {
		return data, "MessagePack", nil
	}
	return view.Import(data)
}

// open(name, own) shows the file that was received.
func (w *worker) open(args []js.Value) (map[string]any, error) {
	data, form, err := w.take(args[1].Bool())
	if err != nil {
		return nil, err
	}
	w.show(args[0].String(), data)
	return w.state(form), nil
}

func (w *worker) show(name string, data []byte) {
	w.session = nil // so that the memory of the last file is free
	w.session = view.New(name, data, func(n int) {
		js.Global().Call("octetProgress", float64(n)/float64(len(data)))
	})
}

// paste(text, form) shows the values that text describes.
func (w *worker) paste(args []js.Value) (map[string]any, error) {
	data, form, err := view.Parse(args[0].String(), args[1].String())
	if err != nil {
		return nil, err
	}
	w.show("pasted", data)
	return w.state(form), nil
}

// compare(name) compares with the file that was received.
func (w *worker) compare(args []js.Value) (map[string]any, error) {
	data, _, err := w.take(false)
	if err != nil {
		return nil, err
	}
	return map[string]any{"html": w.session.Compare(data, args[0].String())}, nil
}

// state describes the data after it has changed. form is the form in which it was
// given.
func (w *worker) state(form string) map[string]any {
	s := w.session
	return map[string]any{
		"name": s.Name, "form": form, "size": len(s.Data()), "rows": s.Rows(), "lines": s.Lines(),
		"summary": s.Summary(), "fault": s.Fault(), "faultAt": s.FaultAt(), "undo": s.CanUndo(),
	}
}

// tree(first, n), text(first, n) and hex(first, n, width) render n rows.
func (w *worker) tree(args []js.Value) (map[string]any, error) {
	return map[string]any{"html": w.session.Tree(whole(args[0]), whole(args[1]))}, nil
}

func (w *worker) text(args []js.Value) (map[string]any, error) {
	return map[string]any{"html": w.session.Text(whole(args[0]), whole(args[1]))}, nil
}

func (w *worker) hex(args []js.Value) (map[string]any, error) {
	return map[string]any{"html": w.session.Hex(whole(args[0]), whole(args[1]), args[2].Int())}, nil
}

// whole returns a number that can be too large for 32 bits.
func whole(v js.Value) int64 { return int64(v.Float()) }

func (w *worker) toggle(args []js.Value) (map[string]any, error) {
	w.session.Toggle(args[0].Int())
	return w.state(""), nil
}

// expand(offset) expands everything inside a value.
func (w *worker) expand(args []js.Value) (map[string]any, error) {
	all := w.session.ExpandAll(args[0].Int())
	state := w.state("")
	if !all {
		state["note"] = "Only the first containers are expanded: there are too many."
	}
	return state, nil
}

func (w *worker) collapse([]js.Value) (map[string]any, error) {
	w.session.CollapseAll()
	return w.state(""), nil
}

// select(kind, n) selects the value at an offset, in a row or on a line.
func (w *worker) choose(args []js.Value) (map[string]any, error) {
	var sel view.Selection
	ok := false
	switch n := whole(args[1]); args[0].String() {
	case "row":
		sel, ok = w.session.SelectRow(n)
	case "line":
		sel, ok = w.session.SelectLine(n)
	default:
		sel, ok = w.session.Select(int(n))
	}
	if !ok {
		return map[string]any{"none": true}, nil
	}
	return map[string]any{
		"start": sel.Start, "head": sel.Head, "end": sel.End, "row": sel.Row, "line": sel.Line, "node": sel.Node,
		"path": sel.Path, "text": sel.Text, "editable": sel.Editable, "html": sel.HTML, "rows": w.session.Rows(),
	}, nil
}

// find(text, after) returns an offset.
func (w *worker) find(args []js.Value) (map[string]any, error) {
	offset, err := w.session.Find(args[0].String(), args[1].Int())
	return map[string]any{"offset": offset}, err
}

// example(path) returns the offset of a value with a path from the list of sizes.
func (w *worker) example(args []js.Value) (map[string]any, error) {
	offset, err := w.session.Example(args[0].String())
	return map[string]any{"offset": offset}, err
}

// edit(offset, text) replaces a value.
func (w *worker) edit(args []js.Value) (map[string]any, error) {
	if err := w.session.Edit(args[0].Int(), args[1].String()); err != nil {
		return nil, err
	}
	return w.state(""), nil
}

func (w *worker) undo([]js.Value) (map[string]any, error) {
	at := w.session.Undo()
	state := w.state("")
	state["offset"] = at
	return state, nil
}

func (w *worker) fix([]js.Value) (map[string]any, error) {
	if err := w.session.Fix(); err != nil {
		return nil, err
	}
	return w.state(""), nil
}

func (w *worker) lint(args []js.Value) (map[string]any, error) {
	return map[string]any{"html": w.session.Lint(args[0].Bool())}, nil
}

// sizes(width) renders the bytes by path.
func (w *worker) sizes(args []js.Value) (map[string]any, error) {
	return map[string]any{"html": w.session.Sizes(args[0].Int())}, nil
}

// export(form, offset) returns text, and a note about what was lost.
func (w *worker) export(args []js.Value) (map[string]any, error) {
	text, note, err := w.session.Export(args[0].String(), args[1].Int())
	return map[string]any{"text": text, "note": note}, err
}

// data(offset, end) returns bytes.
func (w *worker) data(args []js.Value) (map[string]any, error) {
	data := w.session.Data()
	if end := args[1].Int(); end >= 0 {
		data = data[args[0].Int():end]
	}
	array := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(array, data)
	return map[string]any{"bytes": array}, nil
}
