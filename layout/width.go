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
		var here, ordered []*link
		for _, s := range n.after {
			if s.link != nil {
				here = append(here, s.link)
			}
		}
		seen := map[*link]bool{}
		var add func(l *link)
		add = func(l *link) {
			if seen[l] {
				return
			}
			seen[l] = true
			for _, k := range here {
				if b.widens(k.num, l) {
					add(k)
				}
			}
			ordered = append(ordered, l)
		}
		for _, l := range here {
			add(l)
		}
		for i := range n.after {
			if n.after[i].link == nil {
				continue
			}
			l := ordered[0]
			n.after[i].link, ordered = l, ordered[1:]
			if !slices.ContainsFunc(computed, func(k *link) bool { return k.num == l.num }) {
				if err := b.checkComputed(computed, l.num); err != nil {
					return err
				}
			}
			computed = append(computed, l)
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
	if n.num.width > 0 || n == l.num || l.elements || n.seq < nodes[l.of.from].seq || nodes[l.of.to].last < n.seq ||
		slices.ContainsFunc(n.unions, func(u *node) bool { return b.earlyTag(n, u) != nil }) || b.earlyOf(l) != nil {
		return false
	}
	most := n.num.most()
	for _, k := range n.links {
		if b.earlyOf(k) != nil {
			return false
		}
		if sum, fixed := b.measuredSize(k); fixed {
			v, _ := k.number(sum, 0) // 0 if no number says it, which is an error when encoding
			most = min(most, v)
		}
	}
	return len(n.links) == 0 || n.num.varintLen(most) > 1 // before it is computed, a length has one byte
}
