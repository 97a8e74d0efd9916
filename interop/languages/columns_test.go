package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/examples/events"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/record"
)

// columnsRow has a field of each kind that becomes a column of another type.
type columnsRow struct {
	ID     uint64           `msgpack:"id"`
	Bool   bool             `msgpack:"bool"`
	Small  int8             `msgpack:"small"`
	Byte   uint8            `msgpack:"byte"`
	Wide   int64            `msgpack:"wide"`
	Single float32          `msgpack:"single"`
	Double float64          `msgpack:"double"`
	Text   string           `msgpack:"text"`
	Blob   []byte           `msgpack:"blob"`
	At     time.Time        `msgpack:"at"`
	Maybe  *int32           `msgpack:"maybe"`
	Tags   []string         `msgpack:"tags"`
	Deep   [][]columnsPart  `msgpack:"deep"`
	Part   columnsPart      `msgpack:"part"`
	Counts map[string]int32 `msgpack:"counts"`
	Extra  map[string]any   `msgpack:"extra"`
	Shape  columnsShape     `msgpack:"shape"`
}

// A columnsShape is a circle or a square.
type (
	columnsShape  interface{ isShape() }
	columnsCircle struct {
		Radius float64 `msgpack:"radius"`
	}
	columnsSquare struct {
		Sides []int32 `msgpack:"sides"`
	}
)

func (columnsCircle) isShape() {}
func (columnsSquare) isShape() {}

func randomShape(r *rand.Rand) (s columnsShape, want any) {
	switch r.IntN(3) {
	case 0:
		c := columnsCircle{float64(r.IntN(100)) / 4}
		return c, map[string]any{"type": "circle", "circle": map[string]any{"radius": c.Radius}, "square": nil}
	case 1:
		q := columnsSquare{[]int32{1, -2, 3}[:r.IntN(4)]}
		return q, map[string]any{"type": "square", "circle": nil, "square": map[string]any{"sides": q.Sides}}
	}
	return nil, nil
}

type columnsPart struct {
	X int32   `msgpack:"x"`
	Y *string `msgpack:"y"`
}

func randomPart(r *rand.Rand) (p columnsPart, want map[string]any) {
	p.X = int32(r.Uint32())
	want = map[string]any{"x": p.X, "y": nil}
	if r.IntN(2) == 0 {
		text := strings.Repeat("é", r.IntN(4))
		p.Y, want["y"] = &text, text
	}
	return p, want
}

// randomRow returns a row and what read.py expects.
func randomRow(r *rand.Rand) (v columnsRow, want map[string]any) {
	v = columnsRow{
		ID: r.Uint64(), Bool: r.IntN(2) == 0, Small: int8(r.Uint32()), Byte: uint8(r.Uint32()), Wide: int64(r.Uint64()),
		Single: r.Float32(), Double: []float64{r.NormFloat64(), math.Inf(-1), math.NaN(), 0}[r.IntN(4)],
		Text: []string{"", "a", "日本語", strings.Repeat("x", 300)}[r.IntN(4)],
		At:   time.Unix(r.Int64N(4e9)-1e9, r.Int64N(1e9)),
	}
	double := any(v.Double)
	if math.IsNaN(v.Double) {
		double = "nan"
	} else if math.IsInf(v.Double, -1) {
		double = "-inf"
	}
	want = map[string]any{
		"id": v.ID, "bool": v.Bool, "small": v.Small, "byte": v.Byte, "wide": v.Wide, "single": float64(v.Single), "double": double,
		"text": v.Text, "blob": nil, "at": v.At.UnixNano(), "maybe": nil, "tags": nil, "deep": nil, "counts": nil, "extra": nil,
	}
	if r.IntN(2) == 0 {
		v.Blob = []byte{0xff, 0, byte(r.Uint32())}[:r.IntN(4)]
		want["blob"] = hex.EncodeToString(v.Blob)
		maybe := int32(r.Uint32())
		v.Maybe, want["maybe"] = &maybe, maybe
		v.Tags = []string{"a", "", "c"}[:r.IntN(4)]
		want["tags"] = v.Tags
	}
	if r.IntN(3) > 0 {
		v.Deep = [][]columnsPart{}
		deep := []any{}
		for range r.IntN(3) {
			list, wantList := []columnsPart{}, []any{}
			for range r.IntN(3) {
				p, w := randomPart(r)
				list, wantList = append(list, p), append(wantList, w)
			}
			v.Deep, deep = append(v.Deep, list), append(deep, wantList)
		}
		want["deep"] = deep
		v.Counts = map[string]int32{}
		counts := []any{}
		if r.IntN(2) == 0 {
			v.Counts["k"] = 5
			counts = append(counts, []any{"k", 5})
		}
		want["counts"] = counts
		v.Extra = map[string]any{"n": r.Int32(), "list": []any{"x", nil, true}}
		want["extra"] = v.Extra
	}
	v.Shape, want["shape"] = randomShape(r)
	v.Part, want["part"] = func() (columnsPart, any) { p, w := randomPart(r); return p, w }()
	return v, want
}

