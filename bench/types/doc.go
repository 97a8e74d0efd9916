// Package types chooses struct types without regard to any library: at random, or as public modules declare them. It
// writes a module with the types, with the code that msgp generates for them and a main function, builds it, and runs
// it. Package trial has what that program does.
package types
