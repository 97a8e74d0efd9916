package record

import "github.com/octet-go/octet/msgpack"

// WriteSlice appends each element of a slice as one record, in order and without
// records of other goroutines in between. It is faster than a call of [Writer.Write]
// for each of them, because the Writer is locked once and the type is looked up
// once. This matters for small structs.
//
// An error is that of the first element that cannot be written. Those before it are
// written. As for Write, the Writer can be used further after errors about a value.
func WriteSlice[T any](w *Writer, values []T) error {
	if w.out == nil {
		return w.failed()
	}
	t, err := msgpack.For[T](w.o.Codec)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	full := headroom + w.o.BlockSize
	for i := range values {
		if e := w.failure.Load(); e != nil {
			return *e
		}
		b, err := t.Append(w.buf, &values[i])
		if err != nil {
			return err
		}
		if len(b) < full && w.o.SyncEvery == 0 {
			w.buf = b
			w.records++
			continue
		}
		if err := w.added(b); err != nil {
			return err
		}
	}
	return nil
}
