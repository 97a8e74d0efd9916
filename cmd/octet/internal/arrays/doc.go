// Package arrays implements the commands on arrays of numbers: it reads and
// writes raw, .npy, CSV, JSON and MessagePack arrays, calculates statistics, and
// compares arrays. It processes a part of an array at a time, so memory use does
// not depend on the length.
package arrays
