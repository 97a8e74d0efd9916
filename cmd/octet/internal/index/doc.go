// Package index finds values in MessagePack bytes that are in memory, by offset, by
// number and by line of text, without decoding all that precedes them.
//
// [New] reads the data once. Every 32 KiB it stores a mark: the offset of the next
// value and the containers around it. Each lookup starts at a mark, so it reads at
// most about 32 KiB, even if the data is large. Marks take less than 1 % of the data
// at usual depths.
package index
