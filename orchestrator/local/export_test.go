package local

// AsOtherUser makes PostgreSQL run as another user even if a namespace is possible.
func AsOtherUser(o *Postgres) { o.otherUser = true }
