package gst

import (
	"embed"
	"encoding/json"
	"strings"
	"sync"
)

//go:embed tables/*.json
var tableFiles embed.FS

// law is the tables of law that reading needs. Each file names its sources and
// the day on which it was true.
type law struct {
	forms    map[string]*formRule
	sections map[string]bool
	rules    map[string]bool
	// anyNumber takes numbers that are in no table for citations too, to say so of an answer.
	anyNumber bool
	years     map[string]limitation
	issues    []issue
}

// formRule is one row of tables/forms.json.
type formRule struct {
	Form   string `json:"form"`
	Kind   string `json:"kind"`   // "notice", "order" or "filing"
	Answer string `json:"answer"` // what the person does about it
	Time   *struct {
		Count int    `json:"count"`
		Unit  string `json:"unit"` // "days", "working days" or "months"
	} `json:"time"`
}

// limitation is the last days for one financial year, as ISO dates. The
// extended ones are empty where the year was not extended.
type limitation struct {
	FY                string `json:"fy"`
	S73Notice         string `json:"s73_notice"`
	S73Order          string `json:"s73_order"`
	S73NoticeExtended string `json:"s73_notice_extended"`
	S73OrderExtended  string `json:"s73_order_extended"`
	S74Notice         string `json:"s74_notice"`
	S74Order          string `json:"s74_order"`
	By                string `json:"by"`
	S73Note           string `json:"s73_note"`
	S74Note           string `json:"s74_note"`
}

// issue is one kind of dispute: the words that show it and the papers that
// answer it. When holds alternatives; an alternative holds when each of its
// terms does; a term is words parted by "|", of which one must stand in the text.
type issue struct {
	Key       string     `json:"key"`
	When      [][]string `json:"when"`
	Unless    string     `json:"unless"`
	Documents []struct {
		Type   string `json:"type"`
		Reason string `json:"reason"`
	} `json:"documents"`
}

var tables = sync.OnceValue(loadTables)

// loadTables panics only on a broken build: the files are part of the program
// and a test reads each.
func loadTables() *law {
	var forms struct{ Forms []*formRule }
	var sections, rules struct {
		Provisions []struct{ Number, Status string }
	}
	var years struct{ Years []limitation }
	var issues struct{ Issues []issue }
	for name, into := range map[string]any{
		"forms": &forms, "sections": &sections, "rules": &rules, "limitation": &years, "issues": &issues,
	} {
		data, err := tableFiles.ReadFile("tables/" + name + ".json")
		if err == nil {
			err = json.Unmarshal(data, into)
		}
		if err != nil {
			panic("gst: table " + name + ": " + err.Error())
		}
	}
	t := &law{
		forms: map[string]*formRule{}, sections: map[string]bool{}, rules: map[string]bool{},
		years: map[string]limitation{}, issues: issues.Issues,
	}
	for _, f := range forms.Forms {
		t.forms[f.Form] = f
	}
	for _, s := range sections.Provisions {
		t.sections[s.Number] = true
	}
	for _, r := range rules.Provisions {
		t.rules[r.Number] = true
	}
	for _, y := range years.Years {
		t.years[y.FY] = y
	}
	return t
}

// matches tells whether the text, in lower case, is about the issue.
func (i issue) matches(low string) bool {
	if i.Unless != "" && containsAny(low, strings.Split(i.Unless, "|")...) {
		return false
	}
	for _, alternative := range i.When {
		all := true
		for _, term := range alternative {
			all = all && containsAny(low, strings.Split(term, "|")...)
		}
		if all {
			return true
		}
	}
	return false
}

func containsAny(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
