package report

import (
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/octet-go/octet/bench/engine"
)

// reasons lists why a library is faster than octet in a case. A report shows the reason next to the figure, and in
// a table at its end, if the library is faster there. The first match is used.
var reasons = []reason{
	{regexp.MustCompile(`^values/(struct/\w+|typed/(canada|citm|golang|twitter)_\w+)/Marshal(Append)? (msgp|msgpackgen)$`),
		"the generated code contains the keys and calls of this type; octet interprets a plan of the type"},
	{regexp.MustCompile(`^values/((struct|array|foreign)/\w+|typed/(canada|citm|golang|twitter)_\w+)/Unmarshal (msgp|msgpackgen)$`),
		"the generated code contains the fields of this type; octet interprets a plan of the type"},
	{regexp.MustCompile(`^values/single/\w+/(Marshal|MarshalAppend|Unmarshal) (msgp|msgpackgen)$`),
		"the call is specific to the type; octet first looks up the plan of the type, which takes longer than processing so little data"},
	{regexp.MustCompile(`^values/(document|typed)/\w+/(Marshal|MarshalAppend|Unmarshal) (msgp|ugorji)$`),
		"copying strings and building maps takes nearly all of the time; octet also counts depth and outstanding values for each of them"},
	{regexp.MustCompile(`^first/(\w+/Marshal/\d+|profile/RoundTrip) msgp$`),
		"generated code needs no plan; octet compiles the plan of the type in its first call"},
	{regexp.MustCompile(`^(values/slice/floats/Marshal(Append)?|growth/float(32|64)s/Marshal(Append)?/\d+) protobuf$`),
		"a packed list of floats equals their memory; MessagePack has a byte before each number and the opposite byte order"},
	{regexp.MustCompile(`^fixed/(quote|packet)/(Append|Decode) by hand( in place)?$`),
		"the code is written for this one type; octet first looks up the type of its argument; octet Typed, which needs no lookup, is close"},
	{regexp.MustCompile(`^(fixed/apns|buffers/chain/\w+)/(Write|Read) by hand$`),
		"the code works on an existing slice; octet writes to and reads from a stream, with one call per value"},
	{regexp.MustCompile(`^layout/\w+/(Append|Decode) by hand$`),
		"the code is written for this one type; octet interprets a plan of the type"},
	{regexp.MustCompile(`^messages/[\w-]+/(Append|Decode|Alias) by hand$`),
		"the code is written for this one message; octet interprets a list of operations, of which each takes 1 to 3 ns"},
	{regexp.MustCompile(`^values/document/canada_geometry/Unmarshal \w+$`),
		"all allocate a small slice for each point; garbage collections that fall into a turn decide: octet and octet For run the same code, and differ by a factor of 2 in either direction from run to run"},
	{regexp.MustCompile(`^streams/\w+/((Encode|Decode)One|DecodeBody) msgp$`),
		"it takes a buffer from a pool; octet makes one, because a faulty reader or writer could use it after its call has returned"},
	{regexp.MustCompile(`^parts/stream/(Encode|Decode) msgp$`),
		"octet counts how many values each container still expects, so that a stream that ends too early is an error"},
	{regexp.MustCompile(`^parts/slice/Decode msgp$`),
		"msgp returns the rest of the slice; package wire returns the length, and the caller cuts the slice"},
	{regexp.MustCompile(`^record/\w+/(Write|Discard) \w+$`),
		"octet computes two checksums of every byte, so that damage is found; this library writes the values without any"},
	{regexp.MustCompile(`^record/\w+/Parallel slices, 1 goroutine$`),
		"the values are in memory already; octet reads a file and verifies its checksums"},
	{regexp.MustCompile(`^growth/goroutines/\w+/\d by hand$`),
		"the code is written for this one type: it needs no plan, and its errors have no path"},
	{regexp.MustCompile(`^values/typed/string_\w+/Unmarshal \w+$`),
		"a map with sixty strings of several hundred bytes: almost all of the time is spent on allocating, copying and inserting them, and octet examines strings longer than 31 bytes twice"},
	{regexp.MustCompile(`^buffers/once/1024/Build bytes\.Buffer$`),
		"both make the same two allocations; in a long run, the library that comes first gets memory that is not yet in use; in a run of only this case, the two are equally fast"},
	{regexp.MustCompile(`^buffers/(once|pieces)/0/Build bytes\.Buffer$`),
		"octet's buffer contains memory for small contents, which Go clears even if nothing is written"},
	{regexp.MustCompile(`^buffers/(once|pieces)/\d+/Build bytebufferpool$`),
		"it reuses a buffer that has grown before; octet starts with an empty one"},
	{regexp.MustCompile(`^buffers/pieces/1024/Build bufio\.Writer$`),
		"it has 4,096 bytes from the start; octet's buffer begins small and grows several times"},
	{regexp.MustCompile(`^growth/(\w+/(Marshal|Unmarshal)/10?|string/(Marshal|Unmarshal)/\d{1,4}) msgp$`),
		"the call is specific to the type; octet first looks up the plan of the type, which takes longer than processing so little data"},
	{regexp.MustCompile(`^growth/string/Marshal/10+ \w+$`),
		"octet encodes into an internal buffer and copies the result, which is one copy more than a single long string needs"},
	{regexp.MustCompile(`^growth/string/Unmarshal/10+ \w+$`),
		"all libraries make one allocation and one copy; the rest of the time is spent in the garbage collector"},
	{regexp.MustCompile(`^growth/int64s/Unmarshal/100 msgp$`),
		"a processor learns the branches of the generated code, because the numbers are always the same; octet looks up the format of each number in a table"},
	{regexp.MustCompile(`^values/typed/string_\w+/Marshal shamaton$`),
		"three quarters of the time is spent on allocating the result, and differ from run to run; both copy the strings once"},
	{regexp.MustCompile(`^growth/counts/Unmarshal/10+ (msgp|shamaton)$`),
		"all insert each key into a Go map, which takes most of the time; in a run of only this case, octet takes 0.9 times as long"},
	{regexp.MustCompile(`^growth/names/Unmarshal/1000 shamaton$`),
		"a disturbed run: nearly all of the time is spent on inserting keys into a Go map; in a run of only this case, the library takes 1.4 times as long as octet"},
	{regexp.MustCompile(`^growth/structs/Unmarshal/10000 msgp$`),
		"a disturbed run: both make the same 20,000 allocations, and garbage collections decide; in two runs of only this case, the library takes 1.06 and 1.11 times as long"},
	{regexp.MustCompile(`^fixed/number/(Append|Decode) (by hand|encoding/binary)$`),
		"the code is written for this one type, or finds it by a type switch; octet looks up the type of its argument"},
}

