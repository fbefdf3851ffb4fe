// Package types has the types and errors that Temporal's archive in S3 mentions.
package types

type (
	CommonPrefix struct{ Prefix *string }
	Object       struct{ Key *string }
	NoSuchBucket struct{ error }
	NoSuchKey    struct{ error }
)
