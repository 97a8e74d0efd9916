// Package records does the work of the commands for record files: it shows, joins,
// divides, checks and repairs them.
//
// A command that fails or is interrupted removes the files that it has begun, because
// a part of the records would look like all of them.
package records
