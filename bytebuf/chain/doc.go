// Package chain has [Buffer], a queue of bytes for contents that are too large to copy: a chain of blocks of memory that
// come from a pool, and of slices of the caller.
//
// It is for servers and clients that put long messages together and send them over a connection:
//
//	var out chain.Buffer
//	out.Write(header)   // is copied
//	out.Append(payload) // is not
//	out.WriteTo(conn)   // one system call for both
//
// Short contents go into a [github.com/octet-go/octet/bytebuf.Buffer]. The two are packages of their own because this
// one imports package net.
//
// # Words
//
// The contents of a Buffer are the bytes written and not yet read. A block is pooled memory of a Buffer; a segment is a
// run of bytes in one block, or in a slice given to [Buffer.Append].
package chain
