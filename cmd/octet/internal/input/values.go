package input

import (
	"io"
	"iter"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/cmd/octet/internal/sniff"
	"github.com/octet-go/octet/transcode"
)

// A Value is one top-level value of an Input as MessagePack.
type Value struct {
	Data   []byte // valid until the next Value
	Number int64  // number of values before it
	Offset int64  // of its first byte in the stream; -1 if the input is JSON
}

// MessagePack returns the values of the input as MessagePack. JSON is converted
// while it is read, in a goroutine that ends when the reader is closed or at the
// end of the input. An error in the JSON is a [*transcode.Error].
func (in *Input) MessagePack() io.ReadCloser {
	if in.Format != sniff.JSON {
		return io.NopCloser(in.Reader)
	}
	r, w := io.Pipe()
	go func() {
		_, err := transcode.ToMsgpack(w, in.Reader, nil)
		w.CloseWithError(err)
	}()
	return r
}

// Values returns the top-level values one after another. It keeps one value in
// memory. After an error, which [Input.Explain] explains, it stops.
func (in *Input) Values() iter.Seq2[Value, error] { return in.ValuesBefore(func() {}) }

// ValuesBefore is Values for a caller that keeps values together. It calls wait before it
// reads more of the input, which may have to be waited for.
func (in *Input) ValuesBefore(wait func()) iter.Seq2[Value, error] {
	return func(yield func(Value, error) bool) {
		r := in.MessagePack()
		defer r.Close()
		s := scan.New(waitReader{r, wait}, 0)
		v := Value{}
		for {
			v.Offset = s.Offset()
			var err error
			if v.Data, err = appendValue(v.Data[:0], s); err == io.EOF {
				return
			} else if err != nil {
				yield(Value{}, err)
				return
			}
			if in.Format == sniff.JSON {
				v.Offset = -1
			}
			if !yield(v, nil) {
				return
			}
			v.Number++
		}
	}
}

type waitReader struct {
	r    io.Reader
	wait func()
}

func (w waitReader) Read(b []byte) (int, error) {
	w.wait()
	return w.r.Read(b)
}

// appendValue appends the bytes of the next top-level value. Its memory grows
// with the bytes that have arrived, not with the lengths in the headers.
func appendValue(dst []byte, s *scan.Scanner) ([]byte, error) {
	for {
		if _, err := s.Next(); err != nil {
			return dst, err
		}
		dst = append(dst, s.Head()...)
		for s.Rest() > 0 {
			part, err := s.Payload(bufferSize)
			if err != nil {
				return dst, err
			}
			dst = append(dst, part...)
		}
		if s.Open() == 0 {
			return dst, nil
		}
	}
}
