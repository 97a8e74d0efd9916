//go:build js && wasm

package main

import (
	"errors"
	"syscall/js"
)

// A job is a call whose work can take long.
type job struct {
	id      int
	loading []byte // a file that is being received
	stopped bool
	last    float64       // when it began to run after the last pause, in milliseconds
	wake    chan struct{} // ends a pause
}

// slice is how many milliseconds a job runs before it pauses. A short call waits for as
// long, and the time of a pause itself must be small beside it.
const slice = 10

var errStopped = errors.New("stopped")

func now() float64 { return js.Global().Get("performance").Call("now").Float() }

// watch is the [index.Watch] of the job.
func (j *job) watch(done, total int) error {
	if j.stopped {
		return errStopped
	}
	if now()-j.last < slice {
		return nil
	}
	js.Global().Call("octetPause", j.id, float64(done)/float64(max(total, 1)))
	<-j.wake
	if j.last = now(); j.stopped {
		return errStopped
	}
	return nil
}

// resume(id) ends the pause of a job.
func (w *worker) resume(_ js.Value, args []js.Value) any {
	if j := w.jobs[args[0].Int()]; j != nil {
		j.wake <- struct{}{} // does not wait, because a job pauses once before each call
	}
	return nil
}

// stop(id) makes a job end at its next pause.
func (w *worker) stop(_ js.Value, args []js.Value) any {
	if j := w.jobs[args[0].Int()]; j != nil {
		j.stopped = true
	}
	return nil
}

// An output sends text to the page: its beginning as soon as it is complete, and, if all is
// set, all of it in parts, of which the worker makes a Blob.
type output struct {
	j     *job
	all   bool
	begin []byte
	sent  bool
	part  []byte
	size  int
}

const (
	longestBegin = 20_000 // bytes; a browser draws more of them slowly
	partSize     = 1 << 20
)

func (o *output) Write(b []byte) (int, error) {
	o.size += len(b)
	if o.all {
		if o.part = append(o.part, b...); len(o.part) >= partSize {
			o.send()
		}
		return len(b), nil
	}
	o.begin = append(o.begin, b[:min(len(b), longestBegin-len(o.begin))]...)
	if len(o.begin) == longestBegin && !o.sent {
		o.sent = true
		js.Global().Call("octetBegin", o.j.id, o.text())
	}
	return len(b), nil
}

// text returns the beginning.
func (o *output) text() string {
	if o.size > len(o.begin) {
		return string(o.begin) + "\n… Copy and Download give the complete text."
	}
	return string(o.begin)
}

// send sends the part that is left.
func (o *output) send() {
	array := js.Global().Get("Uint8Array").New(len(o.part))
	js.CopyBytesToJS(array, o.part)
	js.Global().Call("octetPart", o.j.id, array)
	o.part = o.part[:0]
}
