package objects

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"gocloud.dev/gcerrors"
	"google.golang.org/api/googleapi"
)

var (
	// ErrChanged: an object was replaced or removed while it was read.
	ErrChanged = errors.New("object was changed while it was read")
	// ErrOptions: a field of [Options], a path or an argument is out of its range.
	ErrOptions = errors.New("objects: invalid option")
)

// An Error says which operation on which object failed. It matches [ErrChanged],
// [fs.ErrNotExist], [fs.ErrPermission], [context.Canceled] or [context.DeadlineExceeded]
// if that is the reason. Its text has no part of a URL that can contain credentials, and
// it does not contain the error of the library, whose text can.
type Error struct {
	Op   string // such as "read"
	Path string // such as s3://bucket/key
	Err  error  // the reason, if it is one of those above, or nil

	text string
}

// Error returns the operation, the path and the reason.
func (e *Error) Error() string { return "objects: " + e.Op + " " + e.Path + ": " + e.text }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// fault returns the Error for an error of a bucket.
func fault(op, path string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*Error](err); ok {
		return err
	}
	e := &Error{Op: op, Path: path, text: describe(err)}
	for _, reason := range []error{ErrChanged, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, reason) {
			e.Err = reason
			return e
		}
	}
	code := gcerrors.Code(err)
	switch status, _ := response(err); status { // of an error that is not one of the bucket, or that has no code
	case http.StatusPreconditionFailed:
		code = gcerrors.FailedPrecondition
	case http.StatusNotFound:
		code = gcerrors.NotFound
	case http.StatusUnauthorized, http.StatusForbidden:
		code = gcerrors.PermissionDenied
	}
	switch code {
	case gcerrors.NotFound:
		e.Err = fs.ErrNotExist
	case gcerrors.PermissionDenied:
		e.Err = fs.ErrPermission
	case gcerrors.FailedPrecondition:
		e.Err, e.text = ErrChanged, ErrChanged.Error()
	}
	return e
}

// maxText bounds the text of an error.
const maxText = 300

// describe returns the text of an error without what can contain credentials. What a
// server writes besides its code can repeat the request, so it is not part of it.
func describe(err error) string {
	text := ""
	if e, ok := errors.AsType[smithy.APIError](err); ok {
		text = e.ErrorCode()
	} else if e, ok := errors.AsType[*azcore.ResponseError](err); ok {
		text = e.ErrorCode
	}
	status, _ := response(err)
	switch {
	case status == 0 && text == "":
		text = redact(strings.Join(strings.Fields(err.Error()), " "))
	case !codes.MatchString(text):
		text = fmt.Sprintf("%d %s", status, http.StatusText(status))
	case status > 0:
		text = fmt.Sprintf("%d %s", status, text)
	}
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "…"
	}
	return text
}

var (
	codes   = regexp.MustCompile(`^[A-Za-z]{1,60}$`)
	urls    = regexp.MustCompile(`(?i)\b([a-z][a-z0-9+.-]*://)(?:[^\s"'<>/?#]*@)?([^\s"'<>?#]*)(?:[?#][^\s"'<>]*)?`)
	secrets = regexp.MustCompile(`(?i)\b((?:account|shared|secret|private)[a-z_-]*(?:key|signature|token|id)|sig|signature|x-amz-[a-z-]+|authorization|password)(["']?\s*[=:]\s*["']?)[^\s"'&;,]+`)
)

// redact removes users and queries from URLs, and values with the names of secrets.
func redact(text string) string {
	text = urls.ReplaceAllString(text, "$1$2")
	return secrets.ReplaceAllString(text, "$1${2}…")
}

// response returns the status and the headers of the answer that made an error, or 0.
func response(err error) (status int, h http.Header) {
	if e, ok := errors.AsType[*smithyhttp.ResponseError](err); ok && e.Response != nil {
		return e.Response.StatusCode, e.Response.Header
	}
	if e, ok := errors.AsType[*googleapi.Error](err); ok {
		return e.Code, e.Header
	}
	if e, ok := errors.AsType[*azcore.ResponseError](err); ok && e.RawResponse != nil {
		return e.StatusCode, e.RawResponse.Header
	}
	return 0, nil
}

// isPermanent reports whether it is no use to make a request again.
func isPermanent(err error) bool {
	if errors.Is(err, ErrChanged) || errors.Is(err, ErrOptions) {
		return true
	}
	switch gcerrors.Code(err) {
	case gcerrors.NotFound, gcerrors.PermissionDenied, gcerrors.FailedPrecondition, gcerrors.InvalidArgument:
		return true
	}
	status, _ := response(err)
	return status >= 400 && status < 500 && status != http.StatusRequestTimeout && status != http.StatusTooManyRequests
}

const (
	firstPause = 100 * time.Millisecond
	maxPause   = time.Minute
)

// pause returns how long to wait before attempt number n, from 1 on.
func pause(n int, err error) time.Duration {
	d := min(firstPause<<min(n-1, 10), maxPause)
	if _, h := response(err); h != nil {
		if s, err := strconv.Atoi(h.Get("Retry-After")); err == nil && s > 0 {
			d = max(d, min(time.Duration(s)*time.Second, maxPause))
		}
	}
	return d
}

// wait waits, unless the context ends before.
func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
