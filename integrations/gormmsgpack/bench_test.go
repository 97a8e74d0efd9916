package gormmsgpack_test

import (
	"reflect"
	"testing"

	"github.com/octet-go/octet/integrations/gormmsgpack"
	"gorm.io/gorm/schema"
)

// BenchmarkSerializer encodes and decodes one field, without a database.
func BenchmarkSerializer(b *testing.B) {
	field := fieldOfModel(b)
	for _, c := range []struct {
		name string
		s    schema.SerializerInterface
	}{{"octet", gormmsgpack.New(nil)}, {"json", schema.JSONSerializer{}}, {"gob", schema.GobSerializer{}}} {
		b.Run(c.name, func(b *testing.B) {
			want := order(12)
			exchange := func() Model {
				data, err := c.s.Value(b.Context(), field, reflect.Value{}, want)
				if err != nil {
					b.Fatal(err)
				}
				var m Model
				if err := c.s.Scan(b.Context(), field, reflect.ValueOf(&m).Elem(), data); err != nil {
					b.Fatal(err)
				}
				return m
			}
			if got := exchange(); !reflect.DeepEqual(got.Value, want) {
				b.Fatalf("got %v", got)
			}
			b.ReportAllocs()
			for b.Loop() {
				exchange()
			}
		})
	}
}

type (
	octetRow struct {
		ID    uint
		Order Order `gorm:"serializer:octet;type:bytes"`
	}
	jsonRow struct {
		ID    uint
		Order Order `gorm:"serializer:json"`
	}
	gobRow struct {
		ID    uint
		Order Order `gorm:"serializer:gob;type:bytes"`
	}
)

// BenchmarkRead reads 100 rows from SQLite.
func BenchmarkRead(b *testing.B) {
	db := open(b, &octetRow{}, &jsonRow{}, &gobRow{})
	benchmarkRead(b, "octet", func(id uint) error { return db.Create(&octetRow{id, order(12)}).Error },
		func() (rows []octetRow, err error) { return rows, db.Find(&rows).Error }, func(r octetRow) Order { return r.Order })
	benchmarkRead(b, "json", func(id uint) error { return db.Create(&jsonRow{id, order(12)}).Error },
		func() (rows []jsonRow, err error) { return rows, db.Find(&rows).Error }, func(r jsonRow) Order { return r.Order })
	benchmarkRead(b, "gob", func(id uint) error { return db.Create(&gobRow{id, order(12)}).Error },
		func() (rows []gobRow, err error) { return rows, db.Find(&rows).Error }, func(r gobRow) Order { return r.Order })
}

func benchmarkRead[R any](b *testing.B, name string, create func(id uint) error, find func() ([]R, error), orderOf func(R) Order) {
	for id := range uint(100) {
		if err := create(id + 1); err != nil {
			b.Fatal(err)
		}
	}
	b.Run(name, func(b *testing.B) {
		rows, err := find()
		if err != nil || len(rows) != 100 || !reflect.DeepEqual(orderOf(rows[99]), order(12)) {
			b.Fatalf("%d rows, %v", len(rows), err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := find(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
