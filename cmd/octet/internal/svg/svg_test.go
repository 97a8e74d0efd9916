package svg

import (
	"encoding/xml"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestEscape requires XML that has the text, in content and in an attribute.
func TestEscape(t *testing.T) {
	var all strings.Builder
	for r := rune(0); r < 0x11000; r++ {
		all.WriteRune(r)
	}
	for _, text := range []string{"", `a < b && c > "d" 'e'`, "two\nlines\tand \x1b \xff", all.String()} {
		want := strings.Map(func(r rune) rune {
			if r < ' ' && r != '\t' && r != '\n' || r == 0xfffe || r == 0xffff {
				return utf8.RuneError
			}
			return r
		}, strings.ToValidUTF8(text, "\ufffd"))
		var got struct {
			Content   string `xml:",chardata"`
			Attribute string `xml:"a,attr"`
		}
		escaped := Escape(text)
		if err := xml.Unmarshal([]byte(`<t a="`+escaped+`">`+escaped+`</t>`), &got); err != nil {
			t.Errorf("%.40q: %v", text, err)
		} else if got.Content != want || got.Attribute != want {
			t.Errorf("%.40q becomes %.40q and %.40q", text, got.Content, got.Attribute)
		}
	}
}
