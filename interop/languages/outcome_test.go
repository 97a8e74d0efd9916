package main

import (
	"testing"

	"github.com/octet-go/octet/msgpack"
)

func TestCompare(t *testing.T) {
	one := vector{message: fromHex("cc01"), want: "i1"}
	bad := vector{message: fromHex("c1")}
	binKey := vector{message: fromHex("81c400c3"), want: "{b=t}"}
	cases := []struct {
		name string
		v    vector
		a    answer
		want outcome
	}{
		{"same bytes", one, answer{Read: "i1", Write: "cc01"}, outcome{same: true}},
		{"shorter bytes", one, answer{Read: "i1", Write: "01"}, outcome{}},
		{"not read", one, answer{ReadError: "no"}, outcome{notRead, "not read", false}},
		{"read and written as another", one, answer{Read: "i2", Write: "02"}, outcome{readOther, "read as 2, and written as this value", false}},
		{"read as another only", one, answer{Read: "s31", Write: "01"}, outcome{readOther, `read as "1", but written as the original value`, false}},
		{"read as another, written as a third", one, answer{Read: "s31", Write: "03"}, outcome{readOther, `read as "1", written as 3`, false}},
		{"written as another", one, answer{Read: "i1", Write: "02"}, outcome{wroteOther, "written as 2", false}},
		{"not written", one, answer{Read: "i1", WriteError: "no"}, outcome{notWritten, "not written", false}},
		{"read as another and not written", one, answer{Read: "i2", WriteError: "no"}, outcome{readOther, "read as 2, not written", false}},
		{"written malformed", one, answer{Read: "i1", Write: "c1"}, outcome{wroteBad, "written as c1, which Octet refuses", false}},
		{"written not as hexadecimal", one, answer{Read: "i1", Write: "x"}, outcome{wroteBad, "written as x", false}},
		{"ended", one, answer{crashed: true}, outcome{crashed, "ends the process", false}},
		{"malformed and refused", bad, answer{ReadError: "no"}, outcome{}},
		{"malformed and accepted", bad, answer{Read: "n", Write: "c0"}, outcome{accepted, "accepted as nil", false}},
		{"malformed and ended", bad, answer{crashed: true}, outcome{crashed, "ends the process", false}},
		{"unchanged bytes that Octet does not decode into any", binKey, answer{Read: "{b=t}", Write: "81c400c3"}, outcome{same: true}},
	}
	for _, c := range cases {
		if got := compare(c.v, c.a); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestByOctet checks that the shortest forms are what Octet writes.
func TestByOctet(t *testing.T) {
	codec, err := msgpack.New(msgpack.Options{SortKeys: true})
	if err != nil {
		t.Fatal(err)
	}
	tested := 0
	for _, v := range vectors() {
		if v.section != "Integers, shortest form" {
			continue
		}
		tested++
		if o := compare(v, byOctet(codec, v.message)); o != (outcome{same: true}) {
			t.Errorf("%s: %+v", v.name, o)
		}
	}
	if tested < 20 {
		t.Errorf("%d integers", tested)
	}
}

func TestFamilyOutcome(t *testing.T) {
	r := row{generated, "integers", []int{0, 1, 2, 3}}
	c := column{outcomes: []outcome{{}, {kind: readOther, text: "read as 2"}, {kind: notRead, text: "not read"}, {kind: readOther, text: "read as 3"}}}
	if got, want := c.outcome(r), (outcome{notRead, "of 4: 1 not read, 2 read differently", false}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	r.indexes = r.indexes[:1]
	if got := c.outcome(r); got != (outcome{}) {
		t.Errorf("got %+v", got)
	}
}
