// Package terminaltest opens terminals for tests. It does so on Linux only.
package terminaltest
