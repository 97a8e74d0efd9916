package gormmsgpack_test

import (
	"context"
	"fmt"
	"reflect"

	"github.com/glebarez/sqlite"
	"github.com/octet-go/octet/integrations/gormmsgpack"
	"github.com/octet-go/octet/msgpack"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	"gorm.io/gorm/schema"
)

type Settings struct {
	Theme  string
	Limits map[string]int
}

type User struct {
	ID       uint
	Settings Settings `gorm:"serializer:msgpack;type:bytes"`
}

func Example() {
	gormmsgpack.Register("msgpack", nil)
	db, err := gorm.Open(sqlite.Open(":memory:"), &gorm.Config{Logger: logger.Discard})
	if err != nil {
		panic(err)
	}
	if err := db.AutoMigrate(&User{}); err != nil {
		panic(err)
	}
	if err := db.Create(&User{ID: 1, Settings: Settings{"dark", map[string]int{"mail": 5}}}).Error; err != nil {
		panic(err)
	}
	var u User
	if err := db.First(&u, 1).Error; err != nil {
		panic(err)
	}
	fmt.Println(u.Settings)
	// Output: {dark map[mail:5]}
}

func ExampleRegister() {
	codec, err := msgpack.New(msgpack.Options{StructAsArray: true, MaxTotal: 1 << 20})
	if err != nil {
		panic(err)
	}
	gormmsgpack.Register("compact", codec)
	_, ok := schema.GetSerializer("compact")
	fmt.Println(ok)
	// Output: true
}

func ExampleNew() {
	schema.RegisterSerializer("msgpack", gormmsgpack.New(nil)) // what Register does
}

func ExampleSerializer_Value() {
	field := &schema.Field{Name: "Settings", DataType: schema.Bytes}
	data, err := gormmsgpack.New(nil).Value(context.Background(), field, reflect.Value{}, []int{1, 2})
	fmt.Printf("%x %v\n", data, err)
	// Output: 920102 <nil>
}

func ExampleSerializer_Scan() {
	field := &schema.Field{Name: "Settings", DataType: schema.Bytes, FieldType: reflect.TypeFor[Settings]()}
	fmt.Println(gormmsgpack.New(nil).Scan(context.Background(), field, reflect.Value{}, "text"))
	// Output: gormmsgpack: field Settings: column contains a string, want bytes
}
