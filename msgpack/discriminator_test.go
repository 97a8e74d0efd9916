package msgpack

import (
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack/wire"
)

// TestLookAheadOnce searches nested maps whose tags are at their ends. The first
// search must find all tags in one pass over the input. Otherwise the time would
// grow with the square of the depth. To prove that later searches read nothing, the
// test removes the keys after the first one.
func TestLookAheadOnce(t *testing.T) {
	const levels = 50
	before, after := "\x83\xa1a\x01\xa1b", "\xa4type\xa1x"
	data := []byte(strings.Repeat(before, levels) + "\xc0" + strings.Repeat(after, levels))
	k := &discriminator{"type", wire.AppendString(nil, "type")}
	other := &discriminator{"b", wire.AppendString(nil, "b")}
	c := &plans{policy: defaultPolicy}
	c.discriminators = []*discriminator{other, k}
	d := &decoder{data: data, depth: MaxDepth, plans: c}
	defer d.release()
	for i := range levels {
		d.pos = i * len(before)
		h, err := d.header("")
		if err != nil {
			t.Fatal(err)
		}
		tag, err := k.find(d, h, "")
		if want := len(data) - i*len(after) - len("\xa1x"); err != nil || tag != want {
			t.Fatalf("level %d: tag at %d, %v, want %d", i, tag, err, want)
		}
		tag, err = other.find(d, h, "")
		if want := (i + 1) * len(before); err != nil || tag != want {
			t.Fatalf("level %d: other tag at %d, %v, want %d", i, tag, err, want)
		}
		c.discriminators = nil
	}
	if n := len(d.extras.ahead.tags); n != 2*levels {
		t.Errorf("%d tags were found, want %d", n, 2*levels)
	}
}

// TestLookAheadKeepsLittle checks that the memory for the tags of a long input is
// released, because the lookAhead returns to a pool.
func TestLookAheadKeepsLittle(t *testing.T) {
	k := &discriminator{"t", wire.AppendString(nil, "t")}
	c := &plans{policy: defaultPolicy}
	c.discriminators = []*discriminator{k}
	data := []byte("\xdc\x10\x00" + strings.Repeat("\x82\xa1a\x01\xa1t\x02", 1<<12))
	var l lookAhead
	if err := l.look(&decoder{data: data, depth: MaxDepth, plans: c}); err != nil || len(l.tags) != 1<<12 || l.end != len(data) {
		t.Errorf("%d tags up to %d, %v", len(l.tags), l.end, err)
	}
	if l.release(); l.tags != nil || l.data != nil || l.keys != nil || l.end != 0 {
		t.Errorf("keeps %d tags, %d bytes", len(l.tags), len(l.data))
	}
	// After an input with many tags, an input with few gets a new map: clearing the
	// large one each time would take longer than the pass over the input.
	few := &decoder{data: data[3:10], depth: MaxDepth, plans: c}
	if err := l.look(&decoder{data: data, depth: MaxDepth, plans: c}); err != nil {
		t.Fatal(err)
	}
	many := l.most
	if err := l.look(few); err != nil || len(l.tags) != 1 || many != 1<<12 || l.most != 1 {
		t.Errorf("%d tags in a map that had %d, %v", len(l.tags), l.most, err)
	}
	if l.release(); l.tags == nil {
		t.Error("a small map was not kept")
	}
}
