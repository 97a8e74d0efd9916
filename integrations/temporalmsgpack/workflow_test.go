package temporalmsgpack_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/integrations/temporalmsgpack"
	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"
)

// quiet is a logger that drops everything.
type quiet struct{}

func (quiet) Debug(string, ...any) {}
func (quiet) Info(string, ...any)  {}
func (quiet) Warn(string, ...any)  {}
func (quiet) Error(string, ...any) {}

// counted counts how many values are converted to MessagePack.
type counted struct {
	converter.DataConverter
	values *int
}

func (c counted) ToPayload(v any) (*commonpb.Payload, error) {
	p, err := c.DataConverter.ToPayload(v)
	if p != nil && string(p.Metadata["encoding"]) == temporalmsgpack.Encoding {
		*c.values++
	}
	return p, err
}

func (c counted) ToPayloads(values ...any) (*commonpb.Payloads, error) {
	var list commonpb.Payloads
	for _, v := range values {
		p, err := c.ToPayload(v)
		if err != nil {
			return nil, err
		}
		list.Payloads = append(list.Payloads, p)
	}
	return &list, nil
}

// Parts uses each part of Temporal that converts values.
func Parts(ctx workflow.Context, o Order) (Order, error) {
	lines := len(o.Lines)
	if err := workflow.SetQueryHandler(ctx, "lines", func(factor int) (int, error) { return factor * lines, nil }); err != nil {
		return o, err
	}
	var side Line
	if err := workflow.SideEffect(ctx, func(workflow.Context) any { return Line{SKU: "side", Quantity: 1} }).Get(&side); err != nil {
		return o, err
	}
	var signal Line
	workflow.GetSignalChannel(ctx, "add").Receive(ctx, &signal)
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: time.Minute,
		RetryPolicy: &temporal.RetryPolicy{MaximumAttempts: 1}})
	ctx = workflow.WithLocalActivityOptions(ctx, workflow.LocalActivityOptions{StartToCloseTimeout: time.Minute})
	ctx = workflow.WithChildOptions(ctx, workflow.ChildWorkflowOptions{Memo: map[string]any{"parent": o.ID}})
	var remote, local, child Line
	if err := workflow.ExecuteActivity(ctx, Double, signal).Get(ctx, &remote); err != nil {
		return o, err
	}
	if err := workflow.ExecuteLocalActivity(ctx, Double, remote).Get(ctx, &local); err != nil {
		return o, err
	}
	if err := workflow.ExecuteChildWorkflow(ctx, Child, local).Get(ctx, &child); err != nil {
		return o, err
	}
	err := workflow.ExecuteActivity(ctx, Fail, o.Lines[0]).Get(ctx, nil)
	var failure *temporal.ApplicationError
	var details Line
	if !errors.As(err, &failure) || failure.Details(&details) != nil || details != o.Lines[0] {
		return o, fmt.Errorf("the failure has the details %v: %w", details, err)
	}
	o.Lines = append(o.Lines, side, child)
	return o, nil
}

// Double is an activity.
func Double(_ context.Context, l Line) (Line, error) {
	l.Quantity *= 2
	return l, nil
}

// Fail is an activity that fails with details.
func Fail(_ context.Context, l Line) error {
	return temporal.NewApplicationError("sold out", "Stock", l)
}

// Child is a child workflow.
func Child(_ workflow.Context, l Line) (Line, error) {
	l.Note = "child"
	return l, nil
}

func TestWorkflow(t *testing.T) {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(quiet{})
	env := suite.NewTestWorkflowEnvironment()
	values := 0
	env.SetDataConverter(counted{temporalmsgpack.NewDataConverter(nil), &values})
	env.RegisterWorkflow(Child)
	env.RegisterActivity(Double)
	env.RegisterActivity(Fail)
	env.RegisterDelayedCallback(func() { env.SignalWorkflow("add", Line{SKU: "signal", Quantity: 3}) }, time.Hour)
	env.ExecuteWorkflow(Parts, order(2))
	var got Order
	if err := env.GetWorkflowResult(&got); err != nil {
		t.Fatal(err)
	}
	want := order(2)
	want.Lines = append(want.Lines, Line{SKU: "side", Quantity: 1}, Line{SKU: "signal", Quantity: 12, Note: "child"})
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	answer, err := env.QueryWorkflow("lines", 10)
	var lines int
	if err == nil {
		err = answer.Get(&lines)
	}
	if err != nil || lines != 20 {
		t.Errorf("query: %d, %v", lines, err)
	}
	if values < 10 {
		t.Errorf("%d values were converted to MessagePack", values)
	}
}

// TestWorkflowError checks that an argument of another type fails the activity, and does not stop the worker.
func TestWorkflowError(t *testing.T) {
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(quiet{})
	env := suite.NewTestActivityEnvironment()
	env.SetDataConverter(temporalmsgpack.NewDataConverter(nil))
	env.RegisterActivity(Double)
	if _, err := env.ExecuteActivity("Double", "not a line"); err == nil || !strings.Contains(err.Error(), "unable to decode") {
		t.Errorf("an argument of another type: %v", err)
	}
	result, err := env.ExecuteActivity(Double, Line{Quantity: 4})
	var l Line
	if err == nil {
		err = result.Get(&l)
	}
	if err != nil || l.Quantity != 8 {
		t.Errorf("%v, %v", l, err)
	}
}
