package gormmsgpack

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/octet-go/octet/msgpack"
	"gorm.io/gorm/schema"
)

// A Serializer is a [schema.SerializerInterface]. The zero Serializer uses the functions of package
// msgpack. All methods are safe for concurrent use.
type Serializer struct {
	codec   *msgpack.Codec // nil: the functions of the package
	aliases bool           // decoded values share the memory of the input
}

var _ schema.SerializerInterface = Serializer{}

// New returns a Serializer that encodes and decodes with c. If c is nil, it uses the functions of
// package msgpack.
func New(c *msgpack.Codec) Serializer { return Serializer{c, c.Options().AliasInput} }

// Register makes a Serializer with c and adds it to GORM's table, under the name that tags use. Call it
// before the first use of a model that has the name in a tag.
func Register(name string, c *msgpack.Codec) { schema.RegisterSerializer(name, New(c)) }

// Value returns the encoding of the field, or nil for a value that is stored as NULL. GORM calls it.
func (s Serializer) Value(_ context.Context, field *schema.Field, _ reflect.Value, value any) (any, error) {
	if err := checkColumn(field); err != nil {
		return nil, err
	}
	data, err := s.codec.Marshal(value)
	if err != nil {
		return nil, fmt.Errorf("gormmsgpack: field %s: %w", field.Name, err)
	}
	if len(data) == 1 && data[0] == 0xc0 && !field.NotNull {
		return nil, nil
	}
	return data, nil
}

// Scan decodes a value of the column into the field. GORM calls it.
func (s Serializer) Scan(ctx context.Context, field *schema.Field, dst reflect.Value, value any) error {
	if err := checkColumn(field); err != nil {
		return err
	}
	v := reflect.New(field.FieldType)
	switch data := value.(type) {
	case nil:
	case []byte:
		if err := s.decode(data, v.Interface()); err != nil {
			return fmt.Errorf("gormmsgpack: field %s: %w", field.Name, err)
		}
	default:
		return fmt.Errorf("gormmsgpack: field %s: column contains a %T, want bytes", field.Name, value)
	}
	field.ReflectValueOf(ctx, dst).Set(v.Elem())
	return nil
}

func (s Serializer) decode(data []byte, v any) error {
	switch {
	case len(data) == 0:
		return nil
	case s.aliases:
		data = bytes.Clone(data) // the driver uses the memory again
	}
	return s.codec.Unmarshal(data, v)
}

// checkColumn refuses columns for text: some databases change or refuse bytes in them.
func checkColumn(field *schema.Field) error {
	if field.DataType == schema.String {
		return fmt.Errorf("gormmsgpack: field %s: column is text: add type:bytes to the tag", field.Name)
	}
	name := strings.ToLower(string(field.DataType))
	if end := strings.IndexAny(name, "( "); end >= 0 {
		name = name[:end]
	}
	switch name {
	case "text", "tinytext", "mediumtext", "longtext", "ntext", "citext", "clob", "nclob", "json", "jsonb",
		"char", "nchar", "varchar", "nvarchar", "varchar2", "nvarchar2", "character", "bpchar":
		return fmt.Errorf("gormmsgpack: field %s: column is text: the tag has type:%s, want type:bytes", field.Name, field.DataType)
	}
	return nil
}
