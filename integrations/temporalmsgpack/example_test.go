package temporalmsgpack_test

import (
	"context"
	"fmt"
	"time"

	"github.com/octet-go/octet/integrations/temporalmsgpack"
	"github.com/octet-go/octet/msgpack"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"
)

type (
	Item  struct{ Name string }
	Price struct{ Cents int64 }
)

// LookUp is an activity.
func LookUp(_ context.Context, i Item) (Price, error) {
	return Price{int64(len(i.Name)) * 80}, nil
}

// Quote is a workflow.
func Quote(ctx workflow.Context, items []Item) (total Price, err error) {
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: time.Minute})
	for _, i := range items {
		var p Price
		if err := workflow.ExecuteActivity(ctx, LookUp, i).Get(ctx, &p); err != nil {
			return Price{}, err
		}
		total.Cents += p.Cents
	}
	return total, nil
}

func Example() {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(quiet{})
	env := suite.NewTestWorkflowEnvironment()
	env.SetDataConverter(temporalmsgpack.NewDataConverter(nil)) // in a program: client.Options.DataConverter
	env.RegisterActivity(LookUp)
	env.ExecuteWorkflow(Quote, []Item{{"tea"}, {"cake"}})
	var total Price
	fmt.Println(env.GetWorkflowResult(&total), total)
	// Output: <nil> {560}
}

func ExampleNewDataConverter() {
	codec, err := msgpack.New(msgpack.Options{TagKeys: []string{"msgpack", "json"}})
	if err != nil {
		panic(err)
	}
	options := client.Options{DataConverter: temporalmsgpack.NewDataConverter(codec)}
	payload, err := options.DataConverter.ToPayload(Item{"tea"})
	fmt.Printf("%s %q %v\n", payload.Metadata["encoding"], payload.Data, err)
	// Output: binary/msgpack "\x81\xa4Name\xa3tea" <nil>
}

func ExamplePayloadConverter_ToPayload() {
	payload, err := temporalmsgpack.PayloadConverter{}.ToPayload(Price{240})
	fmt.Printf("%q %v\n", payload.Data, err)
	// Output: "\x81\xa5Cents\xcc\xf0" <nil>
}

func ExamplePayloadConverter_FromPayload() {
	var p Price
	err := temporalmsgpack.PayloadConverter{}.FromPayload(&commonpb.Payload{Data: []byte("\x81\xa5Cents\xcc\xf0")}, &p)
	fmt.Println(p, err)
	// Output: {240} <nil>
}

func ExamplePayloadConverter_ToString() {
	fmt.Println(temporalmsgpack.PayloadConverter{}.ToString(&commonpb.Payload{Data: []byte("\x81\xa5Cents\xcc\xf0")}))
	// Output: {"Cents":240}
}

func ExamplePayloadConverter_Encoding() {
	var p converter.PayloadConverter = temporalmsgpack.PayloadConverter{}
	fmt.Println(p.Encoding())
	// Output: binary/msgpack
}
