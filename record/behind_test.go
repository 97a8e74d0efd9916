package record

import (
	"bytes"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/octet-go/octet/msgpack"
)

// A gate is a writer that waits until it is opened.
type gate struct {
	bytes.Buffer
	opened chan struct{}
}

func (g *gate) Write(b []byte) (int, error) {
	if g.Len() > 0 { // not at the file header
		<-g.opened
	}
	return g.Buffer.Write(b)
}

// TestBehind writes blocks while the goroutine of the Writer waits for its destination. Write then makes the frames,
// which must divide markers as the goroutine does.
func TestBehind(t *testing.T) { synctest.Test(t, testBehind) }

func testBehind(t *testing.T) {
	out := &gate{opened: make(chan struct{})}
	w, err := NewWriter(out, &Options{BlockSize: minBlock})
	if err != nil {
		t.Fatal(err)
	}
	text := slices.Concat(make([]byte, minBlock), w.out.header.marker[:], []byte(name))
	const blocks = mostWaiting + 6
	done := make(chan error)
	go func() {
		for range blocks {
			if err := w.Write(text); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	// The goroutine has the first block, as many as possible wait, and Write waits with the next one. It has made frames.
	synctest.Wait()
	if len(w.jobs) != mostWaiting || w.buffers != mostWaiting+2 {
		t.Errorf("%d blocks wait, %d buffers", len(w.jobs), w.buffers)
	}
	close(out.opened)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if len(w.cuts) == 0 {
		t.Error("no frame was made by Write")
	}
	if n := bytes.Count(out.Bytes(), w.out.header.marker[:]); n != 1+blocks { // the file header and those of the blocks
		t.Errorf("%d markers in the file", n)
	}
	f := open(t, out.Bytes())
	list, err := collect(All[[]byte](f))
	if err != nil || len(list) != blocks || slices.ContainsFunc(list, func(b []byte) bool { return !bytes.Equal(b, text) }) {
		t.Errorf("%d records, %v", len(list), err)
	}
	if raw, s := scanAll(out.Bytes()); len(raw) != blocks || s.Err() != nil {
		t.Errorf("Scanner: %d records, %v", len(raw), s.Err())
	}
}

// TestWaitingBytes writes records that are larger than a block while the goroutine of the Writer waits for its
// destination. Only one of them waits, although many small blocks could.
func TestWaitingBytes(t *testing.T) {
	for name, write := range map[string]func(w *Writer, from *File) error{
		"Write": func(w *Writer, _ *File) error { return w.Write(make([]byte, waitingBytes)) },
		"Copy":  func(w *Writer, from *File) error { _, err := w.Copy(from, from.Range()); return err },
	} {
		t.Run(name, func(t *testing.T) {
			source := open(t, writeTo(t, Options{}, 0, []msgpack.Raw{append([]byte{0xc6, 0, 0x10, 0, 0}, make([]byte, waitingBytes)...)}))
			synctest.Test(t, func(t *testing.T) {
				out := &gate{opened: make(chan struct{})}
				w, err := NewWriter(out, &Options{BlockSize: minBlock})
				if err != nil {
					t.Fatal(err)
				}
				done := make(chan error)
				const blocks = 6
				go func() {
					for range blocks {
						if err := write(w, source); err != nil {
							done <- err
							return
						}
					}
					done <- nil
				}()
				synctest.Wait()
				if n := len(w.jobs); n != 1 {
					t.Errorf("%d blocks wait, %d bytes", n, w.waiting.Load())
				}
				close(out.opened)
				if err := <-done; err != nil {
					t.Fatal(err)
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				if f := open(t, out.Bytes()); f.Len() != blocks || w.waiting.Load() != 0 {
					t.Errorf("%d records, %d bytes wait", f.Len(), w.waiting.Load())
				}
			})
		})
	}
}
