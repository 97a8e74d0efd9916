//go:build js && wasm

// The command wasm is the part of the inspector page that runs in a worker of the
// browser. It holds the data and renders what the page shows.
//
// Long work runs in jobs. They pause often, so that the worker answers short calls in
// between and can stop them. WebAssembly has one thread, so nothing here needs a lock.
package main

import (
	"syscall/js"

	"github.com/octet-go/octet/cmd/octet/internal/view"
)

func main() {
	w := &worker{jobs: map[int]*job{}}
	js.Global().Set("octetCall", js.FuncOf(w.call))
	js.Global().Set("octetResume", js.FuncOf(w.resume))
	js.Global().Set("octetStop", js.FuncOf(w.stop))
	js.Global().Call("octetReady")
	select {}
}

// A worker holds the data between calls.
type worker struct {
	session *view.Session
	jobs    map[int]*job // that have begun and not ended
}

// call runs a method: the identifier of the call, the name of the method, and its arguments.
// The result is an object; an error is an object with the field error. A job has no result
// here: it calls octetDone with the identifier and the object.
func (w *worker) call(_ js.Value, args []js.Value) any {
	id, name, args := args[0].Int(), args[1].String(), args[2:]
	if run, ok := methods[name]; ok {
		if w.session == nil {
			return failed("no file is open")
		}
		return result(run(w, args))
	}
	run, ok := works[name]
	switch {
	case !ok:
		return failed("unknown method " + name)
	case run.session && w.session == nil:
		return failed("no file is open")
	}
	j := w.jobs[id]
	if j == nil {
		j = &job{id: id, wake: make(chan struct{}, 1)}
		w.jobs[id] = j
	}
	if run.part {
		return result(run.do(w, j, args))
	}
	j.last = now()
	go func() {
		done := result(run.do(w, j, args))
		delete(w.jobs, id)
		js.Global().Call("octetDone", id, done)
	}()
	return nil
}

func failed(text string) map[string]any { return map[string]any{"error": text} }

func result(values map[string]any, err error) map[string]any {
	if err != nil {
		return failed(err.Error())
	}
	return values
}
