package typeplan

import "reflect"

// Error says what is wrong with a type. Its parts are for callers that report
// it under their own name.
type Error struct {
	// Type is the root, the type that was asked about.
	Type reflect.Type
	// Path leads from the root to the field, such as "Base.Name"; it names
	// every embedded struct on the way. It is empty when the fault is in the
	// root itself.
	Path string
	// Reason says what is wrong there, without naming type or path.
	Reason string
}

// Error gives "typeplan: type T, field Path: Reason", without the middle part
// when the path is empty.
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
