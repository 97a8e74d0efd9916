package cases

import (
	"errors"
	"slices"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/shape"
)

// The limit for encoding a value is to walk its maps and to copy as many bytes as the message has. The limit for
// decoding is to build the value from an already decoded one: structs and arrays are copied, maps are filled entry
// by entry, and strings are shared. All of this is plain Go: loops, copies and assignments. Code that accesses the
// memory of maps directly can be faster.

// buildLimit returns the competitor for the limit. If the value has no maps, walk is nil.
func buildLimit[T any](walk func(*T) int, build func(*T) T) competitor[T] {
	return competitor[T]{name: engine.Limit, enter: func(s samples[T]) (engine.Peer, error) {
		values, messages, mask := s.values, s.messages, s.mask()
		for i := range values {
			if !equal(build(&values[i]), values[i], false) {
				return engine.Peer{}, errors.New("limit: built a different value")
			}
		}
		e := engine.Peer{Library: engine.Limit, Size: meanSize(messages)}
		// The results are kept here, so that the compiler does not remove the work.
		var made struct {
			fresh, buf []byte
			value      T
			walked     int
		}
		if walk == nil {
			walk = func(*T) int { return 0 }
		}
		e.Loops = map[string]engine.Loop{
			verbMarshal: engine.Each(mask, func(i int) error {
				made.walked += walk(&values[i])
				made.fresh = append([]byte(nil), messages[i]...)
				return nil
			}),
			verbAppend: engine.Each(mask, func(i int) error {
				made.walked += walk(&values[i])
				made.buf = append(made.buf[:0], messages[i]...)
				return nil
			}),
			verbUnmarshal: engine.Each(mask, func(i int) error { made.value = build(&values[i]); return nil }),
		}
		return e, nil
	}}
}

// copyLimit returns the limit for a slice whose encoding is almost the same as its memory: a copy of the encoded
// bytes, in both directions.
func copyLimit[T any]() competitor[T] {
	return competitor[T]{name: engine.Limit, enter: func(s samples[T]) (engine.Peer, error) {
		var made struct{ fresh, buf []byte }
		data := s.messages[0]
		copies := engine.Repeat(func() { made.fresh = append([]byte(nil), data...) })
		return engine.Peer{Library: engine.Limit, Size: len(data), Loops: map[string]engine.Loop{
			verbMarshal: copies, verbUnmarshal: copies, verbAppend: engine.Repeat(func() { made.buf = append(made.buf[:0], data...) }),
		}}, nil
	}}
}

// copyValue builds a value without references.
func copyValue[T any](v *T) T { return *v }

func walkMap[K comparable, V any](m map[K]V) (n int) {
	for range m {
		n++
	}
	return n
}

func buildMap[K comparable, V any](m map[K]V) map[K]V {
	built := make(map[K]V, len(m))
	for k, v := range m {
		built[k] = v
	}
	return built
}

func walkReport(v *shape.Report) int { return walkMap(v.Counters) }

func buildReport(v *shape.Report) shape.Report {
	r := *v
	r.Samples = slices.Clone(v.Samples)
	r.Counters = buildMap(v.Counters)
	return r
}

func walkRow(v *shape.Row) int { return walkMap(v.Counters) }

func buildRow(v *shape.Row) shape.Row {
	r := *v
	r.Samples = slices.Clone(v.Samples)
	r.Counters = buildMap(v.Counters)
	return r
}

func buildCustomer(v *shape.Customer) shape.Customer {
	c, address := *v, *v.Address
	c.Address = &address
	c.Roles = slices.Clone(v.Roles)
	c.Items = slices.Clone(v.Items)
	return c
}

func walkOptional(v *shape.Optional) int { return walkMap(v.Limits) }

func buildOptional(v *shape.Optional) shape.Optional {
	return shape.Optional{
		ID: buildPointer(v.ID), Count: buildPointer(v.Count), Value: buildPointer(v.Value), Valid: buildPointer(v.Valid),
		Tags: slices.Clone(v.Tags), Limits: buildMap(v.Limits), Last: buildPointer(v.Last),
	}
}

func walkMetric(v *shape.Metric) int { return walkMap(v.Labels) + walkMap(v.Sources) + walkMap(v.Tags) }

func buildMetric(v *shape.Metric) shape.Metric {
	m := *v
	m.Labels = buildMap(v.Labels)
	m.Sources = buildMap(v.Sources)
	m.Buckets = slices.Clone(v.Buckets)
	for i := range m.Buckets {
		b := &m.Buckets[i]
		b.Bounds, b.Counts = slices.Clone(b.Bounds), slices.Clone(b.Counts)
	}
	m.Tags = make(map[string][]string, len(v.Tags))
	for k, tags := range v.Tags {
		m.Tags[k] = slices.Clone(tags)
	}
	return m
}

func buildCanada(v *shape.Canada) shape.Canada {
	c := *v
	c.Features = slices.Clone(v.Features)
	for i := range c.Features {
		f := &c.Features[i]
		f.Properties = buildMap(f.Properties)
		f.Geometry.Coordinates = slices.Clone(f.Geometry.Coordinates)
		for j, ring := range f.Geometry.Coordinates {
			ring = slices.Clone(ring)
			for k := range ring {
				ring[k] = slices.Clone(ring[k])
			}
			f.Geometry.Coordinates[j] = ring
		}
	}
	return c
}

func buildSource(v *shape.Source) shape.Source {
	s := *v
	tree := buildNode(*v.Tree)
	s.Tree = &tree
	return s
}

func buildNode(n shape.Node) shape.Node {
	n.Kids = slices.Clone(n.Kids)
	for i := range n.Kids {
		n.Kids[i] = buildNode(n.Kids[i])
	}
	return n
}

