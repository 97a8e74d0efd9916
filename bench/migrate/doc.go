// Package migrate tests the migration guides docs/migrating-from-*.md: how
// Octet and the other libraries encode and decode the same values.
//
//	go test ./bench/migrate            checks the tables of the guides
//	go test ./bench/migrate -update    updates the tables; check the difference
//
// It also checks, for random types and values, that each library decodes the
// messages of Octet and the reverse.
package migrate
