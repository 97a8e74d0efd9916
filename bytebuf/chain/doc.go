// Package chain implements [Buffer], a queue of bytes for contents that are too large to copy. It is a list of
// blocks from a pool and of slices of the caller.
//
// It is for servers and clients that assemble long messages and send them over a connection:
//
//	var out chain.Buffer
//	out.Write(header)   // copies header
//	out.Append(payload) // does not copy payload
//	out.WriteTo(conn)   // one system call for both
//
// For short contents, use a [github.com/octet-go/octet/bytebuf.Buffer]. The two types are in separate packages
// because this one imports package net.
//
// # Terms
//
// The contents of a Buffer are the bytes that were written and not yet read. A block is pooled memory of a Buffer.
// A segment is a sequence of bytes in one block, or in a slice passed to [Buffer.Append].
package chain
