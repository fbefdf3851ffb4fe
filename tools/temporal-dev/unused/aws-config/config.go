// Package config replaces the AWS SDK's configuration; it always fails.
package config

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
)

type (
	EnvConfig struct{ Credentials aws.Credentials }
	Option    struct{}
)

func NewEnvConfig() (EnvConfig, error) { return EnvConfig{}, errors.ErrUnsupported }

func LoadDefaultConfig(context.Context, ...Option) (aws.Config, error) {
	return aws.Config{}, errors.ErrUnsupported
}

func WithRegion(string) (o Option) { return o }

func WithClientLogMode(aws.ClientLogMode) (o Option) { return o }