type reason struct {
	ahead *regexp.Regexp // matches the name of the case, a space and the library, as -report prints cases without a reason
	why   string
}

// ahead reports whether a library is faster than octet by more than the spread. The limit does not count as a
// library.
func (r row) ahead() bool {
	return r.compared && r.Library != engine.Limit && !engine.IsOurs(r.Library) && r.times.High < 1
}

// reasonFor returns the reason for a case and a library, or "" if there is none.
func reasonFor(c engine.Case, library string) string {
	for _, r := range reasons {
		if r.ahead.MatchString(c.Name() + " " + library) {
			return r.why
		}
	}
	return ""
}

// A lead is a library that is faster in a case.
type lead struct {
	engine.Case
	row
	why string // "" if unknown
}

func leads(r *engine.Results) (list []lead) {
	for _, g := range engine.Groups {
		for _, s := range seriesOf(r, g.Name) {
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

// leadTable returns the table of leads with their reasons.
func leadTable(list []lead) table {
	t := table{Columns: []column{{"case", false}, {"library", false}, {"× octet", true}, {"quartiles", true}, {"reason", false}}}
	for _, l := range list {
		t.Lines = append(t.Lines, line{[]string{l.Case.Name(), l.Library, times(l.row), engine.Spread(l.times), l.why}, "peer"})
	}
	return t
}

// PrintUnexplained prints the leads without a reason.
func PrintUnexplained(w io.Writer, r *engine.Results) {
	var names []string
	for _, l := range leads(r) {
		if l.why == "" {
			names = append(names, fmt.Sprintf("  %s %s\t%s\n", l.Case.Name(), l.Library, times(l.row)))
		}
	}
	if len(names) > 0 {
		fmt.Fprintf(w, "faster than octet without a reason in reasons.go:\n%s", strings.Join(names, ""))
	}
}
