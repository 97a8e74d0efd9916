package beamio

import (
	"context"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"

	"github.com/octet-go/octet/beamio/internal/split"
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
	return split.Restriction(r, fn.Settings.SplitSize)
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
	return split.Tracker(r)
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
	blocks := f.Blocks(p.blocks(r.Start, r.End))
	if p.Forward {
		blocks = f.wholeBefore(r.Start, blocks)
	}
	if !p.Whole {
		blocks = split.Claimed(rt, blocks)
	}
	for b, err := range blocks {
		if err != nil {
			return inFile(p.Path, err)
		}
		if !p.Whole {
			f.reads(r.Start, split.End(rt))
		}
		for v, err := range record.InBlock[T](f.File, b) {
			switch {
			case err == nil:
				emit(v)
			case !f.isTorn(b, err):
				return inFile(p.Path, err)
			default:
				if !p.Whole {
					rt.TryClaim(split.End(rt))
				}
				return nil
			}
		}
	}
	return nil
}
