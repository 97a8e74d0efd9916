package cases

import (
	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/pb"
	"github.com/octet-go/octet/bench/shape"
)

// withReflective returns the libraries that encode a T by reflection, and those with generated code for it.
func withReflective[T any](generated ...competitor[T]) []competitor[T] {
	return append(reflective[T](), generated...)
}

// recordContests returns the contests on artificial values.
func recordContests() []engine.Contest {
	return []engine.Contest{
		valueContest("struct/report", report, func() []competitor[shape.Report] {
			return withReflective(msgpReport.competitor(), msgpackgenLibrary[shape.Report](), protobuf[shape.Report, pb.Report](""), buildLimit(walkReport, buildReport))
		}),
		valueContest("struct/account", func() shape.Account { return accounts(1)[0] }, func() []competitor[shape.Account] {
			return withReflective(msgpAccount.competitor(), msgpackgenLibrary[shape.Account](), protobuf[shape.Account, pb.Account](""), buildLimit(nil, copyValue[shape.Account]))
		}),
		variedContest("struct/event", func() []shape.Event { return events(varied) }, eventCompetitors),
		variedContest("struct/reading", func() []shape.Reading { return readings(varied) }, func() []competitor[shape.Reading] {
			return withReflective(msgpReading.competitor(), msgpackgenLibrary[shape.Reading](), protobuf[shape.Reading, pb.Reading](""), buildLimit(nil, copyValue[shape.Reading]))
		}),
		variedContest("struct/optional", func() []shape.Optional { return optionals(varied) }, optionalCompetitors),
		valueContest("struct/customer", customer, func() []competitor[shape.Customer] {
			list := withReflective(msgpCustomer.competitor(), msgpackgenLibrary[shape.Customer](), protobuf[shape.Customer, pb.Customer](""), buildLimit(nil, buildCustomer))
			return append(list, checkedForm[shape.Customer]())
		}),
		valueContest("struct/metric", metric, func() []competitor[shape.Metric] {
			return withReflective(msgpMetric.competitor(), msgpackgenLibrary[shape.Metric](), absent[shape.Metric]("protobuf", noNestedLists), buildLimit(walkMetric, buildMetric))
		}),
		arrayForm(),
		valueContest("slice/accounts", func() []shape.Account { return accounts(1000) }, func() []competitor[[]shape.Account] {
			type T = []shape.Account
			generated := msgpLarge(
				func(v *T, b []byte) ([]byte, error) { return (*shape.Accounts)(v).MarshalMsg(b) },
				func(v *T, b []byte) ([]byte, error) { return (*shape.Accounts)(v).UnmarshalMsg(b) },
			)
			return withReflective(generated, absent[T]("msgpackgen", structsAlone), protobuf[T, pb.Accounts]("list"), buildLimit(nil, cloneSlice[shape.Account]))
		}),
		valueContest("slice/ints", func() []int { return numbers(10_000) }, func() []competitor[[]int] {
			type T = []int
			generated := msgpLarge(
				func(v *T, b []byte) ([]byte, error) { return (*shape.Ints)(v).MarshalMsg(b) },
				func(v *T, b []byte) ([]byte, error) { return (*shape.Ints)(v).UnmarshalMsg(b) },
			)
			return withReflective(generated, absent[T]("msgpackgen", structsAlone), protobuf[T, pb.Ints]("list"), buildLimit(nil, cloneSlice[int]))
		}),
		valueContest("slice/int64s", func() []int64 { return int64s(10_000) }, func() []competitor[[]int64] {
			type T = []int64
			return withReflective(msgpInt64s(), absent[T]("msgpackgen", structsAlone), protobuf[T, pb.Ints]("list"), buildLimit(nil, cloneSlice[int64]))
		}),
		valueContest("slice/floats", func() []float64 { return floats(10_000) }, func() []competitor[[]float64] {
			type T = []float64
			return withReflective(msgpFloats(), absent[T]("msgpackgen", structsAlone), protobuf[T, pb.Floats]("list"), buildLimit(nil, cloneSlice[float64]))
		}),
		valueContest("map/accounts", func() map[string]shape.Account { return directory(accounts(1000)) }, func() []competitor[map[string]shape.Account] {
			type T = map[string]shape.Account
			generated := msgpLarge(
				func(v *T, b []byte) ([]byte, error) { return (*shape.Directory)(v).MarshalMsg(b) },
				func(v *T, b []byte) ([]byte, error) { return (*shape.Directory)(v).UnmarshalMsg(b) },
			)
			return withReflective(generated, absent[T]("msgpackgen", structsAlone), protobuf[T, pb.Directory]("map"), buildLimit(walkOneMap[string, shape.Account], buildOneMap[string, shape.Account]))
		}),
		valueContest("map/measurements", func() map[int64]float64 { return measurements(1000) }, func() []competitor[map[int64]float64] {
			type T = map[int64]float64
			return withReflective(absent[T]("msgp", stringKeys), absent[T]("msgpackgen", structsAlone),
				protobuf[T, pb.Measurements]("map"), buildLimit(walkOneMap[int64, float64], buildOneMap[int64, float64]))
		}),
	}
}

func eventCompetitors() []competitor[shape.Event] {
	type T = shape.Event
	list := withReflective(msgpEvent.competitor(), msgpackgenLibrary[T](), protobuf[T, pb.Event](""), eventByHand.competitor())
	return append(leaveOut(list, "cbor", "it loses fractions of a second"), eventForms()...)
}

func optionalCompetitors() []competitor[shape.Optional] {
	type T = shape.Optional
	list := withReflective(msgpOptional.competitor(), msgpackgenLibrary[T](), absent[T]("protobuf", "its optional fields have different types"), buildLimit(walkOptional, buildOptional))
	return leaveOut(list, "gob", losesZero)
}

const losesZero = "it loses pointers to zero"

const stringKeys = "it supports only string keys"

const noNestedLists = "a list in a list or map needs a separate message, so the value would be different"

func msgpInt64s() competitor[[]int64] {
	type T = []int64
	return msgpLarge(
		func(v *T, b []byte) ([]byte, error) { return (*shape.Int64s)(v).MarshalMsg(b) },
		func(v *T, b []byte) ([]byte, error) { return (*shape.Int64s)(v).UnmarshalMsg(b) },
	)
}

func msgpFloats() competitor[[]float64] {
	type T = []float64
	return msgpLarge(
		func(v *T, b []byte) ([]byte, error) { return (*shape.Floats)(v).MarshalMsg(b) },
		func(v *T, b []byte) ([]byte, error) { return (*shape.Floats)(v).UnmarshalMsg(b) },
	)
}

func msgpStrings() competitor[map[string]string] {
	type T = map[string]string
	return msgpLarge(
		func(v *T, b []byte) ([]byte, error) { return (*shape.Strings)(v).MarshalMsg(b) },
		func(v *T, b []byte) ([]byte, error) { return (*shape.Strings)(v).UnmarshalMsg(b) },
	)
}
