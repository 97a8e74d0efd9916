// Package repair does the work of octet lint: it checks files with package lint, prints
// what it finds, and rewrites MessagePack files without it.
package repair

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/lint"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/internal/errtext"
)

// Options say what is repaired.
type Options struct {
	lint.Options      // what was checked
	Lossy        bool // also make repairs that lose data
}

// Check calls found for each finding in the values of in, which are read from r.
func (o *Options) Check(in *input.Input, r io.Reader, found func(lint.Finding) error) (lint.Summary, error) {
	if in.Format == sniff.JSON {
		return lint.RunJSON(bufio.NewReader(r), o.Options, found)
	}
	return lint.Run(scan.New(r, 0), o.Options, found)
}

// File rewrites the file of in, in which something was found. It returns how many
// findings are left.
func (o *Options) File(c *console.Console, in *input.Input, place *task.InPlace) (left int64, err error) {
	switch {
	case in.Format == sniff.JSON:
		return 0, fmt.Errorf("--fix repairs MessagePack, but %s is JSON; change it in an editor", errtext.Line(in.Name))
	case !in.Plain():
		return 0, fmt.Errorf("--fix does not rewrite record files or compressed files; try: octet convert %s -o FILE.msgpack", input.Quote(in.Path))
	}
	if err := in.CheckReplace(c); err != nil {
		return 0, err
	}
	// The first pass has consumed the input, so the file is opened again.
	again, err := input.Open(context.Background(), c, in.Path, input.Options{Raw: true, Format: sniff.MessagePack})
	if err != nil {
		return 0, err
	}
	defer again.Close()
	out, err := place.Create(in.Path, c.Stdout)
	if err != nil {
		return 0, err
	}
	defer place.Discard() // unless it is committed
	var head input.Head
	w := bufio.NewWriterSize(io.MultiWriter(out, &head), 64<<10)
	left, err = o.rewrite(w, again)
	if err != nil {
		return 0, err
	}
	if err := w.Flush(); err != nil {
		return 0, err
	}
	if err := in.CheckResult(&head); err != nil {
		return 0, err
	}
	return left, place.Commit(context.Background(), in, again)
}

// rewrite writes the repaired values and returns how many findings they still
// have.
func (o *Options) rewrite(w io.Writer, in *input.Input) (left int64, err error) {
	repair := canonical.Rewriter{Merge: true, Sort: o.Canonical, Narrow: o.Canonical, Last: o.Lossy, Bin: o.Lossy}
	rest := o.Options
	rest.Single = false // each value is checked separately, so Single is checked below
	var data []byte
	values := int64(0)
	for v, err := range in.Values() {
		var fault *scan.Fault
		if o.Lossy && errors.As(err, &fault) {
			return left, nil // the rest of the file is dropped
		}
		if err != nil {
			return left, err
		}
		if values++; values == 2 && o.Single {
			if o.Lossy {
				return left, nil
			}
			left++
		}
		if data, err = repair.Append(data[:0], v.Data); err != nil {
			return left, err
		}
		_, err = lint.Run(scan.New(bytes.NewReader(data), 0), rest, func(lint.Finding) error {
			left++
			return nil
		})
		if err != nil {
			return left, err
		}
		if _, err := w.Write(data); err != nil {
			return left, err
		}
	}
	return left, nil
}
