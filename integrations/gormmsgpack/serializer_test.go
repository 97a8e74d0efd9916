package gormmsgpack_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/glebarez/sqlite"
	"github.com/octet-go/octet/integrations/gormmsgpack"
	"github.com/octet-go/octet/internal/sample"
	"github.com/octet-go/octet/msgpack"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	"gorm.io/gorm/schema"
)

type (
	Order = sample.Order
	Line  = sample.Line
)

func order(lines int) Order { return sample.New(90071, lines) }

// Row has a field of each kind that is often stored this way.
type Row struct {
	ID      uint
	Order   Order          `gorm:"serializer:octet;type:bytes"`
	Pointer *Order         `gorm:"serializer:octet;type:bytes"`
	Slice   []string       `gorm:"serializer:octet;type:bytes"`
	Map     map[string]int `gorm:"serializer:octet;type:blob"`
	Any     any            `gorm:"serializer:octet;type:bytes"`
	Must    []int          `gorm:"serializer:octet;type:bytes;not null"`
	Small   Order          `gorm:"serializer:arrays;type:bytes"`
}

// open returns a database in a file with tables for the models.
func open(t testing.TB, models ...any) *gorm.DB {
	t.Helper()
	gormmsgpack.Register("octet", nil)
	gormmsgpack.Register("arrays", sample.Codec(t, msgpack.Options{StructAsArray: true, AliasInput: true}))
	gormmsgpack.Register("limited", sample.Codec(t, msgpack.Options{MaxElements: 3}))
	db, err := gorm.Open(sqlite.Open(filepath.Join(t.TempDir(), "test.db")), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		t.Fatal(err)
	}
	pool, err := db.DB()
	if err != nil {
		t.Fatal(err)
	}
	pool.SetMaxOpenConns(1)
	t.Cleanup(func() { pool.Close() })
	if err := db.AutoMigrate(models...); err != nil {
		t.Fatal(err)
	}
	return db
}

func TestRoundTrip(t *testing.T) {
	db := open(t, &Row{})
	o := order(3)
	rows := []Row{
		{ID: 1, Order: order(12), Pointer: &o, Slice: []string{"a", "b"}, Map: map[string]int{"x": 1}, Any: "text", Must: []int{1}, Small: order(2)},
		{ID: 2},
		{ID: 3, Slice: []string{}, Map: map[string]int{}, Any: int64(5), Must: []int{}},
	}
	for _, row := range rows {
		if err := db.Create(&row).Error; err != nil {
			t.Fatal(err)
		}
	}
	var got []Row
	if err := db.Order("id").Find(&got).Error; err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, rows) {
		t.Errorf("got  %v\nwant %v", got, rows)
	}
	if err := db.Model(&Row{ID: 1}).Updates(Row{Map: map[string]int{"y": 2}}).Error; err != nil {
		t.Fatal(err)
	}
	var one Row
	if err := db.First(&one, 1).Error; err != nil || one.Map["y"] != 2 || len(one.Map) != 1 {
		t.Errorf("after an update: %v, %v", one.Map, err)
	}
}

// TestStored checks what is in the columns.
func TestStored(t *testing.T) {
	db := open(t, &Row{})
	if err := db.Create(&Row{ID: 1, Slice: []string{"a"}}).Error; err != nil {
		t.Fatal(err)
	}
	for column, want := range map[string]string{
		"slice": "blob 91A161", "pointer": "null ", "map": "null ", "any": "null ", "must": "blob C0",
	} {
		var got string
		if err := db.Raw("select typeof(" + column + ") || ' ' || hex(" + column + ") from rows").Scan(&got).Error; err != nil || got != want {
			t.Errorf("column %s: %q, %v, want %q", column, got, err, want)
		}
	}
	if err := db.Exec("update rows set must = x''").Error; err != nil {
		t.Fatal(err)
	}
	var row Row
	if err := db.First(&row, 1).Error; err != nil || row.Must != nil {
		t.Errorf("empty value: %v, %v", row.Must, err)
	}
}

func TestDamagedRows(t *testing.T) {
	db := open(t, &Row{})
	if err := db.Create(&Row{ID: 1}).Error; err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string]string{
		"x'C1'":             "gormmsgpack: field Order: msgpack: unmarshal at offset 0",
		"x'82A8'":           "truncated",
		"x'8001'":           "after the value",
		"x'DFFFFFFFFF'":     "truncated",
		"x'A161'":           "want",
		"'{\"Paid\":true}'": "gormmsgpack: field Order: column contains a string, want bytes",
		"5":                 "column contains a int64, want bytes",
		"x'" + strings.Repeat("91", 100000) + "'": "",
	} {
		if err := db.Exec("update rows set `order` = " + value).Error; err != nil {
			t.Fatal(err)
		}
		row := Row{Order: Order{Customer: "unchanged"}}
		err := db.First(&row, 1).Error
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20s: %v, want %q", value, err, want)
		}
	}
}

