package objects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"
	"time"

	"cloud.google.com/go/storage"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"gocloud.dev/blob"
)

// A Store opens, lists and removes objects. It has the methods of a filesystem of Beam
// and of a beamio.Store. Its methods are safe for concurrent use.
type Store struct {
	o Options

	mu      sync.Mutex
	buckets map[string]*blob.Bucket // by URL
}

// New returns a Store. It makes no request.
func New(o *Options) (*Store, error) {
	c, err := checked(o)
	if err != nil {
		return nil, err
	}
	return &Store{o: c, buckets: map[string]*blob.Bucket{}}, nil
}

// Close closes the buckets that were opened. The Store can still be used, and opens them
// again.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	for url, b := range s.buckets {
		err = errors.Join(err, fault("close", url, b.Close()))
	}
	clear(s.buckets)
	return err
}

// divide returns the URL of the bucket and the key of a path.
func divide(path string) (url, key string, err error) {
	scheme, rest, ok := strings.Cut(path, "://")
	bucket, key, _ := strings.Cut(rest, "/")
	if !ok || scheme == "" || bucket == "" || strings.ContainsAny(bucket, "?#@*[") {
		return "", "", fmt.Errorf("%w: path %q is not of the form scheme://bucket/key", ErrOptions, redact(path))
	}
	return scheme + "://" + bucket, key, nil
}

// bucket returns the bucket and the key of a path.
func (s *Store) bucket(ctx context.Context, path string) (*blob.Bucket, string, error) {
	url, key, err := divide(path)
	if err != nil {
		return nil, "", err
	}
	if key == "" {
		return nil, "", fmt.Errorf("%w: path %q has no key", ErrOptions, path)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.buckets[url]
	if b == nil {
		// The bucket is used after ctx.
		if b, err = s.o.OpenBucket(context.WithoutCancel(ctx), url); err != nil {
			return nil, "", fault("open", url, err)
		}
		// The library of Google makes requests again for ever. The others stop.
		var google *storage.Client
		if b.As(&google) {
			google.SetRetry(storage.WithMaxAttempts(6))
		}
		s.buckets[url] = b
	}
	return b, key, nil
}

func (s *Store) bounded(ctx context.Context, call func(ctx context.Context) error) error {
	return bounded(ctx, s.o.Timeout, call)
}

// bounded calls a function with a context that ends if the store does not answer in time.
// The library of the vendor makes a request that fails again within this time.
func bounded(ctx context.Context, timeout time.Duration, call func(ctx context.Context) error) error {
	inner, cancel := context.WithTimeoutCause(ctx, patience*timeout, errStalled)
	defer cancel()
	err := call(inner)
	if err != nil && err != io.EOF && context.Cause(inner) == errStalled {
		return errStalled
	}
	return err
}

// List returns the paths of the objects that match a pattern, such as
// s3://bucket/clicks-*.rec, in the order of their keys. The pattern is that of
// [path.Match] for the key: a wildcard does not match a slash.
func (s *Store) List(ctx context.Context, pattern string) (paths []string, err error) {
	err = s.Visit(ctx, pattern, func(path string, _ int64, _ string) error {
		paths = append(paths, path)
		return nil
	})
	return paths, err
}

// Visit calls found for each object that matches a pattern, with its path, its size in
// bytes and its version, which [Store.OpenVersion] takes. It makes a request for a
// thousand objects or more that have the part of the pattern before the first wildcard.
// An error of found ends it and is returned.
func (s *Store) Visit(ctx context.Context, pattern string, found func(path string, size int64, version string) error) error {
	b, glob, err := s.bucket(ctx, pattern)
	if err != nil {
		return err
	}
	if _, err := path.Match(glob, ""); err != nil {
		return fmt.Errorf("%w: pattern %q: %w", ErrOptions, pattern, err)
	}
	url, _, _ := divide(pattern)
	o := &blob.ListOptions{Prefix: glob}
	if i := strings.IndexAny(glob, `*?[\`); i >= 0 {
		o.Prefix = glob[:i]
	}
	if !strings.Contains(glob[len(o.Prefix):], "/") {
		o.Delimiter = "/" // what is in folders does not match
	}
	list := b.List(o)
	for {
		var object *blob.ListObject
		err := s.bounded(ctx, func(ctx context.Context) error {
			object, err = list.Next(ctx)
			return err
		})
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fault("list", pattern, err)
		}
		if ok, _ := path.Match(glob, object.Key); !ok || object.IsDir {
			continue
		}
		if err := found(url+"/"+object.Key, object.Size, listedVersion(object)); err != nil {
			return err
		}
	}
}

// Size returns the size of an object in bytes.
func (s *Store) Size(ctx context.Context, path string) (int64, error) {
	b, key, err := s.bucket(ctx, path)
	if err != nil {
		return 0, err
	}
	var size int64
	err = s.bounded(ctx, func(ctx context.Context) error {
		a, err := b.Attributes(ctx, key)
		if err == nil {
			size = a.Size
		}
		return err
	})
	return size, fault("size of", path, err)
}

// Remove removes an object. That there is none is no error.
func (s *Store) Remove(ctx context.Context, path string) error {
	b, key, err := s.bucket(ctx, path)
	if err != nil {
		return err
	}
	err = s.bounded(ctx, func(ctx context.Context) error { return b.Delete(ctx, key) })
	if err = fault("remove", path, err); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Copy makes the store copy an object within a bucket, which replaces an object of the
// new name as a whole. Its bytes do not pass through this program. If the store cannot
// do it, such as S3 for more than 5 GB, the error is [errors.ErrUnsupported] for
// different buckets and an [Error] of the store for the rest. In Azure, keys that
// [Store.Create] refuses are [ErrOptions].
func (s *Store) Copy(ctx context.Context, from, to string) error {
	b, source, err := s.bucket(ctx, from)
	if err != nil {
		return err
	}
	other, key, err := s.bucket(ctx, to)
	if err != nil {
		return err
	}
	if b != other {
		return fmt.Errorf("objects: copy %s to %s: %w", from, to, errors.ErrUnsupported)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(patience*s.o.Timeout, func() { cancel(errStalled) })
	defer timer.Stop()
	alive := func() { timer.Reset(patience * s.o.Timeout) }
	if err = copyWithin(ctx, b, key, source, from, to, alive); err != nil && context.Cause(ctx) == errStalled {
		err = errStalled
	}
	return fault("copy", from, err)
}

// copyWithin copies an object of a bucket from one key to another. It calls alive when the
// copy has gone on. The paths are those of the keys.
func copyWithin(ctx context.Context, b *blob.Bucket, key, source, from, to string, alive func()) error {
	var microsoft *container.Client
	if b.As(&microsoft) {
		if err := errors.Join(checkKey(from, source), checkKey(to, key)); err != nil {
			return err
		}
		return copyBlob(ctx, microsoft, key, source, alive)
	}
	return b.Copy(ctx, key, source, &blob.CopyOptions{BeforeCopy: func(as func(any) bool) error {
		var google *storage.Copier
		if as(&google) {
			google.ProgressFunc = func(_, _ uint64) { alive() }
		}
		return nil
	}})
}
