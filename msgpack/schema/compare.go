package schema

import (
	"fmt"
	"strconv"

	"github.com/octet-go/octet/msgpack"
)

// An Effect says what a difference between two schemas does to a reader. Later ones are
// worse.
type Effect uint8

// The effects. Readers do what the decoder of package msgpack does.
const (
	Nothing Effect = iota
	Ignores        // it passes over a field that it never had
	Changes        // nil becomes the zero value, or a list becomes a set
	Loses          // a field does not arrive, or another value arrives in its place; there is no error
	Fails          // some messages cannot be decoded
)

// String returns a verb, such as "loses".
func (e Effect) String() string {
	names := [...]string{"nothing", "ignores", "changes", "loses", "fails"}
	if int(e) >= len(names) {
		return "invalid"
	}
	return names[e]
}

// MarshalText returns the same text as String.
func (e Effect) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// A Change is one difference between two schemas.
type Change struct {
	// Path is the place in a message: keys joined by dots, [] for the elements of an
	// array, {} for the values of a map, [key] for its keys, and the tag of a variant
	// in parentheses. It is empty for the whole message.
	Path string `json:"path"`
	Text string `json:"text"` // what has changed, such as "int of 64 bits became int of 32 bits"
	// NewReader is the effect on a program with the new schema that reads messages of
	// the old one. OldReader is the effect on a program with the old schema.
	NewReader Effect `json:"new_reader"`
	OldReader Effect `json:"old_reader"`
}

// Breaking reports whether one of the readers fails or loses a field.
func (c Change) Breaking() bool { return max(c.NewReader, c.OldReader) >= Loses }

// String returns the change on one line. An example is
//
//	users[].age: int of 64 bits became int of 32 bits (new reader fails, old reader: nothing)
func (c Change) String() string {
	path := c.Path
	if path == "" {
		path = "message"
	}
	reader := func(e Effect) string {
		if e == Nothing {
			return ": nothing"
		}
		return " " + e.String()
	}
	return fmt.Sprintf("%s: %s (new reader%s, old reader%s)", path, c.Text, reader(c.NewReader), reader(c.OldReader))
}

// Breaking returns those of the changes that are breaking.
func Breaking(changes []Change) (list []Change) {
	for _, c := range changes {
		if c.Breaking() {
			list = append(list, c)
		}
	}
	return list
}

// Compare returns the differences between two schemas, in the order of the new one, and
// what each does to readers that have the other schema. An effect is that of the worst
// message: a field of 64 bits that becomes one of 32 bits fails for large numbers only.
//
// Two types whose messages Compare cannot know, because methods of the program write and
// read them, are the same if their names are. The tag of a union says which type it
// means, and the type of an ext does, too: the names of Go types do not count.
//
// What has changed inside a container is listed once. At each other place of the container, one change,
// such as "changed like home", stands for all of them. A place at which a type contains itself is not listed.
// The time that Compare takes is at most the product of the numbers of types.
func Compare(old, new *Schema) []Change {
	c := comparer{seen: map[pair]*visit{}}
	c.value("", old.Root, new.Root, both)
	return c.changes
}

// readers is a set of readers.
type readers uint8

const (
	newReader readers = 1 << iota // reads messages of the old schema
	oldReader                     // reads messages of the new schema
	both      = newReader | oldReader
)

// A pair is a comparison with a container that was begun. Recursive types lead to it again.
type pair struct {
	old, new *Type
	readers  readers
}

// A visit is the comparison of a pair. Types that contain each other reach the same changes,
// so it is known only when all of them were compared whether a pair has changed.
type visit struct {
	index int     // in comparer.open
	path  string  // of the place that is compared
	ended bool    // its parts were compared
	own   bool    // changes were listed at path
	known bool    // like is final
	like  *Change // stands for the pair at another place; nil if nothing has changed
}

// A later is another place of a visit that was not known.
type later struct {
	at int // in comparer.changes, without a text
	*visit
}

// A comparer compares types.
type comparer struct {
	seen    map[pair]*visit
	open    []*visit // that are not known
	reached int      // the first of them that the current one contains
	laters  []later
	changes []Change

	// If quiet is set, only the effect on the new reader counts, and worst is the worst
	// so far.
	quiet bool
	worst Effect
}

