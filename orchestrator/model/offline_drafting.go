package model

import "strings"

// draft returns what the person asked for, to be quoted above the empty form of the document: to put their words into
// clauses is no program's business.
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
