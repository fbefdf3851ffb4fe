package main

import (
	"maps"
	"strings"
	"testing"
	"testing/fstest"
)

func TestStaleCodeIsFound(t *testing.T) {
	code := []generated{{"sqlc", "make it", []string{"query.sql", "db"}}}
	tree := func() fstest.MapFS {
		return fstest.MapFS{
			"query.sql":    {Data: []byte("select 1")},
			"db/db.go":     {Data: []byte("package db")},
			"db/query.go":  {Data: []byte("package db // query")},
			"unrelated.go": {Data: []byte("package main")},
		}
	}
	recorded := map[string]string{}
	if err := record(tree(), code, "sqlc", recorded); err != nil {
		t.Fatal(err)
	}
	if got := parse(format(recorded)); !maps.Equal(got, recorded) {
		t.Fatalf("written and read again: %v, want %v", got, recorded)
	}
	for name, test := range map[string]struct {
		change func(fstest.MapFS)
		want   string
	}{
		"nothing":          {func(fstest.MapFS) {}, ""},
		"another file":     {func(m fstest.MapFS) { m["unrelated.go"].Data = []byte("package other") }, ""},
		"input changed":    {func(m fstest.MapFS) { m["query.sql"].Data = []byte("select 2") }, "make it"},
		"output changed":   {func(m fstest.MapFS) { m["db/db.go"].Data = []byte("package dbase") }, "make it"},
		"output added":     {func(m fstest.MapFS) { m["db/more.go"] = &fstest.MapFile{} }, "make it"},
		"output removed":   {func(m fstest.MapFS) { delete(m, "db/query.go") }, "make it"},
		"contents swapped": {func(m fstest.MapFS) { m["db/db.go"], m["db/query.go"] = m["db/query.go"], m["db/db.go"] }, "make it"},
		"input missing":    {func(m fstest.MapFS) { delete(m, "query.sql") }, "query.sql"},
	} {
		t.Run(name, func(t *testing.T) {
			m := tree()
			test.change(m)
			err := check(m, code, recorded)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
	if err := record(tree(), code, "unknown", recorded); err == nil {
		t.Error("an unknown name was recorded")
	}
}
