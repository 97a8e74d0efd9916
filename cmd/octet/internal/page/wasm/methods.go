//go:build js && wasm

package main

import (
	"syscall/js"

	"github.com/octet-go/octet/cmd/octet/internal/view"
)

// methods are the calls of the page that do not take long. They need an open file.
var methods = map[string]func(w *worker, args []js.Value) (map[string]any, error){
	"tree":     (*worker).tree,
	"text":     (*worker).text,
	"hex":      (*worker).hex,
	"toggle":   (*worker).toggle,
	"expand":   (*worker).expand,
	"collapse": (*worker).collapse,
	"select":   (*worker).choose,
	"data":     (*worker).data,
}

// state describes the data after it has changed.
func (w *worker) state() map[string]any {
	s := w.session
	return map[string]any{
		"name": s.Name, "size": len(s.Data()), "rows": s.Rows(), "lines": s.Lines(),
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
	return w.state(), nil
}

// expand(offset) expands everything inside a value.
func (w *worker) expand(args []js.Value) (map[string]any, error) {
	all := w.session.ExpandAll(args[0].Int())
	state := w.state()
	if !all {
		state["note"] = "Only the first containers are expanded: there are too many."
	}
	return state, nil
}

func (w *worker) collapse([]js.Value) (map[string]any, error) {
	w.session.CollapseAll()
	return w.state(), nil
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
		"start": sel.Start, "head": sel.Head, "end": sel.End, "row": sel.Row, "line": sel.Line, "node": sel.Node, "parent": sel.Parent,
		"path": sel.Path, "text": sel.Text, "editable": sel.Editable, "html": sel.HTML, "rows": w.session.Rows(),
	}, nil
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
