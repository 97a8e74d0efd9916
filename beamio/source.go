package beamio

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"

	"github.com/octet-go/octet/record"
)

// readFn is a splittable DoFn that reads the records of a part. Its restriction is a
// range of bytes of the file. A block belongs to the range in which its header begins, so
// it is claimed by the offset of its header.
type readFn[T any] struct {
	Settings settings
}

// CreateInitialRestriction returns the bytes of the part.
func (fn *readFn[T]) CreateInitialRestriction(p part) offsetrange.Restriction {
	return offsetrange.Restriction{Start: p.Start, End: p.End}
}

// SplitRestriction divides what matchFn could not: files that are read from their start,
// if the size is not the default. A Whole part has the restriction [0, 1).
func (fn *readFn[T]) SplitRestriction(_ part, r offsetrange.Restriction) []offsetrange.Restriction {
	if fn.Settings.SplitSize == 0 || int64(r.Size()) < 2*fn.Settings.SplitSize {
		return []offsetrange.Restriction{r}
	}
	return r.EvenSplits(int64(r.Size()) / fn.Settings.SplitSize)
}

// RestrictionSize returns the number of bytes.
func (fn *readFn[T]) RestrictionSize(p part, r offsetrange.Restriction) float64 {
	if p.Whole {
		return float64(p.Size)
	}
	return r.Size()
}

// CreateTracker returns a tracker that is safe for splits while ProcessElement runs.
func (fn *readFn[T]) CreateTracker(r offsetrange.Restriction) *sdf.LockRTracker {
	return sdf.NewLockRTracker(offsetrange.NewTracker(r))
}

// ProcessElement emits the records of all blocks that it can claim.
func (fn *readFn[T]) ProcessElement(ctx context.Context, rt *sdf.LockRTracker, p part, emit func(T)) error {
	o, err := fn.Settings.record()
	if err != nil {
		return err
	}
	r := rt.GetRestriction().(offsetrange.Restriction)
	if p.Whole && !rt.TryClaim(int64(0)) {
		return nil
	}
	f, err := open(ctx, p.Path, p.Version, p.Size, o)
	if err != nil {
		return err
	}
	defer f.Close()
	if !p.Whole {
		f.reads(r.Start, r.End)
	}
	for b, err := range f.Blocks(p.blocks(r.Start, r.End)) {
		if err != nil {
			return inFile(p.Path, err)
		}
		if b.Offset < r.Start {
			continue // passed on the way to the range
		}
		if !p.Whole && !rt.TryClaim(b.Offset) {
			return nil // the rest was split off, or it has ended
		}
		if !p.Whole {
			f.reads(r.Start, rt.GetRestriction().(offsetrange.Restriction).End)
		}
		for v, err := range record.InBlock[T](f.File, b) {
			if err != nil {
				return inFile(p.Path, err)
			}
			emit(v)
		}
	}
	// No block begins in what is left. Claiming its end says that it is done.
	rt.TryClaim(rt.GetRestriction().(offsetrange.Restriction).End)
	return nil
}
