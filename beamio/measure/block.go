package main

import (
	"bytes"
	"fmt"
	"time"

	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/record/zstd"
)

// measureBlock prints the bytes of a block, and the processor time to read and decode it,
// for beamio/simulate.
func measureBlock(string) error {
	codec, err := zstd.New(zstd.Default)
	if err != nil {
		return err
	}
	fmt.Println("| blocks | records | bytes | processor time |\n|---|---:|---:|---:|")
	if err := measureBlocks("not compressed", record.Options{}); err != nil {
		return err
	}
	return measureBlocks("compressed with zstd", record.Options{Compressor: codec, Decompressor: codec})
}

func measureBlocks(name string, o record.Options) error {
	var file bytes.Buffer
	w, err := record.NewWriter(&file, &o)
	if err != nil {
		return err
	}
	for i := range *records {
		if err := w.Write(event(i)); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	f, err := record.NewFile(bytes.NewReader(file.Bytes()), int64(file.Len()), &o)
	if err != nil {
		return err
	}
	defer f.Close()
	var each series
	blocks := 0
	for range *rounds {
		begin := processorTime()
		blocks = 0
		for b, err := range f.Blocks(f.Range()) {
			if err != nil {
				return err
			}
			blocks++
			for _, err := range record.InBlock[packed](f, b) {
				if err != nil {
					return err
				}
			}
		}
		each = append(each, float64(processorTime()-begin)/float64(blocks))
	}
	fmt.Printf("| %s | %d | %d | %v |\n", name, *records/blocks, file.Len()/blocks, time.Duration(each.median()).Round(time.Microsecond))
	return nil
}
