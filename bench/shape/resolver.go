//go:build !msgpackgen

package shape

// Resolver registers the code that msgpackgen generates, or is nil if this build has none.
var Resolver func()
