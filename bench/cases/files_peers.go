package cases

import (
	"bufio"
	"encoding/gob"
	"encoding/json"
	"io"
	"iter"
	"os"

	"github.com/hamba/avro/v2/ocf"
	"github.com/parquet-go/parquet-go"
	"github.com/tinylib/msgp/msgp"
)

const fileBuffer = 64 << 10

// fileSequence returns the values that next reads, until it returns io.EOF.
func fileSequence[T any](f *os.File, open func(r io.Reader) (next func(*T) error, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		_, err := f.Seek(0, io.SeekStart)
		var next func(*T) error
		if err == nil {
			next, err = open(f)
		}
		for err == nil {
			var v T
			if err = next(&v); err == nil && !yield(v, nil) {
				return
			}
		}
		if err != io.EOF {
			yield(*new(T), err)
		}
	}
}

// repeated calls put n times, with the values in turn.
func repeated[T any](values []T, n int, put func(*T) error) error {
	for i := range n {
		if err := put(&values[i%len(values)]); err != nil {
			return err
		}
	}
	return nil
}

// ndjsonFile writes a line of JSON for each record.
func ndjsonFile[T any]() container[T] {
	return container[T]{name: "json", write: func(w io.Writer, values []T, n int) error {
		out := bufio.NewWriterSize(w, fileBuffer)
		e := json.NewEncoder(out)
		if err := repeated(values, n, func(v *T) error { return e.Encode(v) }); err != nil {
			return err
		}
		return out.Flush()
	}, read: func(f *os.File) iter.Seq2[T, error] {
		return fileSequence(f, func(r io.Reader) (func(*T) error, error) {
			d := json.NewDecoder(bufio.NewReaderSize(r, fileBuffer))
			return func(v *T) error { return d.Decode(v) }, nil
		})
	}}
}

func gobFile[T any]() container[T] {
	return container[T]{name: "gob", write: func(w io.Writer, values []T, n int) error {
		out := bufio.NewWriterSize(w, fileBuffer)
		e := gob.NewEncoder(out)
		if err := repeated(values, n, func(v *T) error { return e.Encode(v) }); err != nil {
			return err
		}
		return out.Flush()
	}, read: func(f *os.File) iter.Seq2[T, error] {
		return fileSequence(f, func(r io.Reader) (func(*T) error, error) {
			d := gob.NewDecoder(bufio.NewReaderSize(r, fileBuffer))
			return func(v *T) error { return d.Decode(v) }, nil
		})
	}}
}

func msgpFile[T any](put func(*msgp.Writer, *T) error, get func(*msgp.Reader, *T) error) container[T] {
	return container[T]{name: "msgp", write: func(w io.Writer, values []T, n int) error {
		out := msgp.NewWriterSize(w, fileBuffer)
		if err := repeated(values, n, func(v *T) error { return put(out, v) }); err != nil {
			return err
		}
		return out.Flush()
	}, read: func(f *os.File) iter.Seq2[T, error] {
		return fileSequence(f, func(r io.Reader) (func(*T) error, error) {
			in := msgp.NewReaderSize(r, fileBuffer)
			return func(v *T) error {
				if _, err := in.R.Peek(1); err != nil {
					return err
				}
				return get(in, v)
			}, nil
		})
	}}
}

// The schemas use the names of the Go fields, so the fields need no tags.
const readingSchema = `{"type":"record","name":"Reading","fields":[
	{"name":"ID","type":"long"},{"name":"Sensor","type":"string"},{"name":"Value","type":"double"},
	{"name":"Count","type":"long"},{"name":"Level","type":"int"},{"name":"Valid","type":"boolean"}]}`

const articleSchema = `{"type":"record","name":"Article","fields":[
	{"name":"ID","type":"long"},{"name":"URL","type":"string"},{"name":"Title","type":"string"},{"name":"Author","type":"string"},
	{"name":"Time","type":"long"},{"name":"Tags","type":{"type":"array","items":"string"}},
	{"name":"Scores","type":{"type":"array","items":"double"}},{"name":"Text","type":"string"}]}`

// avroFile writes object container files without compression, in the blocks of 100 records that are the default.
func avroFile[T any](schema string) container[T] {
	return container[T]{name: "avro", write: func(w io.Writer, values []T, n int) error {
		out := bufio.NewWriterSize(w, fileBuffer)
		e, err := ocf.NewEncoder(schema, out)
		if err != nil {
			return err
		}
		if err := repeated(values, n, func(v *T) error { return e.Encode(v) }); err != nil {
			return err
		}
		if err := e.Close(); err != nil {
			return err
		}
		return out.Flush()
	}, read: func(f *os.File) iter.Seq2[T, error] {
		return fileSequence(f, func(r io.Reader) (func(*T) error, error) {
			d, err := ocf.NewDecoder(bufio.NewReaderSize(r, fileBuffer))
			if err != nil {
				return nil, err
			}
			return func(v *T) error {
				if !d.HasNext() {
					if err := d.Error(); err != nil {
						return err
					}
					return io.EOF
				}
				return d.Decode(v)
			}, nil
		})
	}}
}

// parquetFile writes and reads rows in slices of 256, because single rows are much slower.
func parquetFile[T any]() container[T] {
	const rows = 256
	return container[T]{name: "parquet", write: func(w io.Writer, values []T, n int) error {
		out := parquet.NewGenericWriter[T](w)
		for at := 0; at < n; at += rows {
			from := at % len(values)
			if _, err := out.Write(values[from : from+min(rows, n-at)]); err != nil {
				return err
			}
		}
		return out.Close()
	}, read: func(f *os.File) iter.Seq2[T, error] {
		return fileSequence(f, func(io.Reader) (func(*T) error, error) {
			in := parquet.NewGenericReader[T](f)
			list, at, have := make([]T, rows), 0, 0
			return func(v *T) error {
				if at == have {
					clear(list)
					n, err := in.Read(list)
					if n == 0 {
						in.Close()
						return err
					}
					at, have = 0, n
				}
				*v = list[at]
				at++
				return nil
			}, nil
		})
	}}
}
