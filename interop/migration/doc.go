// Package migration tests the migration guides docs/migrating-from-*.md: how
// Octet and the other libraries encode and decode the same values.
//
//	go test ./interop/migration            checks the tables of the guides
//	go test ./interop/migration -update    updates the tables; check the difference
//
// It also checks, for random types and values, that each profile and its library encode and
// decode in the same way, except for what the profile lists, and that each library decodes the
// messages of Octet and the reverse.
package migration