// add adds a change. Its effects count for the given readers.
func (c *comparer) add(path, text string, onNew, onOld Effect, r readers) {
	if r&newReader == 0 {
		onNew = Nothing
	}
	if r&oldReader == 0 {
		onOld = Nothing
	}
	c.worst = max(c.worst, onNew)
	if !c.quiet {
		c.changes = append(c.changes, Change{path, text, onNew, onOld})
	}
}

// note is add in a quiet comparer.
func (c *comparer) note(e Effect) { c.worst = max(c.worst, e) }

// effect returns the effect on a reader of r that reads messages of w, for values of
// different kinds.
func effect(w, r *Type) Effect {
	c := comparer{seen: map[pair]*visit{}, quiet: true}
	c.mixed(w, r)
	return c.worst
}

func (c *comparer) value(path string, old, new Value, r readers) {
	c.nils(path, nilness{old.Nil, old.Nil}, nilness{new.Nil, new.Nil}, r)
	c.types(path, old.Type, new.Type, r)
}

// nilness says whether nil is written at a place and whether a reader tells it from the
// zero value.
type nilness struct{ written, kept bool }

func (c *comparer) nils(path string, old, new nilness, r readers) {
	onNew, onOld := Nothing, Nothing
	if old.written && !new.kept {
		onNew = Changes
	}
	if new.written && !old.kept {
		onOld = Changes
	}
	switch {
	case old.written && !new.written:
		c.add(path, "is no longer nil", onNew, onOld, r)
	case new.written && !old.written:
		c.add(path, "can be nil", onNew, onOld, r)
	}
}

func (c *comparer) types(path string, old, new *Type, r readers) {
	if r == 0 {
		return
	}
	if old.hasParts() || new.hasParts() {
		p := pair{old, new, r}
		if v, ok := c.seen[p]; ok {
			c.again(path, v, r)
			return
		}
		v := &visit{index: len(c.open), path: path}
		c.seen[p], c.open = v, append(c.open, v)
		defer func(around, changes, laters int) {
			c.end(v, changes, laters)
			c.reached = min(around, c.reached)
		}(c.reached, len(c.changes), len(c.laters))
		c.reached = v.index
	}
	if old.Kind == new.Kind {
		switch old.Kind {
		case msgpack.FormStruct:
			c.structs(path, old, new, r)
			return
		case msgpack.FormArray:
			c.arrays(path, old, new, r)
			return
		case msgpack.FormMap:
			c.maps(path, old, new, r)
			return
		case msgpack.FormUnion:
			c.unions(path, old, new, r)
			return
		}
		if old.sameScalar(new) {
			return
		}
	}
	if c.quiet {
		c.mixed(old, new)
		return
	}
	from, to := old.String(), new.String()
	if from == to {
		to = "another " + to
	}
	c.add(path, from+" became "+to, effect(old, new), effect(new, old), r)
}

// hasParts reports whether t is a container.
func (t *Type) hasParts() bool {
	switch t.Kind {
	case msgpack.FormStruct, msgpack.FormArray, msgpack.FormMap, msgpack.FormUnion:
		return true
	}
	return false
}

// again adds what stands for the changes of v at another place.
func (c *comparer) again(path string, v *visit, r readers) {
	switch {
	case v.like != nil:
		c.add(path, v.like.Text, v.like.NewReader, v.like.OldReader, r)
	case !v.known:
		c.reached = min(c.reached, v.index)
		if v.ended && !c.quiet { // otherwise the type contains itself
			c.laters = append(c.laters, later{len(c.changes), v})
			c.changes = append(c.changes, Change{Path: path})
		}
	}
}

// end ends the visit v, which has added the changes and laters from the given numbers. If it
// was the first of types that contain each other, what all of them change is known.
func (c *comparer) end(v *visit, changes, laters int) {
	v.ended, v.own = true, len(c.changes)-changes > len(c.laters)-laters
	if c.reached < v.index {
		return
	}
	var all Change
	for _, one := range c.changes[changes:] {
		all.NewReader, all.OldReader = max(all.NewReader, one.NewReader), max(all.OldReader, one.OldReader)
	}
	for _, u := range c.open[v.index:] {
		if u.known = true; v.own {
			like := all
			like.Text = "changed like " + v.path
			if u.own {
				like.Text = "changed like " + u.path
			}
			u.like = &like
		}
	}
	c.open = c.open[:v.index]
	for _, l := range c.laters[laters:] {
		if l.like != nil {
			at := c.changes[l.at].Path
			c.changes[l.at] = *l.like
			c.changes[l.at].Path = at
		}
	}
	if c.laters = c.laters[:laters]; !v.own {
		c.changes = c.changes[:changes] // all of them were places of types that have not changed
	}
}

