package main

import (
	"errors"
	"os"
)

// write writes files. If one of them cannot be written, all are as before: those that it has written
// get their old text, and new ones are removed.
func write(files map[string][]byte, names []string) (err error) {
	old := map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			return err
		}
		old[name] = text
	}
	for i, name := range names {
		if err = overwrite(name, files[name]); err == nil {
			continue
		}
		for _, name := range names[:i+1] {
			if text, ok := old[name]; ok {
				err = errors.Join(err, overwrite(name, text))
			} else if e := os.Remove(name); !errors.Is(e, os.ErrNotExist) {
				err = errors.Join(err, e)
			}
		}
		return err
	}
	return nil
}

// overwrite writes a file over its old text, without emptying it first: what the old text took on a full disk is still
// there when the text is written back.
func overwrite(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	if _, err = f.Write(text); err == nil {
		err = f.Truncate(int64(len(text)))
	}
	return errors.Join(err, f.Close())
}
