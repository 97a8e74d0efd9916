// Package objects reads and writes record files in S3, Google Cloud Storage and Azure
// Blob Storage. It is for pipelines of package beamio, and for programs that read a
// range of a large object, or many ranges of it on many machines.
//
//	store, err := objects.New(nil)
//	…
//	object, err := store.Open(ctx, "s3://bucket/clicks.rec")
//	…
//	file, err := record.NewFile(object, object.Size(), nil)
//
// In a pipeline, a Store replaces the filesystem that Beam has for a scheme. Register it
// before beam.Init, on every worker:
//
//	beamio.RegisterStore("s3", store)
//
// Paths are s3://bucket/key, gs://bucket/key and azblob://container/key. Credentials are
// those that the library of each vendor finds in the environment; Options.OpenBucket
// chooses others. They are not part of errors, and this package logs nothing.
//
// # Reading
//
// An [Object] is one version of an object. Each request asks for the version that the
// first one returned, by ETag or generation, and the answer is compared with it. If the
// object is replaced in between, the error is [ErrChanged]. Records of two versions are
// never mixed. Tests with servers that speak their protocols show it for S3 and Google
// Cloud Storage. For Azure, they need Azurite, and skip without it.
//
// A file is opened with one request for its start, and one for its end, which has the
// index. What is read in order is read ahead in requests of Options.ReadAhead bytes. A
// program that knows the range that it reads says so with [Object.Expect], and then
// nothing after the range is read, except the rest of the last block. An interrupted
// request continues where it stopped.
//
// # Writing
//
// An object appears when [Writer.Close] returns nil, with all bytes, or not at all. Long
// ones are sent in parts: a multipart upload in S3, a resumable upload in Google Cloud
// Storage, blocks in Azure. None of these is visible before it is complete.
// [Writer.Abort] removes them.
//
// # Why gocloud.dev/blob
//
// It has one interface for the three stores, is built on the libraries of the vendors,
// and gives access to them, which the conditions on versions need. The filesystems of
// Beam's Go SDK return plain readers, and there is none for Azure.
package objects
