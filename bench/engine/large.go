package engine

import "slices"

// A LargeRun is the result of -large. It is stored beside the page.
type LargeRun struct {
	Processor, OS, Go, Numpy, Date string
	N, Rounds                      int
	Cases                          []LargeCase
}

// A LargeCase has the results of several ways to do one task in one folder.
type LargeCase struct {
	Task string // write, write and sync, sum
	Disk string // tmpfs or file system
	Ways []LargeWay
}

type LargeWay struct {
	Name    string
	Base    string // the way that the ratio refers to
	Figures []LargeFigures
}

// LargeFigures are the results of one process.
type LargeFigures struct {
	Seconds float64
	CPU     float64 // seconds of all processors
	Memory  int64   // bytes of memory beyond the array itself, without the page cache
}

// largeTasks are the tasks with the ways of each.
const (
	TaskWrite = "write"
	TaskSync  = "write and sync"
	TaskSum   = "sum"
)

// BaseOf returns the way that a way is compared with.
func BaseOf(task string) string {
	if task == TaskSum {
		return "slice in memory"
	}
	return "os.File.Write"
}

// Median returns the median of what of returns for each round.
func (w LargeWay) Median(of func(LargeFigures) float64) float64 {
	list := make([]float64, len(w.Figures))
	for i, f := range w.Figures {
		list[i] = of(f)
	}
	slices.Sort(list)
	if len(list) == 0 {
		return 0
	}
	return list[len(list)/2]
}

// Ratio returns the median of the ratios to the base, and the lowest and highest.
func (c LargeCase) Ratio(w LargeWay) (median, low, high float64) {
	i := slices.IndexFunc(c.Ways, func(o LargeWay) bool { return o.Name == w.Base })
	if i < 0 {
		return 0, 0, 0
	}
	var list []float64
	for k := range min(len(w.Figures), len(c.Ways[i].Figures)) {
		list = append(list, w.Figures[k].Seconds/c.Ways[i].Figures[k].Seconds)
	}
	slices.Sort(list)
	if len(list) == 0 {
		return 0, 0, 0
	}
	return list[len(list)/2], list[0], list[len(list)-1]
}
