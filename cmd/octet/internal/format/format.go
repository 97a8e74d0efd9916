// Package format rewrites values in the shortest or the canonical form. MessagePack
// stays MessagePack, and JSON stays JSON.
package format

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/internal/output"
)

// Options select the form and what is done with the result.
type Options struct {
	Output    string // the name of the file that Stream writes, which must not say another format
	Canonical bool   // equal values become equal bytes
	Pretty    bool   // indent JSON
	Write     bool   // Files replaces each file with its result
	Check     bool   // Files lists the files that would change
	JSON      bool   // Files prints an object for each file
}

// Stream writes the values of all files to w. They must have the same format. If w is a
// terminal, it refuses MessagePack.
func (o *Options) Stream(ctx context.Context, files *input.Files, w io.Writer, terminal bool) error {
	formats := map[sniff.Format]bool{}
	return files.Each(ctx, func(in *input.Input) error {
		if err := o.checkFormat(in); err != nil {
			return err
		}
		if formats[in.Format] = true; len(formats) > 1 {
			return errors.New("some of the files are JSON and some are MessagePack, so they cannot have one output; use --write")
		}
		if in.Format == sniff.MessagePack && terminal {
			return task.ErrTerminal
		}
		if in.Format != sniff.Unknown {
			if err := input.NamesOther(o.Output, in.Format, false); err != nil {
				return err
			}
		}
		_, err := o.rewrite(w, in)
		return err
	})
}

// Files rewrites or checks each file, and prints to w what has changed. With Check, the
// error has the code Finding if a file would change.
func (o *Options) Files(ctx context.Context, files *input.Files, w io.Writer, place *task.InPlace) error {
	changed := int64(0)
	return files.Every(ctx, func(in *input.Input) error {
		if err := o.checkFormat(in); err != nil {
			return err
		}
		if o.Write {
			if err := in.CheckReplace(files.Console); err != nil {
				return err
			}
		}
		line, err := o.file(in, place, files.Console.Stdout)
		if err != nil {
			return err
		}
		if line.Changed {
			changed++
		}
		switch {
		case o.JSON:
			return output.JSONLines(w).Encode(line)
		case o.Check && line.Changed:
			_, err = fmt.Fprintln(w, in.Name)
		}
		return err
	}, func() error {
		if o.Check && changed > 0 {
			return failure.New(failure.Finding, "", errors.New(console.Plural(changed, "file")+" would change"))
		}
		return nil
	})
}

// An object is one line of octet fmt --json.
type object struct {
	File     string `json:"file"`
	Format   string `json:"format"`
	Values   int64  `json:"values"`
	BytesIn  int64  `json:"bytes_in"`
	BytesOut int64  `json:"bytes_out"`
	Changed  bool   `json:"changed"`
}

// file rewrites or checks one file.
func (o *Options) file(in *input.Input, place *task.InPlace, stdout io.Writer) (object, error) {
	line := object{File: in.Name, Format: in.Format.String()}
	var to io.Writer = io.Discard
	if o.Write {
		out, err := place.Create(in.Path, stdout)
		if err != nil {
			return line, err
		}
		defer place.Discard() // unless it is committed
		to = out
	}
	// The hashes show whether the result differs from the file. Neither is kept in
	// memory.
	before, after := &digest{Hash: sha256.New()}, &digest{Hash: sha256.New()}
	in.Reader = bufio.NewReaderSize(io.TeeReader(in.Reader, before), 64<<10)
	var head input.Head
	values, err := o.rewrite(io.MultiWriter(to, after, &head), in)
	if err != nil {
		return line, err
	}
	line.Values, line.BytesIn, line.BytesOut = values, before.n, after.n
	line.Changed = !bytes.Equal(before.Sum(nil), after.Sum(nil))
	if line.Changed && o.Write {
		if err := in.CheckResult(&head); err != nil {
			return line, err
		}
		return line, place.Commit(context.Background(), in)
	}
	return line, nil
}

// A digest hashes and counts bytes.
type digest struct {
	hash.Hash
	n int64
}

func (d *digest) Write(b []byte) (int, error) {
	d.n += int64(len(b))
	return d.Hash.Write(b)
}
