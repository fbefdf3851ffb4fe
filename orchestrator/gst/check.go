package gst

import "strings"

// Finding is something in an answer that a person should look at.
type Finding struct {
	Code    string // unknown_provision
	Message string
	Quote   string // the words of the answer that it is about
}

// Check looks up each section of the CGST Act and each CGST rule that an answer
// cites in tables/sections.json and tables/rules.json, and tells of those that
// are not there. That a provision exists does not mean that it supports the
// point. Provisions of other Acts are left alone.
func Check(answer string) []Finding {
	everything := *tables()
	everything.anyNumber = true
	d := newDocument([]Page{{Text: answer}})
	var findings []Finding
	said := map[string]bool{}
	for _, c := range d.citations(&everything) {
		act, word, known := "CGST Act", "section", everything.sections
		if c.rule {
			act, word, known = "CGST Rules", "rule", everything.rules
		}
		root, _, _ := strings.Cut(c.number, "(")
		if c.other || known[root] || said[word+root] {
			continue
		}
		said[word+root] = true
		if strings.HasSuffix(d.low[:c.start], word+" ") {
			c.start -= len(word) + 1
		}
		findings = append(findings, Finding{
			Code:    "unknown_provision",
			Message: "Not verified: the index of the " + act + ", 2017 has no " + word + " " + root + ". Check it before you rely on it.",
			Quote:   d.text[c.start:c.end],
		})
	}
	return findings
}
