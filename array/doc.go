// Package array keeps arrays of numbers in files: raw numbers, or the .npy files
// of numpy. An array can be larger than memory, grows at its end, and is used
// like a slice.
//
//	f, err := array.Create[float64]("samples.npy", 0, array.NPY)
//	...
//	err = f.Append(samples...)
//	err = f.Sync()
//
// numpy.load opens the result, also with mmap_mode. [Open] opens such a
// file and checks that its type is the one that the program wants.
//
// An element is a number, bool or complex number of a fixed size. A row is what
// one more step of the slowest dimension adds; in an array of one dimension, a
// row is one element. To map a file is to make its bytes accessible as memory.
// The byte order of the machine is called native; the opposite order is called
// swapped.
//
// # The bytes
//
// A raw file contains the elements in either byte order and nothing else. A
// program must know the type, and give [Open] the format [Raw].
//
//	01 00 02 00 03 00                  three uint16, little-endian
//
// A .npy file has a header. Version 1.0, which this package writes:
//
//	 0  93 4e 55 4d 50 59              signature: 0x93 "NUMPY"
//	 6  01 00                          version
//	 8  76 00                          length of the text, uint16, little-endian
//	10  {'descr': '<u2', 'fortran_order': False, 'shape': (3,), }
//	    spaces, and a newline          the text ends at a multiple of 64
//	128 01 00 02 00 03 00              the elements
//
// In versions 2.0 and 3.0, the length of the text is a uint32, and in 3.0 the
// text is UTF-8. The type is a byte order (< little-endian, > big-endian, | none)
// and a letter with a size in bytes:
//
//	b1                  bool           one byte; every value but 0 is true
//	i1 i2 i4 i8         int8 to int64
//	u1 u2 u4 u8         uint8 to uint64
//	f4 f8               float32, float64
//	c8 c16              complex64, complex128: the real part, the imaginary part
//
// Files with other types, such as structured types, are [ErrUnsupported].
//
// The elements begin at a multiple of 64, so that they are aligned, and the
// header has room for 20 digits of the length, so that the array can grow
// without moving. This room is also in files that recent versions of numpy
// write. An array whose header has no room is [ErrHeaderFull].
//
// A .npz file is a zip file with one .npy file for each array; see [ReadNPZ] and
// [WriteNPZ]. [Read], [Write] and [Reader] are for streams, such as pipes.
//
// # Several dimensions
//
// All methods with an index use the order of the elements in the file, and Slice
// has this order too. [Info].Shape has the dimensions as numpy shows them. In
// C order, the last index changes fastest, as in Go's [2][3]int; in Fortran
// order, the first one does. [Info].Fortran tells which one it is, and
// [File.Index] returns where an element is:
//
//	(0,0) (0,1) (0,2)      C order        00 01 02 10 11 12
//	(1,0) (1,1) (1,2)      Fortran order  00 10 01 11 02 12
//
// An array in C order grows by its first dimension, one in Fortran order by its
// last.
//
// # Which calls map, and which read and write
//
// On Linux, macOS, FreeBSD, NetBSD and DragonFly, files are mapped. [File.At],
// [File.Slice] and [File.Chunks] use the mapped memory, which is the fastest way to
// read some elements and to change them. On Linux, Chunks of a large file maps pages
// ahead of the loop, and Options.Populate does it for a loop over Slice.
//
// To read all elements of a large file once, system calls are faster: nothing must be
// mapped, and a small buffer stays in the cache. Therefore [File.All] reads a file of
// at least 16 MiB, as long as there is more than one processor: two goroutines read it
// in turn. Chunks does this for files that are not mapped.
//
// [File.ReadAt], [File.WriteAt] and longer calls of [File.Append] use system
// calls, also for a mapped file. To write new pages through a mapping takes longer
// than to write them by a system call, because the first store to each page is a
// page fault; docs/large-arrays.md has the measurements. Both see the same bytes
// at once. Only Append of up to 4 KiB to a .npy file stores through the mapping,
// because a system call for every number would take longer.
//
// On other systems, and with Options.NoMmap, everything uses system calls,
// and Slice returns [ErrNoSlice]. Everything else is the same.
//
// # Several processes
//
// A file that is open for writing is locked until it is closed or its process ends:
// another File that could write it is [ErrLocked]. Files that were opened with
// Options.ReadOnly can be open at the same time. Open and [Stat] then find as many
// elements as the array has at some time during the call; Guard says what happens if
// the file becomes shorter.
//
// # A process that is killed
//
// After a process was killed, the file opens, and has all elements of the calls
// of Append and Grow that returned, and all or none of the elements of the call
// that was interrupted. In a .npy file, the elements are written first, and then
// the length in the header, in one step. Reserved bytes may remain after the
// array. Readers ignore them, and the next Append removes them. In a raw file,
// a note at its end says how many bytes were there before; Open reads and removes
// it. A program that does not know this note sees bytes after the array until
// then. The checksum of the note covers the old length and the place of the note,
// so that elements that look like one stay. This requires a local file system,
// where a write within a page is not interrupted.
//
// [File.Sync] says what survives a power loss.
//
// # A full disk
//
// [Create] and [File.Grow] reserve the blocks of new elements, so a full disk is
// an error of these calls, and never a fault when a number is stored through
// Slice. If the file system cannot reserve blocks, zeros are written instead.
// After an error, the array is as it was before. A file system that copies on
// write, or a file with holes that another program made, can still have no room
// for a page that is stored to; see [File.Guard].
//
// # Hostile files
//
// A header is accepted only if the file has all elements that it claims. [Read],
// for streams, allocates memory as elements arrive. A header may have 64 KiB.
// Another process that cuts a file short while it is open can make an access to
// its mapped memory fault, which ends the program; [File.Guard] turns this into
// an error.
package array
