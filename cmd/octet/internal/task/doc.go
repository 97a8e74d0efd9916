// Package task runs the work of a command in a goroutine of its own, so that a signal
// ends the command at once, even while the work waits for input. Meanwhile it shows the
// progress. What an interrupted command leaves is what was there before: [Target] and
// [InPlace] replace a file only when its new content is complete.
package task
