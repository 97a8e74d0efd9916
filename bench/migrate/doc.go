// Package migrate holds, as tests, what docs/migrating-from-*.md say: how the
// libraries that people come from and ours treat the same values and messages.
//
//	go test ./bench/migrate            the tables of the pages are what the libraries do
//	go test ./bench/migrate -update    rewrites the tables: read the difference
//
// Besides, each library reads what ours writes, and the reverse, for random
// types and values.
package migrate
