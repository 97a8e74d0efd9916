package layout_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octet-go/octet/layout"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestDescribe compares drawings with golden files, which also show that they are
// readable.
func TestDescribe(t *testing.T) {
	c := codec(t)
	for name, draw := range map[string]func() string{
		"frame": describe[frame](t, c), "ipv4": describe[ipv4](t, c), "png": describe[png](t, c), "elf": describe[elf](t, c),
		"mqtt": describe[mqtt](t, c), "question": describe[question](t, c), "padded": describe[padded](t, c), "tree": describe[tree](t, c),
		"list": describe[list](t, c), "sizes": describe[sizes](t, c), "zif": describe[zif](t, c), "notification": describe[notification](t, c),
	} {
		got := draw()
		file := filepath.Join("testdata", "describe", name+".txt")
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || got != string(want) {
			t.Errorf("%s: %v, got\n%s\nwant\n%s", name, err, got, want)
		}
		for line := range strings.SplitSeq(got, "\n") {
			if len([]rune(line)) > 100 {
				t.Errorf("%s: line of more than 100 columns: %s", name, line)
			}
		}
	}
}

func describe[T any](t *testing.T, c *layout.Codec) func() string {
	typed, err := layout.For[T](c)
	if err != nil {
		t.Fatal(err)
	}
	return typed.Describe
}

// TestDescribeElements draws arrays whose elements have several fields, and fields that may be
// absent.
func TestDescribeElements(t *testing.T) {
	type message struct {
		F    uint8
		Many [3]struct {
			A uint8
			B uint16 `layout:"varint"`
		}
		Some [2]struct {
			A uint16 `layout:"if=F"`
		}
		Both [2]struct {
			A uint8
			B bool
		}
		End uint8
	}
	got := describe[message](t, nil)()
	for name, size := range map[string]string{"Many": "n", "Some": "n", "Both": "4"} {
		for line := range strings.Lines(got) {
			if f := strings.Fields(line); len(f) > 2 && f[2] == name && f[1] != size {
				t.Errorf("%s has size %s, want %s:\n%s", name, f[1], size, got)
			}
		}
	}
}

// TestDescribePrefixedElements draws elements of fixed size behind a prefix, which is part of the field.
func TestDescribePrefixedElements(t *testing.T) {
	type message struct {
		Array [2]uint16 `layout:"prefix=u8"`
		Lines []struct {
			Text string `layout:"cstring"`
		} `layout:"prefix=varint,until=zero"`
		End uint8
	}
	got := describe[message](t, nil)()
	for name, want := range map[string]string{"Array": "0 u8+n", "Lines": "Array+0 varint+n", "End": "Lines+0 1"} {
		found := false
		for line := range strings.Lines(got) {
			if f := strings.Fields(line); len(f) > 2 && f[2] == name {
				found = f[0]+" "+f[1] == want
			}
		}
		if !found {
			t.Errorf("%s is not drawn with offset and size %s:\n%s", name, want, got)
		}
	}
}

// TestDescribeFixedFrame draws a message that always has the same size, although a number says that
// of a struct in it.
func TestDescribeFixedFrame(t *testing.T) {
	type message struct {
		N    uint16 `layout:"len=Pair"`
		Pair struct{ A, B uint8 }
	}
	b, err := layout.Marshal(&message{})
	if got := describe[message](t, nil)(); err != nil || len(b) != 4 || !strings.HasPrefix(got, "message: 4 bytes\n") {
		t.Errorf("% x, %v is drawn as\n%s", b, err, got)
	}
}

// TestDescribePointersToUserTypes draws pointers to types with methods, which have no fields to draw.
func TestDescribePointersToUserTypes(t *testing.T) {
	typed, err := layout.For[struct {
		N uint8
		P *coded   `layout:"prefix=u8"`
		L []*coded `layout:"count=u8"`
	}](nil)
	if got := typed.Describe(); err != nil || !strings.Contains(got, "u8+n  P      layout_test.coded") {
		t.Errorf("%v\n%s", err, got)
	}
}

// TestDescribeAnonymousStructs draws elements whose type has no name: their fields are below, and the
// text of the type would make the column wide.
func TestDescribeAnonymousStructs(t *testing.T) {
	type message struct {
		L []struct {
			K string `layout:"prefix=u8"`
		} `layout:"count=u8"`
		A [2]struct{ N uint8 }
	}
	typed, err := layout.For[message](nil)
	got := typed.Describe()
	if err != nil || !strings.Contains(got, "[]struct ") || !strings.Contains(got, "[2]struct\n") || strings.Contains(got, "struct {") {
		t.Errorf("%v\n%s", err, got)
	}
}

type coded struct{ N uint8 }

func (c coded) AppendLayout(dst []byte) ([]byte, error) { return append(dst, c.N), nil }

func (c *coded) DecodeLayout(data []byte) (int, error) {
	if len(data) == 0 {
		return 0, layout.ErrTruncated
	}
	c.N = data[0]
	return 1, nil
}
