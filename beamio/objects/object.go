package objects

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"gocloud.dev/blob"
)

// An Object reads one version of an object. It is an [io.ReaderAt] for package record,
// and an [io.Reader] that begins at the start. Its methods are safe for concurrent use,
// one at a time.
type Object struct {
	source

	readAhead int64

	mu      sync.Mutex
	closed  bool
	pos     int64 // of Read
	head    piece
	tail    piece
	window  piece
	next    int64 // the end of the last request
	step    int64 // its length, if it went on where another one ended
	largest int64 // the largest length that was asked for
	from    int64 // the range that is expected
	to      int64
}

const (
	openHead  = 64 << 10 // of the request of Open, which is all of a small object
	rangeHead = 16 << 10 // of an object of a known size, of which a range is read
	minTail   = 64 << 10
	maxTail   = 8 << 20
	// The tables of a record file take 36 bytes for a block, and blocks have 256 KiB
	// before compression.
	tailShare = 1024
	// Bytes before a request that stay in memory, because package record reads the
	// header of a block again.
	carry = 4 << 10
)

// Open opens an object. It makes one request, which reads the first 64 KiB. The context
// is that of all later requests, too.
func (s *Store) Open(ctx context.Context, path string) (*Object, error) {
	b, key, err := s.bucket(ctx, path)
	if err != nil {
		return nil, err
	}
	o := s.object(ctx, b, path, key)
	first, err := o.start(openHead)
	if err != nil {
		return nil, err
	}
	o.head = piece{0, first}
	o.next = int64(len(first))
	return o, nil
}

// OpenRead is [Store.Open], as a filesystem of Beam has it.
func (s *Store) OpenRead(ctx context.Context, path string) (io.ReadCloser, error) {
	o, err := s.Open(ctx, path)
	if err != nil {
		return nil, err // not a nil *Object
	}
	return o, nil
}

// OpenVersion opens a version of an object that [Store.Visit] has found, or [Object.Version]
// has returned, and its size in bytes. It makes no request. The first read of another
// version is [ErrChanged]. The result is an [Object].
func (s *Store) OpenVersion(ctx context.Context, path, version string, size int64) (io.ReadCloser, error) {
	b, key, err := s.bucket(ctx, path)
	if err != nil {
		return nil, err
	}
	if size < 0 || version == "" {
		return nil, fmt.Errorf("%w: version %q of %d bytes of %s", ErrOptions, version, size, path)
	}
	o := s.object(ctx, b, path, key)
	o.version, o.size = version, size
	return o, nil
}

func (s *Store) object(ctx context.Context, b *blob.Bucket, path, key string) *Object {
	return &Object{source: source{ctx: ctx, bucket: b, path: path, key: key, timeout: s.o.Timeout}, readAhead: int64(s.o.ReadAhead)}
}

// Size returns the number of bytes.
func (o *Object) Size() int64 { return o.size }

// Version returns the ETag without quotes, or the generation.
func (o *Object) Version() string { return o.version }

// Expect says that the bytes from one offset to another will be read in order. Requests
// then end there at the latest, and what is read outside of them is not read ahead.
// Expect can be called again if the range becomes shorter or longer.
func (o *Object) Expect(from, to int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.from, o.to = max(from, 0), min(to, o.size)
}

// ReadAt reads len(b) bytes at an offset, or returns [io.EOF] with those before the end.
func (o *Object) ReadAt(b []byte, offset int64) (n int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.readAt(b, offset)
}

// Read reads from where the last Read ended.
func (o *Object) Read(b []byte) (n int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.pos >= o.size && len(b) > 0 {
		return 0, io.EOF
	}
	n, err = o.readAt(b[:min(int64(len(b)), max(o.size-o.pos, 0))], o.pos)
	o.pos += int64(n)
	return n, err
}

// Close frees the memory. The next read is an error.
func (o *Object) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.head, o.tail, o.window = piece{}, piece{}, piece{}
	return nil
}

func (o *Object) readAt(b []byte, offset int64) (n int, err error) {
	if o.closed {
		return 0, fmt.Errorf("objects: read %s: %w", o.path, fs.ErrClosed)
	}
	if offset < 0 {
		return 0, fmt.Errorf("%w: offset %d of %s", ErrOptions, offset, o.path)
	}
	o.largest = max(o.largest, int64(len(b)))
	for n < len(b) {
		at := offset + int64(n)
		if at >= o.size {
			return n, io.EOF
		}
		got := 0
		for _, p := range []*piece{&o.head, &o.tail, &o.window} {
			if got = p.copy(b[n:], at); got > 0 {
				break
			}
		}
		if n += got; got == 0 {
			if err := o.fill(at, int64(len(b)-n)); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// fill makes the request for n bytes at an offset that are not in memory.
func (o *Object) fill(at, n int64) error {
	p, from, to := o.plan(at, n)
	kept := 0
	if p == &o.window && p.end() == from {
		kept = copy(p.b[:cap(p.b)], p.b[max(len(p.b)-carry, 0):])
	}
	size := kept + int(to-from)
	if cap(p.b) < size {
		p.b = append(make([]byte, 0, size), p.b[:kept]...)
	}
	p.at, p.b = from-int64(kept), p.b[:size]
	if err := o.read(p.b[kept:], from); err != nil {
		*p = piece{}
		return err
	}
	o.next = to
	return nil
}

// plan returns which bytes to request, and which piece keeps them.
func (o *Object) plan(at, n int64) (p *piece, from, to int64) {
	expects, inOrder := o.to > 0, at == o.next
	if at != o.next {
		o.step = 0
	}
	switch tail := max(o.size-min(max(o.size/tailShare, minTail), maxTail), 0); {
	case o.head.b == nil && at < min(rangeHead, o.size):
		return &o.head, 0, min(rangeHead, o.size)
	case o.from <= at && at < o.to:
		return &o.window, at, min(at+o.readAhead, o.to)
	case expects: // such as the rest of the last block
		return &o.window, at, min(at+min(max(n, o.largest), o.readAhead), o.size)
	case at >= tail && !inOrder:
		return &o.tail, tail, o.size
	}
	o.step = min(max(n, 4*o.step, minRequest), o.readAhead)
	return &o.window, at, min(at+o.step, o.size)
}

// A piece is a part of an object that is in memory.
type piece struct {
	at int64
	b  []byte
}

func (p *piece) end() int64 { return p.at + int64(len(p.b)) }

// copy copies the bytes at an offset, as many as there are.
func (p *piece) copy(b []byte, offset int64) int {
	if offset < p.at || offset >= p.end() {
		return 0
	}
	return copy(b, p.b[offset-p.at:])
}
