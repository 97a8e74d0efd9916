//go:build go1.21

package estream

import (
	"bytes"
	"io"
	"testing"
)

// TestExchange exchanges streams of blocks.
func TestExchange(t *testing.T) {
	type stream struct {
		Name        string
		Extra, Data []byte
	}
	for name, v := range map[string]stream{
		"short": {"name", []byte("extra"), []byte("data")},
		"long":  {"other", bytes.Repeat([]byte{1, 2}, 300), bytes.Repeat([]byte("block"), 40_000)},
	} {
		exchange(t, name, v, func(v stream) ([]byte, error) {
			var b bytes.Buffer
			w := NewWriter(&b)
			s, err := w.AddUnencryptedStream(v.Name, v.Extra)
			if err != nil {
				return nil, err
			}
			if _, err := s.Write(v.Data); err != nil {
				return nil, err
			}
			if err := s.Close(); err != nil {
				return nil, err
			}
			err = w.Close()
			return b.Bytes(), err
		}, func(b []byte) (v stream, err error) {
			r, err := NewReader(bytes.NewReader(b))
			if err != nil {
				return v, err
			}
			s, err := r.NextStream()
			if err != nil {
				return v, err
			}
			data, err := io.ReadAll(s)
			return stream{s.Name, s.Extra, data}, err
		})
	}
}
