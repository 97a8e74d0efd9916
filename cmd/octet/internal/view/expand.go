package view

import (
	"cmp"
	"slices"

	"github.com/octet-go/octet/cmd/octet/internal/index"
)

// Values are expanded without a click up to these limits.
const (
	firstExpanded = 100  // of the values in each container
	maxExpanded   = 1000 // containers
)

// maxExpandedAtOnce is the maximum number of containers that one call expands.
const maxExpandedAtOnce = 10_000

// A branch is an expanded container of the tree, or the stream itself.
type branch struct {
	parent   *branch // nil for the stream
	token    index.Token
	at       int64     // its row in the parent
	count    int64     // rows directly inside
	size     int64     // rows inside that are visible, on all levels
	expanded []*branch // the expanded containers directly inside, by row
}

// find returns the index in b.expanded of the container in a row, or the index where
// it would be inserted.
func (b *branch) find(at int64) (int, bool) {
	return slices.BinarySearchFunc(b.expanded, at, func(k *branch, at int64) int { return cmp.Compare(k.at, at) })
}

// grow adds rows to b and to the branches around it.
func (b *branch) grow(n int64) {
	for ; b != nil; b = b.parent {
		b.size += n
	}
}

// collapse collapses all containers.
func (s *Session) collapse() {
	n := s.x.Rows()
	s.root = &branch{count: n, size: n}
}

// expand expands the container in row at of b. It returns nil if there is none.
func (s *Session) expand(b *branch, at int64) *branch {
	i, ok := b.find(at)
	if ok {
		return b.expanded[i]
	}
	r, ok := s.child(b, at)
	if !ok || r.missing || !r.value.IsContainer() {
		return nil
	}
	n := s.x.Count(&r.value)
	k := &branch{parent: b, token: r.value, at: at, count: n, size: n}
	b.expanded = slices.Insert(b.expanded, i, k)
	b.grow(n)
	return k
}

// A budget limits how many containers are expanded.
type budget struct{ containers int }

// expandFirst expands the first containers inside b.
func (s *Session) expandFirst(b *branch, left *budget) {
	if b.count == 0 {
		return
	}
	var open []int64
	s.children(b, 0, func(r *row) bool {
		if r.at >= firstExpanded {
			return false
		}
		if !r.missing && r.value.IsContainer() {
			open = append(open, r.at)
		}
		return true
	})
	for _, at := range open {
		if left.containers == 0 {
			return
		}
		if k := s.expand(b, at); k != nil {
			left.containers--
			s.expandFirst(k, left)
		}
	}
}

// Toggle expands or collapses the container at offset.
func (s *Session) Toggle(offset int) {
	c, _, err := s.value(offset)
	if err != nil {
		return
	}
	b, at := s.place(c)
	if i, ok := b.find(at); ok {
		b.grow(-b.expanded[i].size)
		b.expanded = slices.Delete(b.expanded, i, i+1)
	} else {
		s.expand(b, at)
	}
}

// ExpandAll expands the containers inside the one at offset, or all for -1. It
// returns false if they were too many.
func (s *Session) ExpandAll(offset int) bool {
	b := s.root
	if offset >= 0 {
		c, _, err := s.value(offset)
		if err != nil {
			return true
		}
		parent, at := s.place(c)
		if b = s.expand(parent, at); b == nil {
			return true
		}
	}
	left := maxExpandedAtOnce
	for queue := []*branch{b}; len(queue) > 0; queue = queue[1:] {
		var open []int64
		s.children(queue[0], 0, func(r *row) bool {
			if !r.missing && r.value.IsContainer() {
				open = append(open, r.at)
			}
			return len(open) <= left
		})
		for _, at := range open {
			if left--; left < 0 {
				return false
			}
			if k := s.expand(queue[0], at); k != nil {
				queue = append(queue, k)
			}
		}
	}
	return true
}

// CollapseAll collapses everything.
func (s *Session) CollapseAll() { s.collapse() }

// place returns the branch and the row of the value that the cursor has read. It
// expands the containers around it. A value inside a key is in the row of that key.
func (s *Session) place(c *index.Cursor) (*branch, int64) {
	b, at := s.root, c.TopNumber()
	for _, step := range c.Steps() {
		k := s.expand(b, at)
		if k == nil {
			break
		}
		b, at = k, int64(step.Inner)
		if isMap(step.Header) {
			at /= 2
			if step.Inner&1 == 0 {
				break
			}
		}
	}
	return b, at
}

// number returns the number of a row among all visible ones.
func (b *branch) number(at int64) int64 {
	n := at
	for _, k := range b.expanded {
		if k.at >= at {
			break
		}
		n += k.size
	}
	if b.parent == nil {
		return n
	}
	return b.parent.number(b.at) + 1 + n
}
