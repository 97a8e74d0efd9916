// Package sim simulates storage for tests of packages that use package disk. A [Disk] is in memory. At any call of the
// code under test, it gives images of what a computer would find after a crash, and it can let the call fail.
//
// A test plays: it makes a file from a seed, writes, syncs, crashes, and opens the file again, and keeps beside it what
// was promised so far. Every image must keep the promise.
//
//	sim.Test(t, "record", nil, func(p *sim.Play) {
//		p.Disk.Step = func(c sim.Call) *sim.Fault {
//			check(p, p.Disk.Cut(p.Rand(), sim.Mood(p.Rand().IntN(sim.Moods))))
//			return nil
//		}
//		...
//	})
//
// Only tests import this package.
//
// # What a power loss does here
//
// A file is a sequence of sectors of 512 bytes and a size. A sector that was changed since the last Sync can have any
// content that it had since then, independently of all others: it may be lost, written, or zero if the file had no such
// sector before. The size is one that the file had at some moment since the last Sync. Before a sector that was cut off
// is used again, the shorter size is on the disk, so that the old content does not come back with a later size. A Sync
// that fails makes the system forget which sectors it has not written: a later Sync does not write them. Names are as
// they were at some moment since the last SyncName, or, on a disk without a journal, each name by itself.
//
// A crash of the program loses nothing, but ends it within a call: a write that goes over several pages ends between
// two of them.
package sim