func TestErrors(t *testing.T) {
	type Text struct {
		ID    uint
		Slice []int `gorm:"serializer:octet"`
	}
	type Bad struct {
		ID  uint
		Any any `gorm:"serializer:octet;type:bytes"`
	}
	type Limited struct {
		ID    uint
		Slice []int `gorm:"serializer:limited;type:bytes"`
	}
	db := open(t, &Text{}, &Bad{}, &Limited{})
	if err := db.Create(&Text{Slice: []int{1}}).Error; err == nil || !strings.Contains(err.Error(), "column is text: add type:bytes to the tag") {
		t.Errorf("text column: %v", err)
	}
	type Texts struct {
		ID       uint
		Text     []int `gorm:"serializer:octet;type:text"`
		Varchar  []int `gorm:"serializer:octet;type:VARCHAR(100)"`
		JSON     []int `gorm:"serializer:octet;type:json"`
		National []int `gorm:"serializer:octet;type:character varying(9)"`
	}
	if err := db.Table("types").AutoMigrate(&Texts{}); err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]string{"Text": "text", "Varchar": "VARCHAR(100)", "JSON": "json", "National": "character varying(9)"} {
		err := db.Table("types").Select(field).Create(&Texts{}).Error
		if err == nil || !strings.Contains(err.Error(), "field "+field+": column is text: the tag has type:"+want+", want type:bytes") {
			t.Errorf("%s: %v", field, err)
		}
	}
	if err := db.Exec("insert into texts values (1, x'91')").Error; err != nil {
		t.Fatal(err)
	}
	if err := db.First(&Text{}, 1).Error; err == nil || !strings.Contains(err.Error(), "column is text") {
		t.Errorf("reading a text column: %v", err)
	}
	if err := db.Create(&Bad{Any: make(chan int)}).Error; !errors.Is(err, msgpack.ErrUnsupported) || !strings.Contains(err.Error(), "field Any") {
		t.Errorf("chan: %v, want ErrUnsupported", err)
	}
	if err := db.Create(&Limited{Slice: []int{1, 2, 3, 4}}).Error; !errors.Is(err, msgpack.ErrLimit) {
		t.Errorf("too many elements: %v, want ErrLimit", err)
	}
	if err := db.Exec("insert into limiteds values (1, x'9401020304')").Error; err != nil {
		t.Fatal(err)
	}
	if err := db.First(&Limited{}, 1).Error; !errors.Is(err, msgpack.ErrLimit) {
		t.Errorf("reading too many elements: %v, want ErrLimit", err)
	}
}

// TestAliasing checks that a value stays the same when the driver uses its memory again.
func TestAliasing(t *testing.T) {
	field := fieldOfModel(t)
	for name, c := range map[string]msgpack.Options{
		"default":  {},
		"aliasing": {AliasInput: true},
		"limits":   {AliasInput: true, MaxBytes: 20},
	} {
		s := gormmsgpack.New(sample.Codec(t, c))
		data, err := s.Value(t.Context(), field, reflect.Value{}, order(12))
		if err != nil {
			t.Fatal(err)
		}
		var m Model
		if err := s.Scan(t.Context(), field, reflect.ValueOf(&m).Elem(), data); err != nil {
			t.Fatal(err)
		}
		clear(data.([]byte))
		if !reflect.DeepEqual(m.Value, order(12)) {
			t.Errorf("%s: the value changed with the memory of the driver: %.50q", name, m.Value.Customer)
		}
	}
}

type Model struct {
	Value Order `gorm:"serializer:octet;type:bytes"`
}

// fieldOfModel returns GORM's description of Model.Value.
func fieldOfModel(t testing.TB) *schema.Field {
	t.Helper()
	gormmsgpack.Register("octet", nil)
	parsed, err := schema.Parse(&Model{}, &sync.Map{}, schema.NamingStrategy{})
	if err != nil {
		t.Fatal(err)
	}
	return parsed.LookUpField("Value")
}

func TestConcurrency(t *testing.T) {
	db := open(t, &Row{})
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			for i := range 10 {
				id := uint(100*n + i + 1)
				want := Row{ID: id, Order: order(n + i), Small: order(i), Slice: []string{fmt.Sprint(id)}}
				if err := db.Create(&want).Error; err != nil {
					t.Error(err)
					return
				}
				var got Row
				if err := db.First(&got, id).Error; err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("row %d: %.100v, %v", id, got, err)
				}
			}
		})
	}
	wait.Wait()
}
