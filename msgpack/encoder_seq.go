package msgpack

import (
	"iter"
	"math"
	"strconv"

	"github.com/octet-go/octet/msgpack/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

// EncodeSeq writes an array of the n elements of s. It encodes them one at a time,
// as [Encoder.Encode] does, so the array need not fit in memory.
//
// The error is [ErrIncomplete] or [ErrSurplus] if s does not have n elements. If
// nothing of the array has been written to the writer, e drops the array and can be
// used further. Otherwise, every further call to e returns the same error until
// [Encoder.Reset].
func EncodeSeq[T any](e *Encoder, n int, s iter.Seq[T]) (err error) {
	q, err := e.beginSeq(n, "element", wire.AppendArrayHeader, 1)
	if err != nil {
		return err
	}
	defer q.end(&err) // also if s panics
	for v := range s {
		if err = q.next(); err == nil {
			err = underAny(q.count-1, e.Encode(&v))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// EncodeSeq2 writes a map of the n pairs of s, in the order of s. It does not
// detect duplicate keys. Otherwise it is like [EncodeSeq].
func EncodeSeq2[K, V any](e *Encoder, n int, s iter.Seq2[K, V]) (err error) {
	q, err := e.beginSeq(n, "pair", wire.AppendMapHeader, 2)
	if err != nil {
		return err
	}
	defer q.end(&err)
	for k, v := range s {
		if err = q.next(); err == nil {
			err = e.Encode(&k)
		}
		if err == nil {
			err = underAny(k, e.Encode(&v))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// underAny puts an index or a key before the path of err. It returns nil and
// errors of the writer unchanged.
func underAny(key any, err error) error {
	if _, ok := err.(*Error); !ok {
		return err
	}
	if i, ok := key.(int); ok {
		return underIndex(i, err)
	}
	return underKey(key, err)
}

// A sequence is a container that is written from an iterator. Until its end the
// ledger expects one value more than the header announces, so that neither the
// last element nor anything else completes it too early.
type sequence struct {
	e       *Encoder
	start   int64  // offset of the header in the output
	level   int    // of the container in the ledger
	unit    string // "element" or "pair"
	size    int    // values of one element
	n       int    // elements that the header announces
	count   int    // elements so far
	misused bool   // the iterator has used the encoder
}

func (e *Encoder) beginSeq(n int, unit string, header func([]byte, uint32) []byte, size int) (*sequence, error) {
	if n < 0 || uint64(n) > math.MaxUint32 {
		return nil, failed(ErrLimit, "sequence of "+strconv.Itoa(n)+" "+unit+"s")
	}
	if err := e.begin(); err != nil {
		return nil, err
	}
	q := &sequence{e: e, start: e.written + int64(len(e.buf)), unit: unit, size: size, n: n}
	err := e.openContainer(header, uint32(n), uint64(size)*uint64(n)+1)
	q.level = len(e.open)
	return q, err
}

// next counts one element, which is encoded next.
func (q *sequence) next() error {
	if err := q.check(); err != nil {
		return err
	}
	if q.count == q.n {
		return failed(ErrSurplus, "sequence of more than "+syntax.Counted(uint64(q.n), q.unit))
	}
	q.count++
	return nil
}

// check makes sure that all values were encoded and no others.
func (q *sequence) check() error {
	e, left := q.e, uint64(q.size)*uint64(q.n-q.count)
	if e.due > 0 || len(e.open) != q.level || e.open[q.level-1] != left+1 {
		q.misused = true
		return failed(ErrInvalid, "sequence whose iterator used the Encoder")
	}
	return nil
}

// end completes the container, unless there was an error or there is one now.
func (q *sequence) end(err *error) {
	if *err == nil {
		*err = q.check()
	}
	if *err == nil && q.count < q.n {
		*err = &Error{Op: opMarshal, Found: "sequence of " + syntax.Counted(uint64(q.count), q.unit), Want: syntax.Counted(uint64(q.n), q.unit), Err: ErrIncomplete}
	}
	e := q.e
	switch {
	case *err == nil:
		*err = e.pass()
	case e.written <= q.start && !q.misused:
		// Nothing of the container was written: continue as if there had been no
		// call.
		e.buf = e.buf[:q.start-e.written]
		if e.open = e.open[:q.level-1]; q.level > 1 {
			e.open[q.level-2]++
		}
	default:
		e.err = *err
	}
}
