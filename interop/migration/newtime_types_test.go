package migration

import "time"

//go:generate go tool msgp -file newtime_types_test.go -o newtime_types_gen_test.go -io=false -tests=false -unexported

//msgp:newtime

type generatedNewTime struct{ V time.Time }
