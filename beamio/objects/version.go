package objects

import (
	"fmt"
	"strconv"
	"strings"

	"cloud.google.com/go/storage"
	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	azure "github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/blob"
	"github.com/Azure/azure-sdk-for-go/sdk/storage/azblob/container"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"gocloud.dev/blob"
)

// A version is what differs between two objects that had the same name: the ETag in S3
// and Azure, without quotes, and the generation in Google Cloud Storage. In other stores,
// it is the time of the last change and the size.

// pin returns a function that makes a request conditional on a version.
func pin(version string) func(as func(any) bool) error {
	if version == "" {
		return nil
	}
	return func(as func(any) bool) error {
		quoted := `"` + version + `"`
		var amazon *s3.GetObjectInput
		var google **storage.ObjectHandle
		var microsoft *azure.DownloadStreamOptions
		switch {
		case as(&amazon):
			amazon.IfMatch = &quoted
		case as(&google):
			generation, err := strconv.ParseInt(version, 10, 64)
			if err != nil || generation <= 0 {
				return fmt.Errorf("%w: generation %q", ErrOptions, version)
			}
			*google = (*google).If(storage.Conditions{GenerationMatch: generation})
		case as(&microsoft):
			tag := azcore.ETag(quoted)
			microsoft.AccessConditions = &azure.AccessConditions{ModifiedAccessConditions: &azure.ModifiedAccessConditions{IfMatch: &tag}}
		}
		return nil
	}
}

// versionOf returns the version that an answer has. The error is about a store that
// returns none.
func versionOf(r *blob.Reader) string {
	var amazon s3.GetObjectOutput
	var google *storage.Reader
	var microsoft azure.DownloadStreamResponse
	switch {
	case r.As(&amazon):
		return unquote(aws.ToString(amazon.ETag))
	case r.As(&google):
		return strconv.FormatInt(google.Attrs.Generation, 10)
	case r.As(&microsoft) && microsoft.ETag != nil:
		return unquote(string(*microsoft.ETag))
	}
	return timeVersion(r.ModTime().UnixNano(), r.Size())
}

// versionOfEmpty returns the version of an object that has no byte to read.
func versionOfEmpty(a *blob.Attributes) string {
	var google storage.ObjectAttrs
	switch {
	case a.As(&google):
		return strconv.FormatInt(google.Generation, 10)
	case a.ETag != "":
		return unquote(a.ETag)
	}
	return timeVersion(a.ModTime.UnixNano(), a.Size)
}

// listedVersion returns the version of an object of a list.
func listedVersion(o *blob.ListObject) string {
	var amazon types.Object
	var google storage.ObjectAttrs
	var microsoft container.BlobItem
	switch {
	case o.As(&amazon):
		return unquote(aws.ToString(amazon.ETag))
	case o.As(&google):
		return strconv.FormatInt(google.Generation, 10)
	case o.As(&microsoft) && microsoft.Properties != nil && microsoft.Properties.ETag != nil:
		return unquote(string(*microsoft.Properties.ETag))
	}
	return timeVersion(o.ModTime.UnixNano(), o.Size)
}

// unquote removes the quotes of an ETag, which lists in Azure do not have.
func unquote(tag string) string { return strings.Trim(tag, `"`) }

func timeVersion(nanoseconds, size int64) string { return fmt.Sprintf("%d-%d", nanoseconds, size) }
