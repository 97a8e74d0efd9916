package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/inspect"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/tally"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/layout/formats"
)

// maxMessages is the largest input that inspect --layout reads. The messages of a file
// refer to each other, so the whole file is in memory.
const maxMessages = 1 << 30

// layoutHelp is the part of the help of inspect about --layout.
const layoutHelp = `With --layout, inspect shows the messages of another format: every field with its
offset, its bytes and its value. "octet inspect --layout list" lists the formats.
The whole file is read into memory, at most 1 GiB, and the fields of one message
take up to 200 bytes of memory for each of its bytes.`

// listLayouts prints the formats of --layout.
func (a *app) listLayouts() error {
	for _, name := range formats.Names() {
		f, _ := formats.Lookup(name)
		if _, err := fmt.Fprintf(a.Stdout, "%-8s %s\n", name, f.About()); err != nil {
			return failure.Accessing("standard output", err)
		}
	}
	return nil
}

// inspectMessages shows the messages of the format that --layout names.
func (a *app) inspectMessages(ctx context.Context, v *inspectFlags) error {
	if v.layout == "list" {
		return a.listLayouts()
	}
	f, ok := formats.Lookup(v.layout)
	if !ok {
		return fmt.Errorf("--layout: unknown format %q; the formats are %s", v.layout, strings.Join(formats.Names(), ", "))
	}
	for _, flag := range []struct {
		name string
		set  bool
	}{{"--path", v.path != ""}, {"--offset", v.offset != 0}, {"--nested", v.nested}, {"--all", v.all}} {
		if flag.set {
			return fmt.Errorf("--layout and %s cannot be used together", flag.name)
		}
	}
	o := input.Options{Args: a.line("inspect"), Format: sniff.MessagePack, Raw: true}
	return a.showEach(ctx, v, o, func(in *input.Input, to *tally.Writer, quit <-chan struct{}) error {
		return a.inspectMessagesOf(ctx, v, in, f, to, quit)
	})
}

// inspectMessagesOf shows the messages of one input.
func (a *app) inspectMessagesOf(ctx context.Context, v *inspectFlags, in *input.Input, f formats.Format, to *tally.Writer, quit <-chan struct{}) error {
	data, err := task.Await(ctx, quit, nil, func() ([]byte, error) { return io.ReadAll(io.LimitReader(in, maxMessages+1)) })
	if err != nil {
		return explainShow(err, in, to, quit)
	}
	if len(data) > maxMessages {
		return failure.New(failure.Data, in.Name, errors.New("the file has more than 1 GiB"))
	}
	o := inspect.Options{
		JSON: v.json, Depth: int64(v.depth), Limit: int64(v.limit),
		Width: a.Width(a.Stdout), Palette: console.NewPalette(a.Colored(a.color.Value, a.Stdout)),
	}
	if len(v.paths) > 1 {
		o.File = in.Name
		if !v.json {
			if err := a.heading(to, in.Name, o.Palette); err != nil {
				return explainShow(err, in, to, quit)
			}
		}
	}
	_, err = task.Await(ctx, quit, nil, func() (inspect.Result, error) { return inspect.Messages(to, data, f, o) })
	if err != nil && to.Err() == nil && err != failure.ErrInterrupted && err != task.ErrQuit {
		// Package names are of no use to the user.
		text := strings.Replace(strings.TrimPrefix(err.Error(), "formats: "), "layout: ", "", 1)
		f := failure.New(failure.Data, in.Name, errors.New(text))
		if to.N() == 0 {
			f.Detail = "The file may be in another format; to list those that are known: octet inspect --layout list"
		}
		return f
	}
	return explainShow(err, in, to, quit)
}
