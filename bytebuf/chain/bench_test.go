package chain_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/octet-go/octet/bytebuf/chain"
	"github.com/octet-go/octet/bytebuf/internal/buffertest"
)

func against(b *testing.B, name string, ours, std func()) {
	b.Run(name+"/chain", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			ours()
		}
	})
	b.Run(name+"/std", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			std()
		}
	})
}

// BenchmarkSendParts sends a message of many parts with a chain.Buffer that copies them, with one that does not,
// and with bytes.Buffer.
func BenchmarkSendParts(b *testing.B) {
	w := io.Writer(struct{ io.Writer }{io.Discard})
	for _, size := range []int{100, 10_000} {
		part := buffertest.Data(size)
		var parts chain.Buffer
		against(b, fmt.Sprint(size, "/Write"), func() {
			for range 100 {
				parts.Write(part)
			}
			parts.WriteTo(w)
		}, func() {
			var b bytes.Buffer
			for range 100 {
				b.Write(part)
			}
			b.WriteTo(w)
		})
		against(b, fmt.Sprint(size, "/Append"), func() {
			for range 100 {
				parts.Append(part)
			}
			parts.WriteTo(w)
		}, func() {
			var b bytes.Buffer
			for range 100 {
				b.Write(part)
			}
			b.WriteTo(w)
		})
	}
}
