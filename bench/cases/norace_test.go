//go:build !race

package cases

const instrumented = false
