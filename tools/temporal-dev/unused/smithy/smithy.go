// Package smithy has the error type that Temporal's archive in S3 mentions.
package smithy

type APIError interface {
	error
	ErrorCode() string
}
