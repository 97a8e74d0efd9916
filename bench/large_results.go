package main

import "slices"

// A largeRun is the result of -large. It is stored beside the page.
type largeRun struct {
	Processor, OS, Go, Numpy, Date string
	N, Rounds                      int
	Cases                          []largeCase
}

// A largeCase has the results of several ways to do one task in one folder.
type largeCase struct {
	Task string // write, write and sync, sum
	Disk string // tmpfs or file system
	Ways []largeWay
}

type largeWay struct {
	Name    string
	Base    string // the way that the ratio refers to
	Figures []largeFigures
}

// largeFigures are the results of one process.
type largeFigures struct {
	Seconds float64
	CPU     float64 // seconds of all processors
	Memory  int64   // bytes of memory beyond the array itself, without the page cache
}

// largeTasks are the tasks with the ways of each.
const (
	taskWrite = "write"
	taskSync  = "write and sync"
	taskSum   = "sum"
)

// baseOf returns the way that a way is compared with.
func baseOf(task string) string {
	if task == taskSum {
		return "slice in memory"
	}
	return "os.File.Write"
}

// median returns the median of what of returns for each round.
func (w largeWay) median(of func(largeFigures) float64) float64 {
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

// ratio returns the median of the ratios to the base, and the lowest and highest.
func (c largeCase) ratio(w largeWay) (median, low, high float64) {
	i := slices.IndexFunc(c.Ways, func(o largeWay) bool { return o.Name == w.Base })
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