func walkCatalog(v *shape.Catalog) int {
	return walkMap(v.AreaNames) + walkMap(v.AudienceSubCategoryNames) + walkMap(v.BlockNames) + walkMap(v.Events) + walkMap(v.SeatCategoryNames) +
		walkMap(v.SubTopicNames) + walkMap(v.SubjectNames) + walkMap(v.TopicNames) + walkMap(v.TopicSubTopics) + walkMap(v.VenueNames)
}

func buildCatalog(v *shape.Catalog) shape.Catalog {
	c := *v
	for _, m := range []*map[string]string{
		&c.AreaNames, &c.AudienceSubCategoryNames, &c.BlockNames, &c.SeatCategoryNames, &c.SubTopicNames, &c.SubjectNames, &c.TopicNames, &c.VenueNames,
	} {
		*m = buildMap(*m)
	}
	c.Events = make(map[string]shape.Show, len(v.Events))
	for k, e := range v.Events {
		e.Logo = buildPointer(e.Logo)
		e.SubTopicIDs, e.TopicIDs = slices.Clone(e.SubTopicIDs), slices.Clone(e.TopicIDs)
		c.Events[k] = e
	}
	c.TopicSubTopics = make(map[string][]int64, len(v.TopicSubTopics))
	for k, list := range v.TopicSubTopics {
		c.TopicSubTopics[k] = slices.Clone(list)
	}
	c.Performances = slices.Clone(v.Performances)
	for i := range c.Performances {
		p := &c.Performances[i]
		p.Logo = buildPointer(p.Logo)
		p.Prices, p.SeatCategories = slices.Clone(p.Prices), slices.Clone(p.SeatCategories)
		for j := range p.SeatCategories {
			p.SeatCategories[j].Areas = slices.Clone(p.SeatCategories[j].Areas)
		}
	}
	return c
}

func buildPointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	v := *p
	return &v
}

func walkTwitter(v *shape.Twitter) (n int) {
	for i := range v.Statuses {
		n += walkStatus(&v.Statuses[i])
	}
	return n
}

func walkStatus(s *shape.Status) (n int) {
	for i := range s.Entities.Media {
		n += walkMap(s.Entities.Media[i].Sizes)
	}
	if s.RetweetedStatus != nil {
		n += walkStatus(s.RetweetedStatus)
	}
	return n
}

func buildTwitter(v *shape.Twitter) shape.Twitter {
	t := *v
	t.Statuses = slices.Clone(v.Statuses)
	for i := range t.Statuses {
		buildStatus(&t.Statuses[i])
	}
	return t
}

// buildStatus replaces what a copied Status shares with its original by copies.
func buildStatus(s *shape.Status) {
	s.InReplyToStatusID, s.InReplyToUserID = buildPointer(s.InReplyToStatusID), buildPointer(s.InReplyToUserID)
	s.InReplyToStatusIDString, s.InReplyToUserIDString = buildPointer(s.InReplyToStatusIDString), buildPointer(s.InReplyToUserIDString)
	s.InReplyToScreenName, s.PossiblySensitive = buildPointer(s.InReplyToScreenName), buildPointer(s.PossiblySensitive)
	u := &s.User
	u.URL, u.UtcOffset, u.TimeZone = buildPointer(u.URL), buildPointer(u.UtcOffset), buildPointer(u.TimeZone)
	u.Entities.Description.URLs = buildLinks(u.Entities.Description.URLs)
	if u.Entities.URL != nil {
		u.Entities.URL = &shape.Links{URLs: buildLinks(u.Entities.URL.URLs)}
	}
	e := &s.Entities
	e.Hashtags, e.UserMentions, e.Media = slices.Clone(e.Hashtags), slices.Clone(e.UserMentions), slices.Clone(e.Media)
	for i := range e.Hashtags {
		e.Hashtags[i].Indices = slices.Clone(e.Hashtags[i].Indices)
	}
	e.URLs = buildLinks(e.URLs)
	for i := range e.UserMentions {
		e.UserMentions[i].Indices = slices.Clone(e.UserMentions[i].Indices)
	}
	for i := range e.Media {
		m := &e.Media[i]
		m.Indices, m.Sizes = slices.Clone(m.Indices), buildMap(m.Sizes)
	}
	if s.RetweetedStatus != nil {
		s.RetweetedStatus = buildPointer(s.RetweetedStatus)
		buildStatus(s.RetweetedStatus)
	}
}

func buildLinks(list []shape.Link) []shape.Link {
	list = slices.Clone(list)
	for i := range list {
		list[i].Indices = slices.Clone(list[i].Indices)
	}
	return list
}

func walkAny(v *any) int { return walkElement(*v) }

func walkElement(v any) int {
	n := 1
	switch v := v.(type) {
	case map[string]any:
		for _, element := range v {
			n += walkElement(element)
		}
	case []any:
		for _, element := range v {
			n += walkElement(element)
		}
	}
	return n
}

func buildAny(v *any) any { return buildElement(*v) }

func buildElement(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, element := range v {
			m[k] = buildElement(element)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, element := range v {
			list[i] = buildElement(element)
		}
		return list
	}
	return v
}

// walkOneMap and buildOneMap are for values that are a map themselves.

func walkOneMap[K comparable, V any](v *map[K]V) int { return walkMap(*v) }

func buildOneMap[K comparable, V any](v *map[K]V) map[K]V { return buildMap(*v) }

// cloneSlice copies a slice whose elements have no pointers except strings.
func cloneSlice[E any](v *[]E) []E { return slices.Clone(*v) }
