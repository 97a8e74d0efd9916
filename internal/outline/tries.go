package outline

import "sync/atomic"

// Tries decides for which values of a type generated code is tried. Values that it leaves to the plan have been decoded in
// part before. If they are frequent, as from a sender with another order of keys, it is tried for few values only.
type Tries struct{ left atomic.Int32 }

const (
	leftCost  = 16           // what a value that is left adds, besides half of what there is; one that is not takes 1 off
	leftLimit = 8 * leftCost // above it, generated code is not tried, and each value takes 1 off
)

// Skip reports whether the plan must take the next value.
func (t *Tries) Skip() bool {
	if t.left.Load() <= leftLimit {
		return false
	}
	t.left.Add(-1)
	return true
}

// Some reports whether values were left lately.
func (t *Tries) Some() bool { return t.left.Load() > 0 }

// Left notes that a value was left.
func (t *Tries) Left() { t.left.Add(leftCost + t.left.Load()/2) }

// Done notes that a value was not left.
func (t *Tries) Done() {
	if t.left.Load() > 0 {
		t.left.Add(-1)
	}
}
