package main

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
	"github.com/octet-go/octet/transcode"
)

// fix rewrites the file of in, in which r has found something.
func (a *app) fix(in *input.Input, r *reporter) error {
	switch {
	case in.Format == sniff.JSON:
		return fmt.Errorf("--fix repairs MessagePack, but %s is JSON; change it in an editor", in.Name)
	case !in.Plain():
		return fmt.Errorf("--fix does not rewrite record files or compressed files; try: octet convert %s -o FILE.msgpack", input.Quote(in.Path))
	}
	// The first pass has consumed the input, so the file is opened again.
	again, err := input.Open(context.Background(), a.Console, in.Path, input.Options{Raw: true, Format: sniff.MessagePack})
	if err != nil {
		return err
	}
	defer again.Close()
	out, err := a.rewritten.Create(in.Path, a.Stdout)
	if err != nil {
		return err
	}
	defer a.rewritten.Discard() // unless it is committed
	w := bufio.NewWriterSize(out, 64<<10)
	left, err := r.rewrite(w, again)
	if err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := a.rewritten.Commit(); err != nil {
		return err
	}
	r.fixed += r.inFile - left
	a.Note("octet: lint: %s: fixed %d of %s", in.Name, r.inFile-left, console.Plural(r.inFile, "finding"))
	return nil
}

// rewrite writes the repaired values and returns how many findings they still
// have.
func (r *reporter) rewrite(w io.Writer, in *input.Input) (left int64, err error) {
	repair := canonical.Rewriter{Merge: true, Sort: r.Canonical, Narrow: r.Canonical, Last: r.lossy, Bin: r.lossy}
	rest := r.Options
	rest.Single = false // each value is checked separately, so Single is checked below
	var data []byte
	values := int64(0)
	for v, err := range in.Values(transcode.Options{}) {
		var fault *scan.Fault
		if r.lossy && errors.As(err, &fault) {
			return left, nil // the rest of the file is dropped
		}
		if err != nil {
			return left, err
		}
		if values++; values == 2 && r.Single {
			if r.lossy {
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
