// Package smithy has the error that Temporal's archive in S3 asks for.
package smithy

type APIError interface {
	error
	ErrorCode() string
}
