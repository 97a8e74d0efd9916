package typeplan

import "reflect"

// An Error describes an invalid type. Callers may use its fields to report the
// error with their own prefix.
type Error struct {
	// Type is the root, the type passed to the function.
	Type reflect.Type
	// Path is the path from the root to the field, such as "Base.Name". It
	// includes every embedded struct. It is empty if the error is in the root
	// itself.
	Path string
	// Reason describes the error, without the type and path.
	Reason string
}

// Error returns "typeplan: type T, field Path: Reason". The field is omitted if
// Path is empty.
func (e *Error) Error() string {
	t := "<nil>"
	if e.Type != nil {
		t = e.Type.String()
	}
	if e.Path == "" {
		return "typeplan: type " + t + ": " + e.Reason
	}
	return "typeplan: type " + t + ", field " + e.Path + ": " + e.Reason
}
