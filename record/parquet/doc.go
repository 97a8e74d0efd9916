// Package parquet writes the records of a file as columns, in the format Parquet, for
// programs such as DuckDB, Spark, pandas and Polars. It is for data that was written row
// by row and is now to be queried.
//
//	in, err := os.Open("clicks.rec")
//	out, err := os.Create("clicks.parquet")
//	report, err := parquet.Export(out, in, nil)
//
// The command octet-parquet does the same for files.
//
// # Columns
//
// The columns come from Options.Schema, otherwise from the schema in the record file,
// otherwise from all records, which are then read twice. JSON is usually read once: the
// columns are made from the first 4 MiB, and Export starts again if other records do not
// fit them. Every column can be null.
//
//	MessagePack                            column
//
//	bool                                   BOOLEAN
//	int, in the width of the schema        INT32 or INT64 with the logical type INT
//	float 32, float 64                     FLOAT, DOUBLE
//	str                                    BYTE_ARRAY, STRING
//	bin                                    BYTE_ARRAY
//	time, in every form                    INT64, TIMESTAMP in UTC with nanoseconds
//	array                                  LIST
//	map with fields                        group
//	map with keys and values of one type   MAP
//	union                                  group of the tag and a column for each variant
//	other ext                              group of type and data
//	anything else                          BYTE_ARRAY, JSON
//
// Anything else is what has no type: values of type any, maps whose values differ,
// recursive types, and what is nested more than 32 levels deep. The JSON is the
// reversible form of package transcode, which loses nothing. Report.JSON names these
// columns. The keys that the inline map of a struct keeps are one JSON column, _rest.
//
// The first column of a union has the tag. Its name is the discriminator, or tag. The
// others have the tags as names, and all but one are null.
//
// Columns have the names of their keys. An empty name becomes _. Of names that are equal, or
// differ in case only, which is the same to SQL, all but the first get a number: ID, id_2.
//
// Without a schema, a column gets the narrowest type that holds all of its values. Ints
// are of 64 bits, and together with floats they are DOUBLE if that is exact. A str that
// is not UTF-8 makes the column binary. A map is a group, and a MAP if its keys are not
// strings or if there are more than 256 different ones. Records that are not maps become
// the column value.
//
// # What fits no column
//
// A value that does not fit its column becomes null, and a key that the schema does not
// have is left out. If a map has a key twice, the first value is kept. Nothing of this is
// silent: Report.Lost names each place, with the reason and a count. A column for nanoseconds holds the years 1678 to 2261. Without a
// schema, times beyond them are JSON.
//
// # Memory and time
//
// Each processor works on one row group. Memory is therefore bounded by the size of a row
// group, Options.RowGroup, and the number of processors, and not by the size of the file.
// Hostile input cannot make it larger: a record may fill at most 4 million values
// of columns.
package parquet
