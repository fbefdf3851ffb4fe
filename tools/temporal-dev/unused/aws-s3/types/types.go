// Package types has what an archive in S3 would hold, and what would be missing.
package types

type (
	CommonPrefix struct{ Prefix *string }
	Object       struct{ Key *string }
	NoSuchBucket struct{ error }
	NoSuchKey    struct{ error }
)
