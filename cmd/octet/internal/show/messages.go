package show

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/inspect"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/layout/formats"
)

// maxMessages is the largest input that Messages reads. The messages of a file
// refer to each other, so the whole file is in memory.
const maxMessages = 1 << 30

// Layouts prints the formats of messages that are known.
func Layouts(w io.Writer) error {
	for _, name := range formats.Names() {
		f, _ := formats.Lookup(name)
		if _, err := fmt.Fprintf(w, "%-8s %s\n", name, f.About()); err != nil {
			return failure.Accessing("standard output", err)
		}
	}
	return nil
}

// Messages shows the messages of another format in files.
func (v *Options) Messages(ctx context.Context, files *input.Files, f formats.Format) error {
	raw := *files
	raw.Format, raw.Raw = sniff.MessagePack, true
	return v.each(ctx, &raw, func(in *input.Input, to *screen) error {
		return v.messages(ctx, &raw, in, f, to)
	})
}

// messages shows the messages of one input.
func (v *Options) messages(ctx context.Context, files *input.Files, in *input.Input, f formats.Format, to *screen) error {
	tooLarge := failure.New(failure.Data, in.Name, errors.New("the file has more than 1 GiB"))
	if in.Path != "-" && in.Plain() && in.Size() > maxMessages { // standard input may not be at its beginning
		return tooLarge
	}
	data, err := task.Await(ctx, to.quit, nil, func() ([]byte, error) { return io.ReadAll(io.LimitReader(in, maxMessages+1)) })
	if err != nil {
		return to.explain(err, in)
	}
	if len(data) > maxMessages {
		return tooLarge
	}
	o := v.options(files)
	if len(files.Paths) > 1 {
		o.File = in.Name
		if err := v.heading(to, files.Console.Name(files.Console.Stdout, in.Name)); err != nil {
			return to.explain(err, in)
		}
	}
	_, err = task.Await(ctx, to.quit, nil, func() (inspect.Result, error) { return inspect.Messages(to, data, f, o) })
	if err != nil && to.Err() == nil && err != failure.ErrInterrupted && err != task.ErrQuit {
		// Package names are of no use to the user.
		text := strings.Replace(strings.TrimPrefix(err.Error(), "formats: "), "layout: ", "", 1)
		f := failure.New(failure.Data, in.Name, errors.New(text))
		if to.N() == 0 {
			f.Detail = "The file may be in another format; to list those that are known: octet inspect --layout list"
		}
		return f
	}
	return to.explain(err, in)
}
