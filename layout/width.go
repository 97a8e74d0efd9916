package layout

import (
	"cmp"
	"slices"
)

// orderLinks puts the lengths that are computed in one place into an order in which a number of variable width, which
// becomes longer then, precedes the lengths that it is part of. It refuses lengths that are computed earlier, because they
// would not count the new bytes.
func (b *builder) orderLinks() error {
	places := slices.Clone(b.all) // in the order in which the fields end
	slices.SortFunc(places, func(x, y *node) int { return cmp.Or(x.last-y.last, y.seq-x.seq) })
	var computed []*link
	for _, n := range places {
		var left []*link
		for _, s := range n.after {
			if s.link != nil {
				left = append(left, s.link)
			}
		}
		for i := range n.after {
			if n.after[i].link == nil {
				continue
			}
			next := max(0, slices.IndexFunc(left, func(l *link) bool {
				return !slices.ContainsFunc(left, func(k *link) bool { return b.widens(k.num, l) })
			}))
			n.after[i].link = left[next]
			left = slices.Delete(left, next, next+1)
		}
		for _, s := range n.after {
			if s.link == nil {
				continue
			}
			isComputed := slices.ContainsFunc(computed, func(l *link) bool { return l.num == s.link.num })
			if err := b.checkComputed(computed, s.link.num); err != nil && !isComputed {
				return err
			}
			computed = append(computed, s.link)
		}
		if n.kind == unionNode {
			if err := b.checkComputed(computed, n.switchOn); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkComputed refuses a length that has been computed, but which n, whose number is computed now, is part of.
func (b *builder) checkComputed(computed []*link, n *node) error {
	for _, l := range computed {
		if b.widens(n, l) {
			return wrong(l.num.path(), "%s: %s, which is computed later, has a variable width and is part of the length; use a fixed width such as u32", l.text, n.name)
		}
	}
	return nil
}

// widens reports whether n can change the length of l when it is computed, because it is part of that and has another width
// then.
func (b *builder) widens(n *node, l *link) bool {
	nodes := l.of.scope.nodes
	return n.num.width == 0 && n != l.num && !l.elements && b.earlyOf(l) == nil && nodes[l.of.from].seq <= n.seq && n.seq <= nodes[l.of.to].last &&
		!slices.ContainsFunc(n.links, func(k *link) bool { return b.earlyOf(k) != nil }) &&
		!slices.ContainsFunc(n.unions, func(u *node) bool { return b.earlyTag(n, u) != nil })
}
