// Package split divides record files among workers. Package beamio reads by it, and
// beamio/simulate shows what it does with thousands of workers.
package split

import (
	"iter"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"

	"github.com/octet-go/octet/record"
)

// DefaultSize is the size in bytes of the ranges into which files are divided at first.
const DefaultSize = 64 << 20

// File returns the ranges of about size bytes of a file that has length bytes. 0 is
// [DefaultSize].
func File(f *record.File, length, size int64) []record.Range {
	if size == 0 {
		size = DefaultSize
	}
	return f.Split(int(min(max(length/size, 1), 1<<20)))
}

// Restriction divides a restriction that was not divided by File. 0 is not to divide it.
func Restriction(r offsetrange.Restriction, size int64) []offsetrange.Restriction {
	if size == 0 || int64(r.Size()) < 2*size {
		return []offsetrange.Restriction{r}
	}
	return r.EvenSplits(int64(r.Size()) / size)
}

// Tracker returns a tracker that is safe for splits while the range is read.
func Tracker(r offsetrange.Restriction) *sdf.LockRTracker {
	return sdf.NewLockRTracker(offsetrange.NewTracker(r))
}

// Claimed returns those of the blocks that begin in the restriction of rt. Each one is
// claimed by the offset of its header before it is returned. When the runner has split
// off the rest, or it has ended, there are no more.
func Claimed(rt *sdf.LockRTracker, blocks iter.Seq2[record.Block, error]) iter.Seq2[record.Block, error] {
	return func(yield func(record.Block, error) bool) {
		start := Start(rt)
		for b, err := range blocks {
			switch {
			case err != nil:
				yield(b, err)
				return
			case b.Offset < start:
				continue // passed on the way to the range
			case !rt.TryClaim(b.Offset):
				return
			}
			if !yield(b, nil) {
				return
			}
		}
		// No block begins in what is left. Claiming its end says that it is done.
		rt.TryClaim(End(rt))
	}
}

// Divide splits off a fraction of what is not claimed, as the runner does. The result is
// nil if nothing is left.
func Divide(rt *sdf.LockRTracker, fraction float64) (*offsetrange.Restriction, error) {
	_, residual, err := rt.TrySplit(fraction)
	if err != nil || residual == nil {
		return nil, err
	}
	r := residual.(offsetrange.Restriction)
	return &r, nil
}

// Start returns the start of a restriction.
func Start(rt *sdf.LockRTracker) int64 { return rt.GetRestriction().(offsetrange.Restriction).Start }

// End returns the end of what is left of a restriction.
func End(rt *sdf.LockRTracker) int64 { return rt.GetRestriction().(offsetrange.Restriction).End }
