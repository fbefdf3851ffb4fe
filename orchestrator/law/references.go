package law

import (
	"slices"
	"strings"

	"munshi/orchestrator/gst/lazyregexp"
)

var (
	namesSections = lazyregexp.New(`\b([Ss]ection|[Rr]ule)s?\s((?:(?:sub-section|clause)\s\S+\sof\s)?\d{1,3}[A-Z]{0,2}\b(?:\([0-9A-Za-z]{1,5}\))*(?:(?:\s?,\s?|,? and |,? or | to )(?:(?:section|rule)s? )?\d{1,3}[A-Z]{0,2}\b(?:\([0-9A-Za-z]{1,5}\))*)*)`)
	oneNumber     = lazyregexp.New(`\d{1,3}[A-Z]{0,2}`)
	ofAnother     = lazyregexp.New(`^,?\s*(?:and the rules made thereunder )?(?:of|under) (?:the )?(?:said )?((?:[A-Z(][A-Za-z()&.’'-]*|and|of|for|in|to|the|on)(?:\s(?:[A-Z(][A-Za-z()&.’'-]*|and|of|for|in|to|the|on|\(No\. ?\d\)))*\s?(?:Act|Code|Regulations|Rules|Ordinance))`)
	yearLike      = lazyregexp.New(`^\s*(?:per cent|days|months|lakh|crore|rupees)`)
)

// referencesOf returns the sections and rules that a text names, as "39" for its own Act and "cgst_rules:36" for
// another. Those of Acts that are not ours are left out.
func referencesOf(act, text string) []string {
	var found []string
	parent := strings.TrimSuffix(act, "_rules")
	for _, at := range namesSections.FindAllStringSubmatchIndex(text, -1) {
		unit := strings.ToLower(text[at[2]:at[3]])
		list := partNumber.ReplaceAllString(text[at[4]:at[5]], "")
		after := text[at[1]:min(len(text), at[1]+160)]
		of := parent
		if unit == "rule" {
			of = parent + "_rules"
		}
		if m := ofAnother.FindStringSubmatch(after); m != nil {
			of = actNamed(m[1], of)
		}
		if of == "" || yearLike.MatchString(after) {
			continue
		}
		for _, n := range oneNumber.FindAllStringIndex(list, -1) {
			r := list[n[0]:n[1]]
			if of != act {
				r = of + ":" + r
			}
			if !slices.Contains(found, r) {
				found = append(found, r)
			}
		}
	}
	return found
}

// actNamed returns the id of the Act that a text names, "" for one that is not held here. "the Act" and "the said
// Act" refer to same.
func actNamed(name, same string) string {
	lower := strings.ToLower(name)
	rules := strings.HasSuffix(lower, "rules")
	id := ""
	switch {
	case lower == "act" || lower == "rules" || lower == "said act":
		return same
	case strings.Contains(lower, "integrated goods"):
		id = "igst"
	case strings.Contains(lower, "union territory goods"):
		id = "utgst"
	case strings.Contains(lower, "central goods"):
		id = "cgst"
	case strings.Contains(lower, "compensation to states"):
		id = "cess"
	default:
		return ""
	}
	if rules {
		id += "_rules"
	}
	return id
}
