//go:build js && wasm

package main

import (
	"syscall/js"

	"github.com/octet-go/octet/cmd/octet/internal/view"
)

// A work is a method that is a job, or a part of one that does not take long.
type work struct {
	session bool // needs an open file
	part    bool
	do      func(w *worker, j *job, args []js.Value) (map[string]any, error)
}

// works are the calls of the page that can take long.
var works = map[string]work{
	"begin":   {false, true, (*worker).begin},
	"receive": {false, true, (*worker).receive},
	"drop":    {false, true, (*worker).drop},
	"open":    {false, false, (*worker).open},
	"paste":   {false, false, (*worker).paste},
	"compare": {true, false, (*worker).compare},
	"find":    {true, false, (*worker).find},
	"count":   {true, false, (*worker).count},
	"example": {true, false, (*worker).example},
	"edit":    {true, false, (*worker).edit},
	"undo":    {true, false, (*worker).undo},
	"fix":     {true, false, (*worker).fix},
	"lint":    {true, false, (*worker).lint},
	"sizes":   {true, false, (*worker).sizes},
	"export":  {true, false, (*worker).export},
}

// begin(size) allocates the memory for a file.
func (w *worker) begin(j *job, args []js.Value) (map[string]any, error) {
	j.loading = make([]byte, 0, args[0].Int())
	return nil, nil
}

// receive(bytes) appends a part of the file.
func (w *worker) receive(j *job, args []js.Value) (map[string]any, error) {
	if j.stopped {
		return nil, errStopped
	}
	n := len(j.loading)
	j.loading = append(j.loading, make([]byte, args[0].Get("length").Int())...)
	js.CopyBytesToGo(j.loading[n:], args[0])
	return nil, nil
}

// drop() ends a job that will not get all of its file.
func (w *worker) drop(j *job, _ []js.Value) (map[string]any, error) {
	delete(w.jobs, j.id)
	return nil, nil
}

// open(name, own) shows the file that was received. If it is the data of the page itself,
// own is set: it is then MessagePack, even if the same bytes could be JSON.
func (w *worker) open(j *job, args []js.Value) (map[string]any, error) {
	data, form := j.loading, "MessagePack"
	j.loading = nil
	if !args[1].Bool() {
		var err error
		if data, form, err = view.Import(data, j.watch); err != nil {
			return nil, err
		}
	}
	return w.show(j, args[0].String(), data, form)
}

// show shows data. form is the form in which it was given.
func (w *worker) show(j *job, name string, data []byte, form string) (map[string]any, error) {
	session, err := view.Open(name, data, j.watch)
	if err != nil {
		return nil, err
	}
	w.session = session
	state := w.state()
	state["form"] = form
	return state, nil
}

// paste(text, form) shows the values that text describes.
func (w *worker) paste(j *job, args []js.Value) (map[string]any, error) {
	data, form, err := view.Parse(args[0].String(), args[1].String())
	if err != nil {
		return nil, err
	}
	return w.show(j, "pasted", data, form)
}

// compare(name) compares with the file that was received.
func (w *worker) compare(j *job, args []js.Value) (map[string]any, error) {
	data, _, err := view.Import(j.loading, j.watch)
	if err != nil {
		return nil, err
	}
	return rendered(w.session.Compare(data, args[0].String(), j.watch))
}

func rendered(html string, err error) (map[string]any, error) {
	return map[string]any{"html": html}, err
}

// find(text, case, back, from) returns an offset, and whether it is a match to count.
func (w *worker) find(j *job, args []js.Value) (map[string]any, error) {
	f, err := w.session.Find(view.Query{Text: args[0].String(), Case: args[1].Bool(), Back: args[2].Bool(), From: args[3].Int()}, j.watch)
	return map[string]any{"offset": f.Offset, "match": f.Match}, err
}

// count(offset) returns the number of matches of the last text that was found, and the
// number of the match at an offset.
func (w *worker) count(j *job, args []js.Value) (map[string]any, error) {
	n, total, err := w.session.Count(args[0].Int(), j.watch)
	return map[string]any{"n": n, "total": total}, err
}

// example(path) returns the offset of a value with a path from the list of sizes.
func (w *worker) example(j *job, args []js.Value) (map[string]any, error) {
	offset, err := w.session.Example(args[0].String(), j.watch)
	return map[string]any{"offset": offset}, err
}

// edit(offset, text) replaces a value.
func (w *worker) edit(j *job, args []js.Value) (map[string]any, error) {
	if err := w.session.Edit(args[0].Int(), args[1].String(), j.watch); err != nil {
		return nil, err
	}
	return w.state(), nil
}

func (w *worker) undo(j *job, _ []js.Value) (map[string]any, error) {
	at, err := w.session.Undo(j.watch)
	if err != nil {
		return nil, err
	}
	state := w.state()
	state["offset"] = at
	return state, nil
}

func (w *worker) fix(j *job, _ []js.Value) (map[string]any, error) {
	if err := w.session.Fix(j.watch); err != nil {
		return nil, err
	}
	return w.state(), nil
}

func (w *worker) lint(j *job, args []js.Value) (map[string]any, error) {
	return rendered(w.session.Lint(args[0].Bool(), j.watch))
}

// sizes(width) renders the bytes by path.
func (w *worker) sizes(j *job, args []js.Value) (map[string]any, error) {
	return rendered(w.session.Sizes(args[0].Int(), j.watch))
}

// export(form, offset, all) returns the beginning of the text, or sends all of it, and
// returns a note about what was lost.
func (w *worker) export(j *job, args []js.Value) (map[string]any, error) {
	o := &output{j: j, all: args[2].Bool()}
	note, err := w.session.Export(o, args[0].String(), args[1].Int(), j.watch)
	if err == nil && o.all {
		o.send()
	}
	return map[string]any{"text": o.text(), "note": note}, err
}
