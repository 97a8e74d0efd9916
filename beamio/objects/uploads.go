package objects

import (
	"context"
	"errors"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"
)

// DiscardUploads removes what programs that ended in the middle of a [Writer] have left in
// the store. prefix is how their paths begin, and remove chooses among these. An upload
// that is still running fails, so nobody must be writing to these paths.
//
// Only S3 lists such uploads, and keeps and charges them until they are removed. Google
// Cloud Storage and Azure remove them after a week. The error names what is left.
func (s *Store) DiscardUploads(ctx context.Context, prefix string, remove func(path string) bool) error {
	b, key, err := s.bucket(ctx, prefix)
	if err != nil {
		return err
	}
	url, _, _ := divide(prefix)
	var client *s3.Client
	if !b.As(&client) {
		return nil
	}
	_, bucket, _ := strings.Cut(url, "://")
	in := &s3.ListMultipartUploadsInput{Bucket: &bucket, Prefix: &key}
	for {
		var page *s3.ListMultipartUploadsOutput
		e := s.bounded(ctx, func(ctx context.Context) (err error) {
			page, err = client.ListMultipartUploads(ctx, in)
			return err
		})
		if isNoUpload(e) {
			return err // some servers say it of an empty list
		}
		if e != nil {
			return errors.Join(err, fault("list uploads of", prefix, e))
		}
		for _, u := range page.Uploads {
			path := url + "/" + aws.ToString(u.Key)
			if !remove(path) {
				continue
			}
			e := s.bounded(ctx, func(ctx context.Context) error {
				_, err := client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: &bucket, Key: u.Key, UploadId: u.UploadId})
				return err
			})
			if !isNoUpload(e) { // otherwise it has ended since
				err = errors.Join(err, fault("remove upload "+aws.ToString(u.UploadId)+" of", path, e))
			}
		}
		if !aws.ToBool(page.IsTruncated) {
			return err
		}
		in.KeyMarker, in.UploadIdMarker = page.NextKeyMarker, page.NextUploadIdMarker
	}
}

// isNoUpload reports whether an error says that there is no such upload.
func isNoUpload(err error) bool {
	e, ok := errors.AsType[smithy.APIError](err)
	return ok && e.ErrorCode() == "NoSuchUpload"
}