// sameScalar reports whether two types of the same kind, which have no parts, have the
// same messages.
func (t *Type) sameScalar(u *Type) bool {
	if t.Checked != u.Checked || (t.Checked || t.Kind == msgpack.FormOwn) && t.Name != u.Name {
		return false
	}
	return t.Bits == u.Bits && t.Length == u.Length && t.Time == u.Time && t.Ext == u.Ext && t.AnyExt == u.AnyExt
}

func (c *comparer) arrays(path string, old, new *Type, r readers) {
	if old.Length != new.Length {
		onNew, onOld := Nothing, Nothing
		if new.Length >= 0 {
			onNew = Fails
		}
		if old.Length >= 0 {
			onOld = Fails
		}
		c.add(path, old.String()+" became "+new.String(), onNew, onOld, r)
	}
	switch {
	case !old.Set && new.Set:
		c.add(path, "array became set", asSet(old.Length), Nothing, r)
	case old.Set && !new.Set:
		c.add(path, "set became array", Nothing, asSet(new.Length), r)
	}
	if old.Set && new.Set || new.Set && r&newReader != 0 || old.Set && r&oldReader != 0 {
		c.keys(path, old.Elem, new.Elem, r)
	}
	c.value(path+"[]", old.Elem, new.Elem, r)
}

// asSet returns the effect on a set that reads an array of a length, or of any length if
// that is negative: duplicates and the order are lost.
func asSet(length int) Effect {
	if length == 0 || length == 1 {
		return Nothing
	}
	return Changes
}

// keys adds a change if keys cannot be those of a Go map any more.
func (c *comparer) keys(path string, old, new Value, r readers) {
	onNew, onOld := Nothing, Nothing
	if new.Type.Kind == msgpack.FormAny && !old.Type.hashable() {
		onNew = Fails
	}
	if old.Type.Kind == msgpack.FormAny && !new.Type.hashable() {
		onOld = Fails
	}
	if onNew != onOld {
		c.add(path, "keys of another kind", onNew, onOld, r)
	}
}

// hashable reports whether all values of t become valid keys in a variable of type any.
func (t *Type) hashable() bool {
	switch t.Kind {
	case msgpack.FormBool, msgpack.FormInt, msgpack.FormUint, msgpack.FormFloat, msgpack.FormNumber, msgpack.FormStr, msgpack.FormTime, msgpack.FormAny:
		return true
	}
	return false
}

func (c *comparer) maps(path string, old, new *Type, r readers) {
	switch {
	case old.Pairs && !new.Pairs:
		c.add(path, "pairs became map", Fails, Nothing, r)
	case new.Pairs && !old.Pairs:
		c.add(path, "map became pairs", Nothing, Fails, r)
	default:
		c.keys(path, old.Key, new.Key, r)
	}
	c.value(path+"[key]", old.Key, new.Key, r)
	c.value(path+"{}", old.Elem, new.Elem, r)
}

func (c *comparer) unions(path string, old, new *Type, r readers) {
	if old.Discriminator != new.Discriminator {
		c.add(path, fmt.Sprintf("the key of the tag was %q and is %q", old.Discriminator, new.Discriminator), Fails, Fails, r)
		return
	}
	for i := range old.Variants {
		if v := &old.Variants[i]; new.tagged(v.Tag) == nil {
			c.add(path+tagStep(v.Tag), "variant was removed", Fails, Nothing, r)
		}
	}
	for i := range new.Variants {
		v := &new.Variants[i]
		if w := old.tagged(v.Tag); w != nil {
			c.value(path+tagStep(v.Tag), w.Value, v.Value, r)
		} else {
			c.add(path+tagStep(v.Tag), "variant was added", Nothing, Fails, r)
		}
	}
}

// tagged returns the variant with a tag, or nil.
func (t *Type) tagged(tag any) *Variant {
	for i := range t.Variants {
		if t.Variants[i].Tag == tag {
			return &t.Variants[i]
		}
	}
	return nil
}

func tagStep(tag any) string { return fmt.Sprintf("(%v)", tag) }

// keyStep returns the step of a path for a field.
func keyStep(path, name string) string {
	plain := name != ""
	for _, r := range name {
		plain = plain && (r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 127)
	}
	switch {
	case !plain:
		return path + "[" + strconv.Quote(name) + "]"
	case path == "":
		return name
	}
	return path + "." + name
}
