package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"regexp"
	"strings"

	"github.com/octet-go/octet/bench/engine"
)

//go:embed page.html
var pageSource string

var pageTemplate = template.Must(template.New("page").Parse(pageSource))

// page returns the report of r as one HTML file without scripts and without references to other files.
func page(r *engine.Results) ([]byte, error) {
	type section struct {
		Name, Title, About string
		Charts             []pageChart
		Tables             []table
	}
	var sections []section
	all := charts(r)
	for _, g := range engine.Groups {
		s := section{Name: g.Name, Title: g.Title, About: g.About}
		for _, c := range all {
			if c.group == g.Name {
				s.Charts = append(s.Charts, inline(c))
			}
		}
		for _, series := range seriesOf(r, g.Name) {
			s.Tables = append(s.Tables, tabulate(series))
		}
		if len(s.Tables) > 0 {
			sections = append(sections, s)
		}
	}
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, struct {
		Circumstances, HowToRead string
		Libraries                table
		Sections                 []section
		AboutSizes               string
		Sizes                    table
		AboutLeads               string
		Leads                    table
	}{r.Circumstances(), reading(r), libraryTable(r), sections, aboutSizes, sizeTable(r.Programs), aboutLeads, leadTable(leads(r))})
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	return b.Bytes(), nil
}

// WritePage writes the page of r to a file.
func WritePage(path string, r *engine.Results) error {
	text, err := page(r)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	return nil
}

// pageChart is a chart of the page. Its panels flow to fit the width of the screen.
type pageChart struct {
	Title, About string
	Panels       []template.HTML
}

// themed lists the colors that the page replaces in dark mode. The background of its panels differs from that of a
// chart file.
var themed = map[string]string{
	hex(paper): "var(--raised)", hex(ink): "var(--ink)", hex(faint): "var(--faint)", hex(grid): "var(--grid)",
	hex(grey): "var(--peer)", hex(blue): "var(--octet)",
}

var themedColor = regexp.MustCompile(`#[0-9A-Fa-f]{6}`)

func inline(c chart) pageChart {
	p := pageChart{Title: c.title, About: c.about}
	for _, panel := range c.panels {
		svg := themedColor.ReplaceAllStringFunc(string(panel.svg(c.title+", "+panel.title)), func(color string) string {
			if name, ok := themed[strings.ToLower(color)]; ok {
				return name
			}
			return color
		})
		// The names in the panel were escaped when it was drawn.
		p.Panels = append(p.Panels, template.HTML(svg))
	}
	return p
}
