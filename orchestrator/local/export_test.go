package local

// AsOtherUser has PostgreSQL run as another user where it could have a namespace of its own.
func AsOtherUser(o *Postgres) { o.otherUser = true }
