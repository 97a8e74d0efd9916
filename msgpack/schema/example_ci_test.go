package schema_test

import (
	"fmt"
	"os"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// Event is a type whose messages are in files and queues for years.
type Event struct {
	ID     uint64    `msgpack:"id,required"`
	At     time.Time `msgpack:"at"`
	Source string    `msgpack:"source,omitempty,alias=host"`
}

// checkSchema compares the type with the schema in the repository. A test of the package
// calls it.
func checkSchema(path string, codec *msgpack.Codec) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	old, err := schema.Parse(text)
	if err != nil {
		return err
	}
	new, err := schema.Of[Event](codec)
	if err != nil {
		return err
	}
	changes := schema.Compare(old, new)
	for _, c := range schema.Breaking(changes) {
		err = fmt.Errorf("%w\n%v", errBreaking, c)
	}
	if err == nil && new.String() != old.String() {
		err = fmt.Errorf("%s is not current: write it with octet schema ./event.Event -o %s", path, path)
	}
	return err
}

var errBreaking = fmt.Errorf("old and new programs could not read each other's events")

// This is the test of docs/schema-in-ci.md: the schema is a file in the repository, and a
// change of the type that breaks a reader fails.
func Example_continuousIntegration() {
	fmt.Println(checkSchema("testdata/event.schema.json", nil))

	// The codec counts, too: these events have their time as a number.
	codec, err := msgpack.New(msgpack.Options{Time: msgpack.TimeUnix})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(checkSchema("testdata/event.schema.json", codec))
	// Output:
	// <nil>
	// old and new programs could not read each other's events
	// at: time (timestamp) became time (unix) (new reader: nothing, old reader fails)
}
