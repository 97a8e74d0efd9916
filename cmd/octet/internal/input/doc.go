// Package input opens the files that a command reads: it finds out their format,
// decompresses them, and converts UTF-16 and UTF-32 to UTF-8.
//
//	file → gzip, zstd → UTF-16, UTF-32 → Input
//
// A command that has paths on its command line reads one Input after another:
//
//	for in, err := range input.All(ctx, console, paths, input.Options{Args: args}) {
//		if err != nil {
//			return err
//		}
//		for v, err := range in.Values() {
//			if err != nil {
//				return in.Explain(err)
//			}
//			use(v.Data) // one value as MessagePack, whatever the format of the file
//		}
//	}
//
// The errors of [Open], [All] and [Input.Explain] are complete: they have an exit
// code, name the file, and say where the error is and what to do about it.
package input
