//go:build js && wasm

// The command wasm is the part of the inspector page that runs in a worker of the
// browser. It holds the data and renders what the page shows.
package main

import (
	"syscall/js"

	"github.com/octet-go/octet/cmd/octet/internal/view"
)

func main() {
	w := &worker{}
	js.Global().Set("octetCall", js.FuncOf(w.call))
	js.Global().Call("octetReady")
	select {}
}

// A worker holds the data between calls.
type worker struct {
	session *view.Session
	loading []byte // a file that is being received
}

// call runs one method: its name, then its arguments. The result is an object; an
// error is an object with the field error.
func (w *worker) call(_ js.Value, args []js.Value) any {
	run, ok := methods[args[0].String()]
	if !ok {
		return map[string]any{"error": "unknown method " + args[0].String()}
	}
	if run.session && w.session == nil {
		return map[string]any{"error": "no file is open"}
	}
	result, err := run.do(w, args[1:])
	if err != nil {
		return map[string]any{"error": err.Error()}
	}
	return result
}

type method struct {
	session bool // needs an open file
	do      func(w *worker, args []js.Value) (map[string]any, error)
}
