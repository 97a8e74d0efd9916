//go:build msgpackgen

package shape

// Resolver registers the code that msgpackgen generates.
var Resolver = RegisterGeneratedResolver