// TestColumns writes a record file, converts it with octet-parquet, and requires that DuckDB
// and pyarrow read equal values.
func TestColumns(t *testing.T) {
	dir := prepareColumns(t)
	work := t.TempDir()
	in, out, expected := filepath.Join(work, "in.rec"), filepath.Join(work, "out.parquet"), filepath.Join(work, "expected.ndjson")
	codec, err := msgpack.New(msgpack.Options{Types: []msgpack.TypeCoder{
		msgpack.Union[columnsShape]("type", msgpack.VariantOf[columnsCircle]("circle"), msgpack.VariantOf[columnsSquare]("square")),
	}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Of[columnsRow](codec)
	if err != nil {
		t.Fatal(err)
	}
	w, err := record.Create(in, &record.Options{Schema: s, Codec: codec})
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		v, want := randomRow(r)
		if err := w.Write(&v); err != nil {
			t.Fatal(err)
		}
		line, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&lines, "%s\n", line)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(expected, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {"--compression", "zstd", "--row-group", "500000"}} {
		command := append([]string{"run", "github.com/octet-go/octet/record/parquet/octet-parquet", in, "-o", out, "--quiet"}, args...)
		if text, err := exec.Command("go", command...).CombinedOutput(); err != nil || len(text) > 0 {
			t.Fatalf("%v: %v\n%s", args, err, text)
		}
		if text, err := exec.Command(venvPython(dir), filepath.Join(dir, "read.py"), out, expected).CombinedOutput(); err != nil || len(text) > 0 {
			t.Errorf("%v: %v\n%.4000s", args, err, text)
		}
	}
}

// prepareColumns returns the folder of the installed program, or skips the test.
func prepareColumns(t *testing.T) string {
	t.Helper()
	needsLanguages(t)
	l := language{
		name: "Python with DuckDB and pyarrow", folder: "columns", needs: []string{python()},
		install: func(dir string) [][]string {
			return [][]string{
				{python(), "-m", "venv", "venv"},
				{venvPython(dir), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r", "requirements.txt"},
			}
		},
	}
	dir, err := l.prepare(t.Context(), os.Getenv(installVariable) != "", t.Output())
	if isNotInstalled(err) && os.Getenv(installVariable) == "" {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestEventsInDuckDB runs the query of examples/events over the columns of its events.
func TestEventsInDuckDB(t *testing.T) {
	dir := prepareColumns(t)
	query, err := filepath.Abs("../../examples/events/query.sql")
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	in, out := filepath.Join(work, "events.rec"), filepath.Join(work, "events.parquet")
	if err := events.Sample(in); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("go", "run", "github.com/octet-go/octet/record/parquet/octet-parquet", "--infer", in, "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	c := exec.Command(venvPython(dir), "-c", "import duckdb, sys; print(duckdb.sql(open(sys.argv[1]).read()).fetchall())", query)
	c.Dir = work
	text, err := c.CombinedOutput()
	if want := "[(2024, 2, 350, 0), (2025, 1, 50, 0), (2026, 1, 75, 1)]"; err != nil || strings.TrimSpace(string(text)) != want {
		t.Errorf("%v: %s, want %s", err, text, want)
	}
}
