package query

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/itchyny/gojq"

	"github.com/octet-go/octet/transcode"
)

// TestBuiltins runs programs whose results are new values, of whatever Go types the package gojq gives
// them, and requires the results that it prints itself.
func TestBuiltins(t *testing.T) {
	const in = `{"s": "a,b", "j": "{\"n\": [1, 2.50, -0, 1e3, 18446744073709551616, null, true, \"x\"]}", "n": -3.5, "i": 7, "l": [3, 1, 2], "t": 1425599621}`
	var v any
	if err := json.Unmarshal([]byte(in), &v); err != nil {
		t.Fatal(err)
	}
	data, err := transcode.AppendMsgpack(nil, []byte(in), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range strings.Split(`.j|fromjson
.j|fromjson|.n
.j|fromjson|.n[]
.j|fromjson|.n|[.[4]]
.j|fromjson|{a: .n[1], b: [.n[0], 1]}
"1.10"|fromjson
"-0"|fromjson
"[1, 1.0]"|fromjson
tojson|fromjson|.l
[.j|fromjson|tostream]
[.j|fromjson|.n[:4][]|numbers]|add
.j|fromjson|.n[:5]|map(. + 1)
.j|fromjson|.n|sort
.j|fromjson|.n|unique|length
.j|fromjson|paths(type == "number")
"5"|tonumber
.i|tostring|tonumber
(.n|floor, ceil, round, trunc, fabs), (.i|sqrt)
.n|frexp, modf, logb, significand
.i|gamma, exp10, exp2, log2
.l|min, max, add, length, sort, reverse, first, last, any, all
.l|to_entries, (map({key: tostring, value: .})|from_entries)
.l|index(1), indices(1), bsearch(2), contains([1]), inside([1, 2, 3])
.s|explode, (explode|implode), split(","), ascii_upcase, length, utf8bytelength
.s|[match("[a-z]"; "g")], test("a"), capture("(?<x>a)"), [scan(".")], sub("a"; "b"), splits(",")
.s|@base64, (@base64|@base64d), @uri, @html, @sh, @json, @text
.l|@csv, @tsv, @json, tojson
.t|todate, gmtime, (gmtime|mktime), (gmtime|strftime("%Y")), (todate|fromdate), (todate|strptime("%Y-%m-%dT%H:%M:%SZ"))
[paths], [leaf_paths?], [getpath(["l", 0])], [tostream], fromstream(tostream)
del(.l[0]), delpaths([["s"]]), to_entries, with_entries(.value |= type), keys, map_values(1)?
[limit(2; .l[])], [range(0; 10; 3)], [.l[]|select(. > 1)], ([.l[]|[.]]|flatten), ([.l, .l]|transpose), (.l|combinations(2))
[.l|splits("x")?], ltrimstr(1), (.s|ltrimstr("a"), trim, ltrim, rtrim, startswith("a")), (.l|toarray), abs?, (.n|abs), have_decnum, have_literal_numbers
.l|group_by(. % 2), unique_by(. % 2), min_by(-.), max_by(-.), sort_by(-.)
walk(.), getpath(["x", "y"]), pick(.l[1]), ([splits("a")?]), (.l|IN(3)), any, input_line_number?
$ENV|type, now|type, infinite|isinfinite, nan|isnan, (1, null|isvalid(error)?), ([.l[]|isnormal])
1 / 4, 7 % 3, 2 - 5, [1] - [1], {a: 1} * {a: {b: 2}}, "a" * 2, "a,b" / ",", 9007199254740993 + 0, -(.i)`, "\n") {
		parsed, err := gojq.Parse(program)
		if err != nil {
			t.Fatalf("%s: %v", program, err)
		}
		code, err := gojq.Compile(parsed, gojq.WithEnvironLoader(func() []string { return nil }))
		if err != nil {
			continue // no such function
		}
		var want []any
		for i := code.Run(v); ; {
			result, ok := i.Next()
			if _, failed := result.(error); !ok || failed {
				break
			}
			text, err := gojq.Marshal(result)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, parse(t, text)...)
		}
		for _, o := range []Options{{}, {Reversible: true}, {Sorted: true}, {Indent: "  "}} {
			o.Environ = func() []string { return nil }
			p, err := Compile(program, o)
			if err != nil {
				t.Fatalf("%s: %v", program, err)
			}
			var b strings.Builder
			_ = p.Run(t.Context(), &b, data) // fails where gojq does
			if got := parse(t, []byte(b.String())); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v\nwant %v", program, got, want)
			}
		}
	}
}

// parse returns JSON values with numbers as text in one form.
func parse(t *testing.T, text []byte) (list []any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	for d.More() {
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		list = append(list, fmt.Sprint(numbers(v)))
	}
	return list
}
