// Package recipes shows how libraries that take plain functions use Octet. Each folder has a page, an
// example to copy and tests against the real library; none has code to import.
package recipes
