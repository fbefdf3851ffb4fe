// Package aws has the names of the AWS SDK that Temporal's archive in S3 and its signed requests to Elasticsearch
// mention.
package aws

import "context"

type (
	Config        struct{ Credentials CredentialsProvider }
	ClientLogMode uint64
	Credentials   struct{ AccessKeyID, SecretAccessKey, SessionToken string }

	CredentialsProvider interface {
		Retrieve(context.Context) (Credentials, error)
	}

	Retryer interface{ IsErrorRetryable(error) bool }
)

func String(v string) *string { return &v }

func Int32(v int32) *int32 { return &v }
