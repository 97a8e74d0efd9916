package bytebuf_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/octet-go/octet/bytebuf"
	"github.com/octet-go/octet/bytebuf/internal/buffertest"
)

// compare runs the same work with Buffer and with bytes.Buffer. Every benchmark contains the code twice, because a
// shared function would take the Buffer as an interface, which moves it to the heap.
func compare(b *testing.B, name string, ours, std func()) {
	b.Run(name+"/bytebuf", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ours()
		}
	})
	b.Run(name+"/bytes", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			std()
		}
	})
}

func BenchmarkBuildString(b *testing.B) {
	for _, n := range []int{0, 5, 64, 128, 1024} {
		text := strings.Repeat("x", n)
		compare(b, fmt.Sprint(n), func() {
			var w bytebuf.Buffer
			w.WriteString(text)
			result = w.String()
		}, func() {
			var w bytes.Buffer
			w.WriteString(text)
			result = w.String()
		})
	}
}

// BenchmarkWriteSmall writes 16 bytes at a time to a new Buffer.
func BenchmarkWriteSmall(b *testing.B) {
	p := []byte("0123456789abcdef")
	for _, n := range []int{64, 1024, 64 << 10} {
		compare(b, fmt.Sprint(n), func() {
			var w bytebuf.Buffer
			for range n / len(p) {
				w.Write(p)
			}
		}, func() {
			var w bytes.Buffer
			for range n / len(p) {
				w.Write(p)
			}
		})
	}
}

// BenchmarkWriteReused writes 16 bytes at a time to a Buffer that has enough memory.
func BenchmarkWriteReused(b *testing.B) {
	p := []byte("0123456789abcdef")
	var ours bytebuf.Buffer
	var std bytes.Buffer
	for _, n := range []int{64, 64 << 10} {
		compare(b, fmt.Sprint(n), func() {
			ours.Reset()
			for range n / len(p) {
				ours.Write(p)
			}
		}, func() {
			std.Reset()
			for range n / len(p) {
				std.Write(p)
			}
		})
	}
}

func BenchmarkWriteByte(b *testing.B) {
	for _, n := range []int{16, 64, 64 << 10} {
		compare(b, fmt.Sprint(n), func() {
			var w bytebuf.Buffer
			for range n {
				w.WriteByte('x')
			}
		}, func() {
			var w bytes.Buffer
			for range n {
				w.WriteByte('x')
			}
		})
	}
	var ours bytebuf.Buffer
	var std bytes.Buffer
	compare(b, "reused", func() {
		ours.Reset()
		for range 64 << 10 {
			ours.WriteByte('x')
		}
	}, func() {
		std.Reset()
		for range 64 << 10 {
			std.WriteByte('x')
		}
	})
}

func BenchmarkWriteRune(b *testing.B) {
	for _, n := range []int{16, 10_000} {
		compare(b, fmt.Sprint(n), func() {
			var w bytebuf.Buffer
			for range n {
				w.WriteRune('é')
			}
		}, func() {
			var w bytes.Buffer
			for range n {
				w.WriteRune('é')
			}
		})
	}
}

// BenchmarkWriteFormatted writes through io.Writer, where both types are on the heap.
func BenchmarkWriteFormatted(b *testing.B) {
	for _, n := range []int{1, 3, 1000} {
		compare(b, fmt.Sprint(n), func() {
			var w bytebuf.Buffer
			for i := range n {
				fmt.Fprintf(&w, "%d: %s\n", i, "value")
			}
			result = w.String()
		}, func() {
			var w bytes.Buffer
			for i := range n {
				fmt.Fprintf(&w, "%d: %s\n", i, "value")
			}
			result = w.String()
		})
	}
}

func BenchmarkWriteTo(b *testing.B) {
	w := io.Writer(struct{ io.Writer }{io.Discard})
	for _, n := range []int{10, 1000} {
		p := buffertest.Data(n)
		compare(b, fmt.Sprint(n), func() {
			var b bytebuf.Buffer
			b.Write(p)
			b.WriteTo(w)
		}, func() {
			var b bytes.Buffer
			b.Write(p)
			b.WriteTo(w)
		})
	}
}

func BenchmarkReadFrom(b *testing.B) {
	r := bytes.NewReader(nil)
	for _, n := range []int{10, 300, 1000, 100_000, 1 << 20} {
		p := buffertest.Data(n)
		compare(b, fmt.Sprint(n), func() {
			r.Reset(p)
			var b bytebuf.Buffer
			b.ReadFrom(r)
		}, func() {
			r.Reset(p)
			var b bytes.Buffer
			b.ReadFrom(r)
		})
		if n >= 1000 {
			compare(b, fmt.Sprint(n, "/exact"), func() {
				r.Reset(p)
				bytebuf.NewBuffer(make([]byte, 0, n)).ReadFrom(r)
			}, func() {
				r.Reset(p)
				bytes.NewBuffer(make([]byte, 0, n)).ReadFrom(r)
			})
		}
	}
}

func BenchmarkReadAll(b *testing.B) {
	p := buffertest.Data(4096)
	var piece [16]byte
	compare(b, "Read", func() {
		for r := bytebuf.NewBuffer(p); r.Len() > 0; {
			r.Read(piece[:])
		}
	}, func() {
		for r := bytes.NewBuffer(p); r.Len() > 0; {
			r.Read(piece[:])
		}
	})
	compare(b, "Next", func() {
		for r := bytebuf.NewBuffer(p); len(r.Next(16)) > 0; {
		}
	}, func() {
		for r := bytes.NewBuffer(p); len(r.Next(16)) > 0; {
		}
	})
	compare(b, "ReadByte", func() {
		r := bytebuf.NewBuffer(p)
		for _, err := r.ReadByte(); err == nil; _, err = r.ReadByte() {
		}
	}, func() {
		r := bytes.NewBuffer(p)
		for _, err := r.ReadByte(); err == nil; _, err = r.ReadByte() {
		}
	})
	compare(b, "ReadRune", func() {
		r := bytebuf.NewBuffer(p)
		for _, _, err := r.ReadRune(); err == nil; _, _, err = r.ReadRune() {
		}
	}, func() {
		r := bytes.NewBuffer(p)
		for _, _, err := r.ReadRune(); err == nil; _, _, err = r.ReadRune() {
		}
	})
	compare(b, "ReadString", func() {
		r := bytebuf.NewBuffer(p)
		for _, err := r.ReadString('\n'); err == nil; _, err = r.ReadString('\n') {
		}
	}, func() {
		r := bytes.NewBuffer(p)
		for _, err := r.ReadString('\n'); err == nil; _, err = r.ReadString('\n') {
		}
	})
}

// BenchmarkQueue alternately writes and reads 16 bytes.
func BenchmarkQueue(b *testing.B) {
	for _, backlog := range []int{16, 4096} {
		var p [16]byte
		ours, std := bytebuf.NewBuffer(buffertest.Data(backlog)), bytes.NewBuffer(buffertest.Data(backlog))
		compare(b, fmt.Sprint(backlog), func() { ours.Write(p[:]); ours.Read(p[:]) },
			func() { std.Write(p[:]); std.Read(p[:]) })
	}
}
