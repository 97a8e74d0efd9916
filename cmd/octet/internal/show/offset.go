package show

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/task"
	"github.com/octet-go/octet/msgpack/wire"
)

// skipTo skips the bytes before the offset, at which a value must begin unless Force is
// set. After malformed bytes, a value can begin anywhere.
func (v *Options) skipTo(ctx context.Context, in *input.Input) error {
	if v.Offset == 0 {
		return nil
	}
	around := int64(-1)
	skipped, err := task.Await(ctx, nil, nil, func() (skipped int64, err error) {
		if v.Force {
			return in.Skip(v.Offset)
		}
		skipped, around, err = skipValues(in, v.Offset)
		if err == nil && around < 0 {
			_, err = in.Peek(1)
		}
		return skipped, err
	})
	switch {
	case err == io.EOF:
		return in.OffsetError(v.Offset, skipped)
	case err != nil && err != failure.ErrInterrupted:
		return in.Explain(err)
	case err == nil && around >= 0:
		return fmt.Errorf("--offset %d is inside the value that begins at offset %d; use --offset %d, or --force to read the bytes as values from there", v.Offset, around, around)
	}
	return err
}

// skipValues reads the values before an offset. If the offset is inside the header or the
// payload of a value, around is the offset of that value, and otherwise -1. At the end of
// the input it returns io.EOF with the number of bytes before it.
func skipValues(r io.Reader, offset int64) (skipped, around int64, err error) {
	l := &io.LimitedReader{R: r, N: offset}
	around = -1
	for s := scan.New(l, 0); err == nil; {
		var t scan.Token
		if t, err = s.Next(); err == nil && t.Offset+int64(t.Size)+int64(t.Payload) > offset {
			around = t.Offset
			break
		}
	}
	var f *scan.Fault
	if errors.As(err, &f) {
		// The bytes before the offset end inside a header, or they are not MessagePack.
		if errors.Is(f, wire.ErrTruncated) && f.Offset < offset {
			around = f.Offset
		}
		err = nil
	}
	if err != nil && err != io.EOF {
		return offset - l.N, -1, err
	}
	if _, err := io.Copy(io.Discard, l); err != nil {
		return offset - l.N, -1, err
	}
	if l.N > 0 {
		return offset - l.N, -1, io.EOF
	}
	return offset, around, nil
}
