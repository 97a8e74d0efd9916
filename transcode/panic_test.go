package transcode_test

import (
	"io"
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

// panicOf returns what call panics with, or nil.
func panicOf(call func()) (v any) {
	defer func() { v = recover() }()
	call()
	return nil
}
