package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// reasons say why a library is ahead of octet, where one is: beside its figure in the tables, and all together at
// their end. Where it is not ahead, the reason is not shown. The first that matches counts.
var reasons = []reason{
	{regexp.MustCompile(`^values/(struct/\w+|typed/(canada|citm|golang|twitter)_\w+)/Marshal(Append)? (msgp|msgpackgen)$`),
		"code generated for the type has its keys and calls in line; octet walks a plan that it made of the type"},
	{regexp.MustCompile(`^values/((struct|array)/\w+|typed/(canada|citm|golang|twitter)_\w+)/Unmarshal (msgp|msgpackgen)$`),
		"code generated for the type has its fields in line; octet walks a plan that it made of the type"},
	{regexp.MustCompile(`^values/slice/floats/Marshal(Append)? protobuf$`),
		"a packed list of doubles is their bytes as they lie in memory; MessagePack has a byte before each, and the other order of bytes"},
	{regexp.MustCompile(`^fixed/(quote|packet)/(Append|Decode) by hand( in place)?$`),
		"written for this one type; octet finds out first what type it was given: octet Codec, which knows it, is close"},
	{regexp.MustCompile(`^(fixed/apns|buffers/chain/\w+)/(Write|Read) by hand$`),
		"works on a slice that is there; octet writes to and reads from a stream, by one call for each value"},
	{regexp.MustCompile(`^growth/goroutines/\w+/\d by hand$`),
		"written for this one type: it has no plan to follow, and no path for its errors"},
	{regexp.MustCompile(`^values/typed/string_\w+/Unmarshal \w+$`),
		"sixty strings of some hundred bytes for a map: nearly all of the time goes into allocating, copying and inserting them, and octet looks twice at what is longer than 31 bytes"},
	{regexp.MustCompile(`^buffers/once/1024/Build bytes\.Buffer$`),
		"the same two allocations; of a long run in one process, who comes first meets memory that is not in use yet: in a run of this case alone the two are level"},
	{regexp.MustCompile(`^buffers/(once|pieces)/0/Build bytes\.Buffer$`),
		"octet's buffer has room for small contents in itself, which Go clears even where nothing is written"},
	{regexp.MustCompile(`^buffers/(once|pieces)/\d+/Build bytebufferpool$`),
		"its buffer was used before and has grown; octet's begins empty"},
	{regexp.MustCompile(`^growth/(\w+/(Marshal|Unmarshal)/10?|string/(Marshal|Unmarshal)/\d{1,4}) msgp$`),
		"called for its type by name; octet finds the plan of the type first, which so little data does not make up for"},
	{regexp.MustCompile(`^growth/string/Marshal/10+ \w+$`),
		"octet encodes into a buffer of its own and copies the result when it knows the length, which is one copy more than a single long string needs"},
	{regexp.MustCompile(`^growth/string/Unmarshal/10+ \w+$`),
		"one allocation and one copy for all of them; the rest is what the collector does meanwhile"},
}

type reason struct {
	ahead *regexp.Regexp // the name of the case, a blank and the library, as -report lists those without a reason
	why   string
}

// ahead tells that a library is faster than octet, and that the spread does not hide it. The limit is no library.
func (r row) ahead() bool {
	return r.compared && r.Library != limit && !isOurs(r.Library) && r.times.high < 1
}

// reasonFor returns "" if none is known.
func reasonFor(c Case, library string) string {
	for _, r := range reasons {
		if r.ahead.MatchString(c.name() + " " + library) {
			return r.why
		}
	}
	return ""
}

// lead is a library that is ahead in a case.
type lead struct {
	Case
	row
	why string // "" if nobody has found out
}

func (r *Results) leads() (list []lead) {
	for _, g := range groups {
		for _, s := range r.seriesOf(g.name) {
			for _, c := range s.cases {
				for _, row := range timed(c) {
					if row.ahead() {
						list = append(list, lead{c, row, reasonFor(c, row.Library)})
					}
				}
			}
		}
	}
	return list
}

// leadTable sets them with their reasons.
func leadTable(list []lead) table {
	t := table{Columns: []column{{"case", false}, {"library", false}, {"× octet", true}, {"quartiles", true}, {"reason", false}}}
	for _, l := range list {
		t.Lines = append(t.Lines, line{[]string{l.Case.name(), l.Library, times(l.row), spread(l.times), l.why}, "peer"})
	}
	return t
}

// printUnexplained tells the developer which reasons are to be found.
func printUnexplained(w io.Writer, r *Results) {
	var names []string
	for _, l := range r.leads() {
		if l.why == "" {
			names = append(names, fmt.Sprintf("  %s %s\t%s\n", l.Case.name(), l.Library, times(l.row)))
		}
	}
	if len(names) > 0 {
		fmt.Fprintf(w, "ahead of octet, and no reason in reasons.go says why:\n%s", strings.Join(names, ""))
	}
}
