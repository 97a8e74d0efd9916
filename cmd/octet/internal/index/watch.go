package index

import "io"

// A Watch is called again and again during long work, with the number of bytes that have
// been read and the number of all bytes. An error stops the work, which returns it. A Watch
// can be nil.
type Watch func(done, total int) error

// Call calls the watch if there is one.
func (s Watch) Call(done, total int) error {
	if s == nil {
		return nil
	}
	return s(done, total)
}

// Reader returns a reader of data that calls the watch before each part of it.
func (s Watch) Reader(data []byte) io.Reader { return &reader{data: data, watch: s} }

type reader struct {
	data  []byte
	at    int
	watch Watch
}

func (r *reader) Read(p []byte) (int, error) {
	if r.at == len(r.data) {
		return 0, io.EOF
	}
	if err := r.watch.Call(r.at, len(r.data)); err != nil {
		return 0, err
	}
	n := copy(p[:min(len(p), distance)], r.data[r.at:])
	r.at += n
	return n, nil
}
