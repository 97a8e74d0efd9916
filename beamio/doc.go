// Package beamio reads and writes record files in pipelines of Apache Beam, and makes
// MessagePack the coder of Go types. It is for data that one machine does not hold or
// does not process fast enough; on one machine, record.Parallel is simpler and faster.
//
//	type Click struct {
//		User string
//		Page string
//	}
//
//	func main() {
//		beamio.Register[Click]()
//		flag.Parse()
//		beam.Init()
//		p, s := beam.NewPipelineWithRoot()
//		clicks := beamio.Read[Click](s, "gs://bucket/clicks-*.rec", nil)
//		…
//		beamio.Write(s, "gs://bucket/sessions.rec", sessions, &beamio.Options{Shards: 20})
//		if err := beamx.Run(context.Background(), p); err != nil {
//			log.Fatal(err)
//		}
//	}
//
// A program imports the packages of the filesystems that it uses, for their side
// effects: package local of Beam's io/filesystem for paths, gcs for gs://, s3 for
// s3://. Package beamx imports the first two.
//
// Package beamio/objects is a better choice for object stores, see [RegisterStore].
//
// # Terms
//
// A pipeline is a graph of steps that a runner executes: prism in the same process, or
// Flink, Spark or Dataflow on many machines. A PCollection is the elements between two
// steps. A bundle is some elements that one worker processes together; if it fails, the
// runner can repeat it. A coder turns elements into bytes and back wherever they leave a
// worker. A shard is one of several output files.
//
// # Source
//
// [Read] is a splittable DoFn. Its restriction is a range of bytes of a file:
//
//	┌────────┬─────────┬─────────┬─────────┬─────────┬─────────┬─────────┐
//	│ header │ block   │ block   │ block   │ block   │ block   │ index   │
//	└────────┴─────────┴─────────┴─────────┴─────────┴─────────┴─────────┘
//	│ restriction          │ split off while the first one is read       │
//	           claimed   claimed
//
// A block belongs to the restriction in which its header begins, and is claimed by the
// offset of its header before it is read. The runner can split at any byte, and every
// block is claimed once.
//
// # Sink
//
// [Write] does not send elements to other workers. The bundles write temporary files
// of whole blocks. Only the names of these are sent to the step that joins the files of
// a shard, which copies the blocks and renames the result. The names of the files of a
// failed bundle are not sent, so these are never part of a result.
//
// # Coder
//
// [Register] makes MessagePack the coder of a type. Beam's default is the row coder for
// structs and JSON for the rest. MessagePack also encodes types that these do not, such
// as interfaces and types with methods of their own. Equal values have equal bytes, which
// keys require. Between workers, structs have no names of fields where the type allows it;
// [RegisterMap] keeps them, as record files do. docs/beam.md has measurements, and says
// what happens when a streaming pipeline is updated.
//
// # Limits
//
// Record files of a Codec with ext types or other options of msgpack.Options cannot be
// read, because a Codec cannot be sent to workers. Use methods of the types instead.
// The SDK of Beam makes large programs (72 to 127 MB) that take minutes to compile for
// the first time.
package beamio
