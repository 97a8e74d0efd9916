package main

import (
	"context"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/octet-go/octet/beamio"
)

// A Session has the clicks of a user up to a pause of half an hour.
type Session struct {
	User    uint32           `msgpack:"user"`
	Start   int64            `msgpack:"start"`   // seconds since 1970
	Seconds int64            `msgpack:"seconds"` // from the first click to the last
	Pages   map[string]int32 `msgpack:"pages"`   // clicks on each
}

// gap is the pause in seconds that ends a session.
const gap = 30 * 60

// registerTypes tells Beam about the types and functions. It comes before beam.Init.
func registerTypes() {
	beamio.Register[Click]()
	beamio.Register[Session]()
	register.Function1x2(byUser)
	register.Function4x0(findSessions)
	register.Iter1[Click]()
	register.Emitter1[Session]()
}

// The counters of a pipeline. Each runner reports them to the program that started it.
var (
	clickCount   = beam.NewCounter("example", "clicks")
	sessionCount = beam.NewCounter("example", "sessions")
)

// pipeline reads the clicks of the input files and writes the sessions to shards.
func pipeline(s beam.Scope, input, output string, shards int) {
	clicks := beamio.Read[Click](s, input, nil)
	users := beam.GroupByKey(s, beam.ParDo(s, byUser, clicks))
	sessions := beam.ParDo(s, findSessions, users)
	beamio.Write(s, output, sessions, &beamio.Options{Shards: shards})
}

// byUser makes the user the key of a click.
func byUser(c Click) (uint32, Click) { return c.User, c }

// findSessions divides the clicks of a user, which come in any order.
func findSessions(ctx context.Context, user uint32, next func(*Click) bool, emit func(Session)) {
	var clicks []Click
	for c := (Click{}); next(&c); {
		clicks = append(clicks, c)
	}
	slices.SortFunc(clicks, func(a, b Click) int { return int(a.Time - b.Time) })
	for i := 0; i < len(clicks); {
		s := Session{User: user, Start: clicks[i].Time, Pages: map[string]int32{}}
		last := s.Start
		for ; i < len(clicks) && clicks[i].Time-last < gap; i++ {
			last = clicks[i].Time
			s.Pages[clicks[i].Page]++
		}
		s.Seconds = last - s.Start
		emit(s)
		sessionCount.Inc(ctx, 1)
	}
	clickCount.Inc(ctx, int64(len(clicks)))
}
