package record

import (
	"context"
	"io"
	"math"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// A Scanner reads the records of a stream, such as a pipe, or a file while it is
// written:
//
//	s := record.NewScanner(os.Stdin, nil)
//	for s.Scan() {
//		var v T
//		if err := s.Decode(&v); err != nil {
//			return err
//		}
//	}
//	return s.Err()
//
// It must not be used by several goroutines at the same time. [NewScanner] returns a
// Scanner. Scan of the zero Scanner returns false, and Err an error.
type Scanner struct {
	walk   walk
	src    *streamSource
	blocks blockReader
	o      Options
	report Report

	rest  []byte // of the block, after the record
	raw   msgpack.Raw
	index int // of the record in the block
	begun bool
	done  bool
	err   error
}

// NewScanner returns a Scanner that reads from r. It may read more than it returns
// records for.
func NewScanner(r io.Reader, o *Options) *Scanner {
	s := &Scanner{src: &streamSource{r: r}}
	s.o, s.err = checked(o)
	s.walk = walk{src: s.src, max: s.o.MaxBlock}
	s.blocks = blockReader{src: s.src, o: &s.o}
	return s
}

// Follow makes Scan wait for more at the end of the input, as the command tail -f
// does, until ctx is done. It then looks for more every interval; 0 means a tenth of
// a second. Follow must be called before the first Scan.
//
// The input can be a file that a Writer continues after a crash. The Scanner goes on
// with the blocks that replace the torn end. If the file loses blocks that were read, or
// is truncated and written again, the error is [ErrTruncated]. A file that another one
// replaces at its path is read to its end.
//
// An input that cannot seek, such as a pipe, is read by a goroutine. If it still waits for
// bytes one interval after ctx is done, Scan ends, and the goroutine stays until they come.
func (s *Scanner) Follow(ctx context.Context, interval time.Duration) {
	if s.src == nil {
		panic("record: " + errZeroScanner.Error())
	}
	if interval <= 0 {
		interval = time.Second / 10
	}
	f := &follower{ctx: ctx, interval: interval}
	s.src.follow = f
	if file, ok := s.src.r.(io.ReadSeeker); ok {
		if begin, err := file.Seek(0, io.SeekCurrent); err == nil {
			f.file, f.begin = file, begin
			return
		}
	}
	s.src.r = &cancelReader{ctx: ctx, wait: interval, r: s.src.r} // a pipe
}

// Scan goes to the next record. It returns false at the end of the input, at a torn
// end, and after an error.
func (s *Scanner) Scan() bool {
	s.raw = nil
	if s.src == nil {
		s.err = fault(errZeroScanner, "")
	}
	if s.err != nil {
		return false
	}
	if s.begun {
		s.index++
	}
	for !s.begun || s.index >= s.blocks.block.Records {
		if len(s.rest) > 0 {
			return s.fail(s.blocks.surplus())
		}
		if !s.next() {
			return false
		}
	}
	n, err := wire.Skip(s.rest, math.MaxInt32)
	if err != nil {
		return s.fail(s.blocks.damaged(s.index))
	}
	s.raw, s.rest = msgpack.Raw(s.rest[:n:n]), s.rest[n:]
	return true
}

// next reads the next block.
func (s *Scanner) next() bool {
	if s.done {
		return false
	}
	retried := false
	for {
		before := s.walk
		found, b, err := s.walk.step()
		if err == nil && found == atBlock {
			if err = s.blocks.read(b); err != nil {
				found, err = atTear, s.walk.blockError(b, err)
			}
		}
		if err != nil && s.src.follow.seeks() && (err == errAgain || isPlace(err) && !retried) {
			// An incomplete frame may have been replaced, even while it was read.
			retried = err != errAgain
			if err = s.again(before, err); err == nil {
				continue
			}
		}
		if isPlace(err) && !retried && s.src.follow == nil && s.reread(before) {
			retried = true
			continue
		}
		switch {
		case err != nil:
			return s.fail(err)
		case found == atHeader:
			if s.report.Parts++; s.report.Parts == 1 && s.src.follow != nil {
				s.src.follow.first = s.walk.header.bytes()[:fileMapAt]
			}
		case found == atBlock:
			s.report.add(b)
			s.begun, s.index, s.rest = true, 0, s.blocks.content
			return true
		default:
			s.done = true
			s.report.Size = s.src.end()
			if found == atTear {
				s.report.Torn = s.report.Size - s.walk.pos
			}
			if s.src.err != nil {
				return s.fail(s.src.err)
			}
			return false
		}
	}
}

// reread makes the next step that of before, if the input is a file. A Writer may have replaced
// its torn end, of which a part was read before that and the rest after.
func (s *Scanner) reread(before walk) bool {
	file, ok := s.src.r.(interface {
		io.ReaderAt
		io.Seeker
	})
	if !ok {
		return false
	}
	now, err := file.Seek(0, io.SeekCurrent)
	begin := now - s.src.end()
	if err != nil || begin < 0 {
		return false
	}
	size := before.pos + int64(before.header.size)
	if !before.same(&fileSource{r: io.NewSectionReader(file, begin, size), size: size}) {
		return false // another file
	}
	if _, err := file.Seek(begin+before.pos, io.SeekStart); err != nil {
		return false
	}
	s.walk = before
	*s.src = streamSource{r: s.src.r, buf: s.src.buf[:0], start: before.pos}
	return true
}

// again makes the next step that of before. If a frame was incomplete, it waits until it
// may be whole.
func (s *Scanner) again(before walk, reason error) error {
	f := s.src.follow
	if reason == errAgain {
		at := s.walk.pos
		f.head = append(f.head[:0], s.src.peek(at, headSize)...)
		if at < s.src.start {
			f.need = 0 // what was there is not known any more
		}
		if err := f.await(at); err != nil {
			return faultAt(err, at, "seek")
		}
	}
	s.walk = before
	if s.src.again(before.pos) {
		return nil
	}
	return s.src.err
}

func (s *Scanner) fail(err error) bool {
	s.err = err
	if isPlace(err) {
		s.report.Damage, s.report.Damaged = []Damage{{Offset: s.walk.pos, Err: err}}, 1
	}
	return false
}

// Raw returns the bytes of the record. They are valid until the next Scan.
func (s *Scanner) Raw() msgpack.Raw { return s.raw }

// Decode decodes the record into the variable that v points to. The error is that of
// package msgpack inside an [*Error]; the Scanner can be used further. With a Codec
// that has AliasInput, what is decoded is valid until the next Scan.
func (s *Scanner) Decode(v any) error {
	if s.src == nil {
		return fault(errZeroScanner, "")
	}
	err := s.o.Codec.Unmarshal(s.raw, v)
	if err != nil {
		return &Error{Offset: s.blocks.block.Offset, Record: s.Ordinal(), Found: "value", Err: err}
	}
	return nil
}

// Ordinal returns the number of records before the record.
func (s *Scanner) Ordinal() int64 { return s.blocks.block.Ordinal + int64(s.index) }

// Err returns the error that ended the input, or nil after the end.
func (s *Scanner) Err() error { return s.err }

// Metadata returns Options.Metadata of the Writer, after the first call of Scan. In
// joined files it is that of the file whose record was read last.
func (s *Scanner) Metadata() map[string]any { return s.walk.header.metadata() }

// Report says what was read.
func (s *Scanner) Report() Report { return s.report }
