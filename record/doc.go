// Package record implements files of many MessagePack values: logs, exports, and the input and output of parallel
// programs. A record file survives a crash of its writer, can be divided among workers, shows damage, and is
// readable wherever zstd is.
//
//	w, err := record.Create("clicks.rec", nil) // or Append
//	err = w.Write(&click)                                   // as often as needed
//	err = w.Sync()                                          // what was written before is safe
//	err = w.Close()
//
//	f, err := record.Open("clicks.rec", nil)
//	for click, err := range record.All[Click](f) { … }
//	err = record.Parallel(ctx, files, 0, func(ctx context.Context, f *record.File, r record.Range) error {
//		for click, err := range record.In[Click](f, r) { … }
//	}, nil)
//
// # Terms
//
// A record is one MessagePack value. Its ordinal is the number of records before it.
// A block is a sequence of whole records that is stored or compressed together. A
// range is a part of a file, in bytes; it has the blocks that begin in it. A file is
// torn if its end is what a crash has left, which is normal, and damaged if anything else in
// it is invalid.
//
// # Format
//
// A record file is a sequence of zstd frames, and between them skippable frames,
// which every zstd decoder ignores. The command zstd -d therefore writes the values,
// one after the other. The skippable frames of this package begin with a kind:
//
//	┌─────────────┬────────────────────────────────────────────────────────────────────────────┐
//	│ file header │ 5d 2a 4d 18 │ size │ 1 │ octet-rec │ version │ marker │ map │ crc32c          │
//	├─────────────┼────────────────────────────────────────────────────────────────────────────┤
//	│ block       │ 5d 2a 4d 18 │ 45 │ 2 │ marker │ stored │ raw │ records │ ordinal │ crc │ crc    │
//	│             │ 28 b5 2f fd │ … the records … │ XXH64                                         │
//	├─────────────┼────────────────────────────────────────────────────────────────────────────┤
//	│ sync mark   │ 5d 2a 4d 18 │ 29 │ 4 │ marker │ offset │ crc32c                                │
//	├─────────────┼────────────────────────────────────────────────────────────────────────────┤
//	│ block …     │                                                                            │
//	├─────────────┼────────────────────────────────────────────────────────────────────────────┤
//	│ index       │ 5d 2a 4d 18 │ size │ 3 │ offset │ … a line for each block … │ length │ crc32c   │
//	├─────────────┼────────────────────────────────────────────────────────────────────────────┤
//	│ seek table  │ 5e 2a 4d 18 │ size │ … two lines for each block … │ b1 ea 92 8f               │
//	└─────────────┴────────────────────────────────────────────────────────────────────────────┘
//
// The page docs/record-format.md has every byte. These are the reasons for the less
// obvious ones:
//
//   - The marker is 16 random bytes. It is in each block header, so that a reader can begin anywhere in the file: it
//     searches for the marker. The search is exact because the marker never occurs in data. If a record contains
//     it, a stored frame begins a new zstd block inside it, which puts three bytes between the two parts. If a
//     compressed frame contains it by chance, the block is stored instead. The same holds for the text octet-rec.
//   - Bits 7 and 1 of each byte of a marker are set, so that those three bytes, and the headers around data, can
//     never complete one.
//   - A block has both lengths, so that a reader checks them before it allocates memory, and two checksums, so that
//     the lengths are verified before the data is read. The zstd frame has a third one for decoders that ignore
//     block headers.
//   - A sync mark says that everything before an offset was synced. A Writer writes it before the first block after a
//     Sync. What is wrong before the offset cannot be the effect of a power loss.
//   - A gap in the ordinals shows that a block is missing.
//   - The index begins with its own offset, because it may not be at the end of the file that it describes: after
//     cat a.rec b.rec > c.rec, the offset shows that it is not the index of c.rec.
//   - The length of the index is at its end, because that is where a reader finds it.
//   - The seek table is that of the zstd seekable format. It is for other programs; this package does not need it.
//
// Both tables are optional. A file that is being written or was cut off by a crash, or to which
// a Writer has added little since the last tables, ends without them, and is read by its block headers.
//
// # What is promised
//
//  1. After [Writer.Sync] has returned, a crash of the program or the machine loses nothing that was written before.
//     [Create] and [Append] sync the directory too.
//  2. A torn file ends after its last whole block, without an error; [Report] says how much was left over. Anything
//     else that is invalid is [ErrCorrupt] with its offset, and reading ends there; [Recover] continues after it.
//     A file that does not begin as a record file is [ErrFormat], which matches ErrCorrupt, too. No changed record
//     is ever returned.
//  3. After a write or sync has failed, every call of the [Writer] returns that error. [Create] never replaces a file.
//  4. [Append] moves a torn end to a file beside it, which [Writer.Report] names, and keeps everything else. It
//     verifies all blocks, and refuses a damaged file without changing it, because records after the damage would
//     be lost to readers. After a power loss that took any of the sectors that were not synced, it continues.
//     A lock of the file keeps a second Writer out, whatever name or link it uses. Readers never wait for it.
//  5. Any bytes can be opened: there is no panic, and reading takes at most twice the memory of the largest block
//     that [Options].MaxBlock allows, besides the decoded values.
//
// # Torn or damaged
//
// What follows the last whole block is torn if it has no valid header, whatever its bytes are: a power loss leaves
// short ends, zeros and old data. If it has the headers of blocks, it is torn if a sector of its first frame is zero,
// because a power loss can take one sector and leave a later one. It is damaged if a single changed bit explains it, and
// wherever something after it shows that it was synced: a sync mark, an index or a file header.
//
// So one changed bit in what was synced is damage, with one exception: in the blocks that were synced last, a changed bit
// in a frame looks like a tear if all bytes of the frame in some sector of the file are zero. A sector has 512 bytes
// and begins at a multiple of 512; the last one of the file may be shorter. If the file was not closed and never synced, this
// can be any block. [Recover] saves the whole blocks after it, also from the file to which [Append] has moved them. The page
// docs/record-format.md has the rules for readers in other languages.
//
// # Several files in one
//
// The files that a command such as cat has joined are one file: its records are those of the first file, then those
// of the second, and so on. After cat torn.rec whole.rec > both.rec, the records of torn.rec up to the tear can be
// read; there the file is damaged, and only [Recover] reads those of whole.rec. [Writer.Copy] joins files without
// decoding them into one with a single header and index.
//
// # Compression
//
// This package stores blocks. The module record/zstd has a [Compressor] and a [Decompressor]:
//
//	c, err := zstd.New(zstd.Default)
//	o := record.Options{Compressor: c, Decompressor: c}
package record
