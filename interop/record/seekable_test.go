package record

import (
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/SaveTheRbtz/zstd-seekable-format-go/pkg"
	"github.com/klauspost/compress/zstd"
)

// TestSeekable reads at random offsets of the content by a reader of the zstd
// seekable format, which uses the seek table.
func TestSeekable(t *testing.T) {
	for _, s := range samples(t) {
		if s.torn || strings.HasPrefix(s.name, "without") || strings.HasPrefix(s.name, "joined") || strings.HasPrefix(s.name, "empty") {
			continue // no seek table for the whole file
		}
		t.Run(s.name, func(t *testing.T) {
			file, err := os.Open(s.path)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			decoder, err := zstd.NewReader(nil)
			if err != nil {
				t.Fatal(err)
			}
			defer decoder.Close()
			r, err := seekable.NewReader(file, decoder)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			want := s.content()
			for range 300 {
				at := rand.IntN(len(want))
				got := make([]byte, 1+rand.IntN(min(5000, len(want)-at)))
				n, err := r.ReadAt(got, int64(at))
				if err != nil && err != io.EOF || !slices.Equal(got[:n], want[at:at+n]) || n == 0 {
					t.Fatalf("%d of %d bytes at %d: %v", n, len(got), at, err)
				}
			}
			whole, err := io.ReadAll(r)
			if err != nil || !slices.Equal(whole, want) {
				t.Errorf("%d bytes, want %d, %v", len(whole), len(want), err)
			}
		})
	}
}
