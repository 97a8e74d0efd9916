package transcode_test

import (
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/transcode"
)

// A panicker panics with itself in the call of Write after so many calls.
type panicker struct{ calls int }

func (p *panicker) Write(b []byte) (int, error) {
	if p.calls--; p.calls < 0 {
		panic(p)
	}
	return len(b), nil
}

// A panic of the writer reaches the caller, who can recover it. In another goroutine, it
// would end the program.
func TestPanickingWriter(t *testing.T) {
	for name, convert := range map[string]func(io.Writer, io.Reader, *transcode.Options) (transcode.Stats, error){
		"ToMsgpack": transcode.ToMsgpack, "ToJSON": transcode.ToJSON,
	} {
		for _, input := range []string{"1", "1 2 3 4 ", strings.Repeat("[1,2,3]\n", 1<<18)} {
			for calls := range 3 {
				for _, r := range []io.Reader{strings.NewReader(input), iotest.HalfReader(strings.NewReader(input))} {
					w := &panicker{calls}
					if v := panicOf(func() { _, _ = convert(w, r, nil) }); w.calls < 0 && v != any(w) {
						t.Errorf("%s of %d bytes, call %d of Write: panic with %v", name, len(input), calls, v)
					} else if w.calls >= 0 && v != nil {
						t.Errorf("%s of %d bytes: panic with %v, but Write did not panic", name, len(input), v)
					}
				}
			}
		}
	}
}

// A failing writer of a test ends its goroutine. The conversion ends that of the caller.
func TestExitingWriter(t *testing.T) {
	for _, input := range []string{"1", strings.Repeat("[1,2,3]\n", 1<<18)} {
		for calls := range 3 {
			for _, r := range []io.Reader{strings.NewReader(input), iotest.HalfReader(strings.NewReader(input))} {
				exited, left := false, calls
				done := make(chan struct{})
				go func() {
					defer close(done)
					_, _ = transcode.ToMsgpack(writerFunc(func(b []byte) (int, error) {
						if left--; left < 0 {
							exited = true
							runtime.Goexit()
						}
						return len(b), nil
					}), r, nil)
					if exited {
						t.Errorf("%d bytes, call %d of Write: ToMsgpack returned after runtime.Goexit", len(input), calls)
					}
				}()
				<-done
			}
		}
	}
}

type writerFunc func(b []byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// panicOf returns what call panics with, or nil.
func panicOf(call func()) (v any) {
	defer func() { v = recover() }()
	call()
	return nil
}
