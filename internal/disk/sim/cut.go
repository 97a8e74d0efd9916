package sim

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// A Mood is what a power loss prefers to lose. Every mood allows what package sim says, but chance alone would seldom
// give some of the cases.
type Mood int

// The moods.
const (
	LosesAll   Mood = iota // everything that was not synced, but perhaps not the size
	LosesSome              // each sector with its own chance
	LosesPages             // whole pages
	LosesLast              // what was written last
	LosesFirst             // what was written first: the order is the opposite
	LosesOne               // one sector
	LosesNames             // each name by itself, and some sectors
	Stale                  // new sectors have old bytes of the disk, or the same as LosesSome
	Moods      = int(iota)
)

func (m Mood) String() string {
	return [...]string{"all", "sectors", "pages", "last", "first", "one sector", "names", "stale"}[m]
}

// Copy returns the disk as programs see it.
func (d *Disk) Copy() *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := &Disk{NoReserve: d.NoReserve, NoMap: d.NoMap}
	for path, n := range d.names {
		if i := n.now(); i != nil {
			i.store()
			c.set(path, newInode(i.data), 0)
			c.names[path].versions = c.names[path].versions[1:]
		}
	}
	return c
}

// Cut returns the disk after a power loss. With the mood Stale, new sectors can have parts of stale.
func (d *Disk) Cut(r *rand.Rand, m Mood, stale []byte) *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := &Disk{NoReserve: d.NoReserve, NoMap: d.NoMap}
	moment := r.IntN(d.ops + 1)
	if r.IntN(2) == 0 {
		moment = d.ops
	}
	for _, path := range slices.Sorted(maps.Keys(d.names)) {
		n := d.names[path]
		k := len(n.versions) - 1
		for k > 0 && n.versions[k].at > moment {
			k--
		}
		if m == LosesNames {
			k = r.IntN(len(n.versions))
		}
		if i := n.versions[k].inode; i != nil {
			c.set(path, newInode(i.cut(r, m, stale)), 0)
			c.names[path].versions = c.names[path].versions[1:]
		}
	}
	return c
}

// cut returns the content after a power loss.
func (i *inode) cut(r *rand.Rand, m Mood, stale []byte) []byte {
	i.store()
	moment := len(i.sizes) - 1
	if r.IntN(3) == 0 {
		moment = r.IntN(len(i.sizes))
	}
	size := int(i.sizes[moment])
	b := make([]byte, (max(size, len(i.data))+sector-1)/sector*sector)
	copy(b, i.data)
	choose := i.chooser(r, m)
	for _, n := range slices.Sorted(maps.Keys(i.sectors)) {
		if n*sector >= size {
			continue
		}
		list := possible(i.sectors[n], moment)
		k := choose(n, len(list))
		to := b[n*sector:][:sector]
		clear(to)
		copy(to, list[k].data)
		if m == Stale && list[k].data == nil && !list[k].hole && len(stale) > sector && r.IntN(2) == 0 {
			copy(to, stale[r.IntN(len(stale)-sector+1):][:sector])
		}
	}
	return b[:size]
}

// possible returns the updates of a sector that can be on the disk together with the size of a moment.
func possible(list []update, moment int) []update {
	from, to := 0, len(list)
	for k, u := range list {
		if (u.cut || u.tail) && u.at <= moment {
			from = k
		}
		if u.cut && u.at > moment {
			to = k
			break
		}
	}
	return list[from:to]
}

// chooser returns a function that chooses one of some updates of a sector, the first of which is the oldest.
func (i *inode) chooser(r *rand.Rand, m Mood) func(n, updates int) int {
	some := func(_, updates int) int { return r.IntN(updates) }
	switch m {
	case LosesAll:
		return func(int, int) int { return 0 }
	case LosesPages:
		chosen := map[int]float64{}
		return func(n, updates int) int {
			p := n * sector / page
			if _, ok := chosen[p]; !ok {
				chosen[p] = r.Float64()
			}
			return int(chosen[p] * float64(updates))
		}
	case LosesLast, LosesFirst, LosesOne:
		all := slices.Sorted(maps.Keys(i.sectors))
		if len(all) == 0 {
			return some
		}
		at := all[r.IntN(len(all))]
		return func(n, updates int) int {
			if m == LosesLast && n >= at || m == LosesFirst && n <= at || n == at {
				return r.IntN(updates)
			}
			return updates - 1
		}
	}
	return some
}
