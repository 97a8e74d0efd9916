package events

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"github.com/octet-go/octet/record"
)

// write writes the events of Sample.
func write(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "events.rec")
	if err := Sample(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestReaders reads the events of all versions with the oldest and with the newest one.
func TestReaders(t *testing.T) {
	path := write(t)
	old, err := Read[EventV1](path)
	if err != nil {
		t.Fatal(err)
	}
	sum := int32(0)
	for _, e := range old {
		sum += e.Cost
	}
	if len(old) != 4 || sum != 475 || old[3].User != "eve" {
		t.Errorf("the old reader got %+v", old)
	}
	events, err := Read[Event](path)
	if err != nil {
		t.Fatal(err)
	}
	if len(events) != 4 || events[0].From != nil || events[3].From.City != "Paris" || !slices.Equal(events[2].Tags, []string{"sale"}) {
		t.Errorf("the new reader got %+v", events)
	}
}

// TestBadVersion is the check that stops a version before it ships.
func TestBadVersion(t *testing.T) {
	good, err := Breaking[EventV2, Event]()
	if err != nil || len(good) > 0 {
		t.Errorf("the third version breaks %v, %v", good, err)
	}
	bad, err := Breaking[Event, BadEvent]()
	if err != nil || len(bad) == 0 {
		t.Fatalf("the fourth version breaks nothing, %v", err)
	}
	t.Log(bad[0])
	if err := Append(write(t), BadEvent{User: "ada"}); !errors.Is(err, record.ErrSchema) {
		t.Errorf("the file accepts the fourth version: %v", err)
	}
}
