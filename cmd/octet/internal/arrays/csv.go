package arrays

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// fromCSV reads rows. A single column is an array of one dimension.
func fromCSV(in *Input, r io.Reader) filler {
	text := &textReader{r: r, part: "a row"}
	c := csv.NewReader(text)
	c.ReuseRecord = true
	rows, columns := 0, 0
	skip := in.Header
	return func(b part) error {
		for b.len() < piece {
			text.next()
			start := in.mark + c.InputOffset()
			record, err := c.Read()
			if err == io.EOF {
				if columns == 1 {
					in.Info.Shape = []int{rows}
				} else {
					in.Info.Shape = []int{rows, columns}
				}
				in.Info.Len = rows * columns
				if columns == 0 {
					in.Info.Shape, in.Info.Len = []int{0}, 0
				}
				return io.EOF
			}
			if err != nil {
				var parse *csv.ParseError
				var long *longError
				switch {
				case errors.As(err, &parse):
					return fmt.Errorf("line %d: %w", parse.Line, parse.Err)
				case errors.As(err, &long):
					return fmt.Errorf("offset %d: %w", start, long)
				}
				return err
			}
			if skip {
				skip = false
				continue
			}
			for i, field := range record {
				if err := b.parse(strings.TrimSpace(field)); err != nil {
					line, column := c.FieldPos(i)
					switch {
					case errors.Is(err, errFit):
					case rows == 0 && !in.Header:
						err = fmt.Errorf("%w; use --header if the first line has names", err)
					}
					return fmt.Errorf("line %d, column %d: %w", line, column, err)
				}
			}
			rows++
			columns = len(record)
		}
		return nil
	}
}
