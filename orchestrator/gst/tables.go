package gst

import (
	"embed"
	"encoding/json"
	"sync"
)

//go:embed tables/*.json
var tableFiles embed.FS

// index is the numbers of the provisions that can be cited.
type index struct {
	sections map[string]bool
	rules    map[string]bool
	// anyNumber takes numbers that are in no table for citations too, to say so of an answer.
	anyNumber bool
}

var tables = sync.OnceValue(loadTables)

// loadTables panics only on a broken build: the files are part of the program
// and a test reads each.
func loadTables() *index {
	var sections, rules struct {
		Provisions []struct{ Number, Status string }
	}
	for name, into := range map[string]any{"sections": &sections, "rules": &rules} {
		data, err := tableFiles.ReadFile("tables/" + name + ".json")
		if err == nil {
			err = json.Unmarshal(data, into)
		}
		if err != nil {
			panic("gst: table " + name + ": " + err.Error())
		}
	}
	t := &index{sections: map[string]bool{}, rules: map[string]bool{}}
	for _, s := range sections.Provisions {
		t.sections[s.Number] = true
	}
	for _, r := range rules.Provisions {
		t.rules[r.Number] = true
	}
	return t
}
