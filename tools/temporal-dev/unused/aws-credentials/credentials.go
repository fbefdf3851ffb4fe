// Package credentials replaces the AWS SDK's credentials; it has none.
package credentials

import "github.com/aws/aws-sdk-go-v2/aws"

func NewStaticCredentialsProvider(string, string, string) aws.CredentialsProvider { return nil }
