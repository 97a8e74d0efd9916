package arrayfile

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/cmd/octet/internal/arrays"
	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

// Info prints the headers of a file.
func (c *Command) Info(ctx context.Context, f *File, asJSON bool) error {
	return explain(f, c.info(ctx, f, asJSON))
}

func (c *Command) info(ctx context.Context, f *File, asJSON bool) error {
	s, err := c.source(f)
	if err != nil {
		return err
	}
	var failed []error
	list, err := task.Await(ctx, nil, nil, func() (list []arrays.Description, err error) {
		list, failed, err = descriptions(s, f)
		return list, err
	})
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for i, d := range list {
		if asJSON {
			text, err := json.Marshal(d)
			if err != nil {
				return err
			}
			b.Write(append(text, '\n'))
			continue
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(d.Text())
	}
	w := c.Stdout
	if c.IsTerminal(w) {
		w = &console.Escaper{W: w, Plain: !asJSON} // the text ends in a newline, so nothing is left in it
	}
	if _, err := b.WriteTo(w); err != nil {
		return failure.Accessing("standard output", err)
	}
	for i, err := range failed {
		if i == len(failed)-1 {
			return err
		}
		c.Note("octet: array: info: %v", err)
	}
	return nil
}

// descriptions reads the headers. It describes all arrays of a .npz file that it can. failed has the errors of the others.
func descriptions(s arrays.Source, f *File) (list []arrays.Description, failed []error, err error) {
	in, err := s.Open(false)
	if err == nil {
		defer in.Close()
		switch in.Format {
		case arrays.NPY, arrays.NPZ:
			if in.Format == arrays.NPY && f.Path != "-" {
				if _, err := array.Stat(f.Path); err != nil {
					return nil, nil, err // the file is too short
				}
			}
			return []arrays.Description{arrays.Describe(f.Entry, in.Info)}, nil, nil
		case arrays.Raw:
			if f.Path == "-" {
				return nil, nil, usageError("info of raw numbers needs a file, not standard input")
			}
			info := in.Info
			if info.Len = int(f.size) / info.ElementSize(); f.size%int64(info.ElementSize()) != 0 {
				return nil, nil, failure.New(failure.Data, f.Path, fmt.Errorf("the length of %s is not a multiple of %d, the size of %s", console.Plural(f.size, "byte"), info.ElementSize(), in.Kind.Name()))
			}
			info.Shape = []int{info.Len}
			return []arrays.Description{arrays.Describe("", info)}, nil, nil
		}
		return nil, nil, usageError("info reads .npy, .npz and raw files; " + f.Path + " has no header")
	}
	// Opening a .npz file fails without a name if it has several arrays. Then all of
	// them are described.
	if f.Entry != "" || !strings.HasSuffix(strings.ToLower(f.Path), ".npz") {
		return nil, nil, err
	}
	z, err := zip.OpenReader(f.Path)
	if err != nil {
		return nil, nil, err
	}
	defer z.Close()
	names := array.NamesNPZ(&z.Reader)
	if len(names) == 0 {
		return nil, nil, errors.New("the file has no arrays")
	}
	for _, name := range names {
		if info, err := array.StatNPZ(&z.Reader, name); err != nil {
			failed = append(failed, inArray(arrays.EntryName(name), f, err))
		} else {
			list = append(list, arrays.Describe(arrays.EntryName(name), info))
		}
	}
	return list, failed, nil
}

// inArray returns the error for an array of a .npz file.
func inArray(name string, f *File, err error) error {
	var known *failure.Error
	if errors.As(explain(f, err), &known) {
		return failure.New(known.Code, known.Subject, fmt.Errorf("array %s: %w", name, known.Err))
	}
	return err
}
