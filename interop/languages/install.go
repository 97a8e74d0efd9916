package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// cacheVariable names the folder in which the programs are installed, if it is set. The default is in the cache folder of
// the user.
const cacheVariable = "OCTET_INTEROP_CACHE"

// complete is an empty file in the folder of an installed program. It is written last,
// so that an installation that failed or was interrupted is not used.
const complete = "complete"

// dir returns the folder of the installed program. Its name has the hash of the program and of the versions of its libraries,
// so that a change of either is installed anew.
func (l language) dir() (string, error) {
	cache := os.Getenv(cacheVariable)
	if cache == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			user = os.TempDir()
		}
		cache = filepath.Join(user, "octet-interop")
	}
	cache, err := filepath.Abs(cache)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	err = l.files(func(name string, data []byte) error {
		_, err := fmt.Fprintf(hash, "%s %d %s", name, len(data), data)
		return err
	})
	return filepath.Join(cache, fmt.Sprintf("%s-%x", l.folder, hash.Sum(nil)[:6])), err
}

// files calls f with each file of the program, in the order of their names.
func (l language) files(f func(name string, data []byte) error) error {
	sub, err := fs.Sub(programs, l.folder)
	if err != nil {
		return err
	}
	return fs.WalkDir(sub, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(sub, name)
		if err != nil {
			return err
		}
		return f(name, data)
	})
}

// errNotInstalled means that a program is missing and its installation was not requested.
var errNotInstalled = errors.New("not installed")

// prepare returns the folder of the installed program. If it is not installed, prepare installs it or, without install,
// returns errNotInstalled.
func (l language) prepare(ctx context.Context, install bool, log io.Writer) (string, error) {
	if command := l.missing(); command != "" {
		return "", fmt.Errorf("%w: this machine has no %s", errNotInstalled, command)
	}
	dir, err := l.dir()
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(dir, complete)); err == nil {
		return dir, nil
	} else if !install {
		return "", fmt.Errorf("%w: go run ./interop/languages -install", errNotInstalled)
	}
	fmt.Fprintf(log, "installing the libraries of %s in %s\n", l.name, dir)
	if err := os.RemoveAll(dir); err != nil { // files of an incomplete installation
		return "", err
	}
	err = l.files(func(name string, data []byte) error {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		return os.WriteFile(file, data, 0o666)
	})
	if err != nil {
		return "", err
	}
	for _, command := range l.install(dir) {
		c := exec.CommandContext(ctx, command[0], command[1:]...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, out)
		}
	}
	return dir, os.WriteFile(filepath.Join(dir, complete), nil, 0o666)
}

func isNotInstalled(err error) bool { return errors.Is(err, errNotInstalled) }
