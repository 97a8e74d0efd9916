// Package gormmsgpack is a GORM serializer that stores fields as MessagePack. It is for structs, slices
// and maps in one column, instead of the serializers json and gob.
//
//	gormmsgpack.Register("msgpack", nil) // in main, before the models are used
//
//	type User struct {
//		ID       uint
//		Settings Settings `gorm:"serializer:msgpack;type:bytes"`
//	}
//
// GORM finds serializers by name in a global table. [Register] adds a serializer to it. Importing the
// package registers nothing.
//
// # Rules
//
// The column must hold bytes: GORM makes text columns for serializers unless the tag says type:bytes or
// names a type of the database, such as type:blob. Without it, or with a type for text such as type:text, every
// call is an error.
//
// A value that is encoded as nil, such as a nil pointer, map or slice, is stored as NULL, or as the MessagePack
// nil if the column is NOT NULL. NULL and an empty value of the column are decoded as the zero value.
//
// Text in the column is an error, because it was written by another serializer: a JSON text such as "5" is also valid
// MessagePack, with another meaning. To change the serializer of a column, add a column and copy the values:
//
//	type User struct {
//		ID       uint
//		Settings Settings `gorm:"column:settings_msgpack;serializer:msgpack;type:bytes"`
//		Old      Settings `gorm:"column:settings;serializer:json"`
//	}
//
// GORM calls serializers for the fields of models only. As with all of them, db.Model(&u).Update("settings", s),
// Updates with a map, and Where("settings = ?", s) do not work: use Updates(User{Settings: s}), with Select("Settings")
// for a zero value. Where(&User{Settings: s}) compares bytes, so that maps need a Codec with SortKeys.
//
// Values do not share memory with the database driver, even if the Options of the
// Codec has AliasInput: they then share memory with a copy. To limit what is read,
// set the limits of the Options.
package gormmsgpack
