package input

import (
	"bufio"
	"bytes"
	"context"
	"errors"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/msgpack/wire"
)

// CheckReplace returns an error if the file should not be replaced because it may not be
// MessagePack: one of its values is a small integer that no array or map contains, as
// most bytes of any file are. A flag for the format, or the header of a record file,
// leaves no doubt. CheckReplace reads the file on its own, and does not report malformed
// data.
func (in *Input) CheckReplace(c *console.Console) error {
	if in.Format != sniff.MessagePack || in.forced || in.records != nil {
		return nil
	}
	again, err := Open(context.Background(), c, in.Path, Options{Format: sniff.MessagePack})
	if err != nil {
		return err
	}
	defer again.Close()
	var values wire.Splitter
	buf := make([]byte, bufferSize)
	inside := false // a value that has begun in an earlier part
	for {
		n, err := again.Read(buf)
		for part := buf[:n]; len(part) > 0; {
			k, whole, malformed := values.Next(part)
			if malformed != nil {
				return nil
			}
			if whole && k == 1 && !inside && sniff.IsSmallInt(part[0]) {
				f := failure.New(failure.Data, in.Name, errors.New("not replaced, because small integers outside of arrays and maps may be another format"))
				f.Detail = "To replace it anyway: --from msgpack"
				return f
			}
			inside, part = !whole, part[k:]
		}
		if err != nil {
			return nil
		}
	}
}

// A Head keeps the first bytes that are written to it, enough to tell their format.
type Head struct{ bytes []byte }

// Write implements [io.Writer].
func (h *Head) Write(b []byte) (int, error) {
	h.bytes = append(h.bytes, b[:min(len(b), sniff.MaxHead-len(h.bytes))]...)
	return len(b), nil
}

// CheckResult returns an error if the file should not be replaced by MessagePack that begins
// with h, because without a flag for the format it would be read as another one. Shorter
// formats can be bytes of text: [1] is a JSON array, and three integers.
func (in *Input) CheckResult(h *Head) error {
	if in.Format != sniff.MessagePack || in.forced || len(h.bytes) == 0 {
		return nil
	}
	result := &Input{Path: in.Path, Reader: bufio.NewReader(bytes.NewReader(h.bytes))}
	if result.choose(Options{}, h.bytes) == nil && result.Format == sniff.MessagePack {
		return nil
	}
	f := failure.New(failure.Data, in.Name, errors.New("not replaced, because the result would look like another format than MessagePack"))
	f.Detail = "To replace it anyway: --from msgpack"
	return f
}
