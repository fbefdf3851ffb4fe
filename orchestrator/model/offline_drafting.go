package model

import "strings"

// draft returns the person's own words, to be quoted above an empty form of the document: no program can turn them
// into clauses.
func (n *notice) draft(values map[string]any) {
	details := ""
	given, _ := values["inputs"].([]map[string]string)
	for _, in := range given {
		switch in["id"] {
		case "type":
			n.inputType = in["text"]
		case "details":
			details = in["text"]
		}
	}
	for line := range strings.Lines(strings.TrimSpace(details)) {
		n.asked = append(n.asked, escape(strings.TrimSpace(line)))
	}
}
